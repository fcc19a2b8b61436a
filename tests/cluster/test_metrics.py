"""What engines tell goes the whole way: from a server at a pod's address through the API server."""

import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from providers.contract.observing import EngineReading, Metrics
from providers.contract.template import Engine
from providers.kube.clock import deadline_in
from providers.kubernetes.provider import provider
from providers.workload.labels import LABEL_ID
from tests.cluster.cast import engine, pod_spec
from tests.cluster.harness.api import namespaced
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.launching import Launch, launch_in

SECONDS = 30.0
PAGE = b'vllm:num_requests_running{engine="0"} 3.0\nvllm:generation_tokens_total{engine="0"} 7\n'
VLLM = Engine(type="vllm", version="0.11.0")


class _Engine(BaseHTTPRequestHandler):
    """An engine that shows its metrics, and asks for a key at the one address that needs it."""

    def do_GET(self) -> None:
        status, body = {
            "/metrics": (200, PAGE),
            "/guarded": (401, b'{"error": "no key"}'),
        }.get(self.path, (404, b"nothing here"))
        self.send_response(status)
        self.send_header("Content-Type", "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Stay quiet."""


@dataclass(kw_only=True)
class Serving:
    """A pod of a deployment whose address is this machine's own."""

    launch: Launch

    def read(self, **engine_fields: object) -> Metrics:
        asked = VLLM.model_copy(update=engine_fields)
        by = deadline_in(SECONDS)
        return provider.metrics(self.launch.ref, self.launch.target, asked, deadline=by)


@pytest.fixture
def address() -> str:
    """Return an address of this machine that is no loopback: those the API server asks nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        # Nothing is sent: to connect only chooses the address that would be sent from.
        asking.connect(("198.51.100.1", 9))
        name: str = asking.getsockname()[0]
    return name


@pytest.fixture
def port(address: str) -> Iterator[int]:
    server = ThreadingHTTPServer((address, 0), _Engine)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield server.server_address[1]
    server.shutdown()
    server.server_close()


@pytest.fixture
def serving(
    control_plane: ControlPlane, namespace: str, address: str, port: int
) -> Iterator[Serving]:
    launch, api = launch_in(control_plane, namespace), control_plane.api
    path = namespaced(namespace, "pods", "engine-0")
    spec = pod_spec(engine(ports=[{"containerPort": port}]), nodeName="nobody-tends-it")
    metadata = {"name": "engine-0", "labels": {LABEL_ID: launch.ref.id}}
    body = {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}
    api.create(namespaced(namespace, "pods"), body)
    ready = {"type": "Ready", "status": "True"}
    status = {
        "phase": "Running",
        "podIP": address,
        "podIPs": [{"ip": address}],
        "conditions": [ready],
    }
    api.merge(f"{path}/status", {"status": status})
    yield Serving(launch=launch)
    api.delete(path, {"gracePeriodSeconds": 0})


def test_an_engine_is_asked_through_the_api_server(serving: Serving) -> None:
    seen = serving.read()
    values = {"running": 3.0, "generation_tokens": 7.0}
    assert seen.engine == (EngineReading(pod="engine-0", values=values),)
    assert seen.engine_trouble == ""


def test_a_control_plane_without_a_metrics_server_says_so(serving: Serving) -> None:
    seen = serving.read()
    assert seen.use == ()
    assert seen.use_trouble == "this cluster has no metrics server, which would tell what pods use"


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("/guarded", "it wants its API key at /guarded, and the console has none"),
        ("/elsewhere", "it has no metrics at /elsewhere; set engine.metrics_endpoint"),
    ],
)
def test_what_an_engine_refuses_is_told_of_it(serving: Serving, path: str, told: str) -> None:
    [reading] = serving.read(metrics_endpoint=path).engine
    assert reading.trouble == told


def test_a_pod_that_the_api_server_does_not_reach_is_told(
    serving: Serving, control_plane: ControlPlane, namespace: str
) -> None:
    path = namespaced(namespace, "pods", "engine-0")
    loopback = {"status": {"podIP": "127.0.0.1", "podIPs": [{"ip": "127.0.0.1"}]}}
    control_plane.api.merge(f"{path}/status", loopback)
    [reading] = serving.read().engine
    assert "cannot reach its port" in reading.trouble
