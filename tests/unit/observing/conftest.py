"""An API server on loopback that answers by path: pods, what they use, and their engines' pages."""

import json
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from providers.contract.request import DeploymentRef
from providers.contract.target import ClusterTarget, Connection
from providers.kubernetes.provider import KubernetesProvider
from providers.testing.samples import make_request, make_target, ref_of
from tests.unit.kube.conftest import Reply, Request, ScriptedServer, kubeconfig_text

PODS = "/api/v1/namespaces/models/pods"
USE = "/apis/metrics.k8s.io/v1beta1/namespaces/models/pods"


class RoutedServer(ScriptedServer):
    """Answers by path; of what it has no answer for, it says what a real one does."""

    def __init__(self) -> None:
        super().__init__()
        self.replies: dict[str, Reply] = {}

    def next_reply(self, request: Request) -> Reply:
        with self.lock:
            self.seen.append(request)
        return self.replies.get(urlsplit(request.path).path) or Reply(
            status=404, body=b"404 page not found\n", headers={"Content-Type": "text/plain"}
        )


@dataclass(kw_only=True)
class Here:
    """A cluster to ask, and words to set it up."""

    server: RoutedServer
    target: ClusterTarget
    ref: DeploymentRef = field(
        default_factory=lambda: ref_of(make_request(KubernetesProvider()), None)
    )

    def has_pods(self, *pods: object) -> None:
        self.server.replies[PODS] = listed(pods)

    def uses(self, *pods: object) -> None:
        self.server.replies[USE] = listed(pods)

    def shows(self, pod: str, page: bytes | str, *, port: int = 8000, status: int = 200) -> None:
        body = page.encode() if isinstance(page, str) else page
        self.server.replies[f"{PODS}/{pod}:{port}/proxy/metrics"] = Reply(
            status=status, body=body, headers={"Content-Type": "text/plain"}
        )

    def refuses(self, path: str, status: int, message: str) -> None:
        self.server.replies[path] = Reply(status=status, body=refusal(status, message))


def listed(items: Sequence[object]) -> Reply:
    return Reply(body=json.dumps({"kind": "List", "items": list(items)}).encode())


def refusal(status: int, message: str) -> bytes:
    body = {"kind": "Status", "apiVersion": "v1", "code": status, "message": message}
    return json.dumps(body).encode()


def pod(name: str, *, ready: bool = True, port: int | None = 8000) -> dict[str, object]:
    ports = [] if port is None else [{"name": "http", "containerPort": port}]
    return {
        "metadata": {"name": name, "namespace": "models"},
        "spec": {"containers": [{"name": "engine", "ports": ports}]},
        "status": {"conditions": [{"type": "Ready", "status": str(ready)}]},
    }


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Here]:
    server = RoutedServer()
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    path = tmp_path / "kubeconfig"
    path.write_text(kubeconfig_text(server.url))
    target = make_target(key=str(path), connection=Connection(kubeconfig=str(path)))
    yield Here(server=server, target=target)
    server.shutdown()
    server.server_close()
