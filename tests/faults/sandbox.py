"""The simulated cluster as a place for faults: its clock is moved, its server fails when asked."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from deployments.models import Deployment
from providers.contract.manifest import Manifest
from providers.sandbox.cluster import VirtualCluster
from providers.sandbox.faults import Fault
from providers.sandbox.kubeconfig import write_kubeconfig
from providers.sandbox.messages import APPLY
from providers.sandbox.store import is_ending


@dataclass(frozen=True, kw_only=True)
class SandboxPlace:
    """One simulated cluster and the kubeconfig that leads to it; `beside` shares its clock."""

    cluster: VirtualCluster
    kubeconfig: Path
    url: str
    beside: VirtualCluster | None = None
    namespace: str = "models"
    doomed: str = "doomed"

    def apply(self, path: str, body: Manifest) -> None:
        self._ask("PATCH", f"{path}?fieldManager=stranger&force=true", body)

    def delete(self, path: str) -> None:
        self._ask("DELETE", path)

    def pods_of(self, deployment: Deployment) -> list[Manifest]:
        pods = self.cluster.store.items("pods", deployment.namespace)
        key = str(deployment.pk)
        ours = [pod for pod in pods if pod["metadata"]["labels"].get("slipway.dev/id") == key]
        return [pod for pod in ours if not is_ending(pod)]

    def node_names(self) -> list[str]:
        return [node["metadata"]["name"] for node in self.cluster.store.items("nodes")]

    def fail(self, *faults: Fault) -> None:
        with self.cluster.lock:
            self.cluster.faults[:] = faults

    @contextmanager
    def lead_to(self, url: str) -> Iterator[None]:
        write_kubeconfig(self.kubeconfig, url=url, namespace=self.namespace)
        yield
        write_kubeconfig(self.kubeconfig, url=self.url, namespace=self.namespace)

    def crowd(self, number: int) -> None:
        """Add so many events, which every pass reads."""
        for each in range(number):
            self.cluster.create(crowding(self.namespace, each))

    def let_pass(self, seconds: float) -> None:
        for cluster in filter(None, (self.cluster, self.beside)):
            cluster.advance(seconds)

    def _ask(self, method: str, path: str, body: Manifest | None = None) -> None:
        sent = b"" if body is None else json.dumps(body).encode()
        answer = self.cluster.handle(method, path, {"Content-Type": APPLY}, sent)
        assert answer.status < 400, answer.body.decode()


def crowding(namespace: str, number: int) -> Manifest:
    """Return a warning about nobody of ours."""
    name = f"crowd-{number}"
    return {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {"name": name, "namespace": namespace},
        "type": "Warning",
        "reason": "Crowded",
        "message": "one of many",
        "involvedObject": {"kind": "Pod", "name": name, "namespace": namespace},
    }
