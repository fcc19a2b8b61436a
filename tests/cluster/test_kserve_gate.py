"""KServe's webhook as it is registered: what it refuses is told, and so is that it is down."""

import base64
import json
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from providers.contract.checks import Result
from providers.contract.errors import Rejected, Unavailable
from providers.contract.manifest import Manifest
from providers.contract.request import DeployRequest
from providers.contract.status import Phase
from providers.kserve.provider import provider
from providers.kube.clock import deadline_in
from providers.testing.samples import make_request, rescaled
from tests.cluster.harness.api import namespaced
from tests.cluster.harness.certificates import Authority
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.inference_services import KSERVE, SECONDS, Cast
from tests.cluster.waiting import wait_for

COLLECTION = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations"
NAME = "inferenceservice.kserve-webhook-server.validator"
REFUSAL = "'MinReplicas' cannot be greater than MaxReplicas"
REFUSED = 3  # so many replicas it takes for a fault


class Gate(BaseHTTPRequestHandler):
    """Refuses every InferenceService of REFUSED replicas, in words of KServe's own."""

    def do_POST(self) -> None:
        """Answer one review."""
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        request = asked["request"]
        allowed = request["object"]["spec"]["predictor"]["minReplicas"] != REFUSED
        status = {"code": 403, "reason": "Forbidden", "message": REFUSAL}
        answer = {"uid": request["uid"], "allowed": allowed, "status": status}
        body = json.dumps({**asked, "response": answer}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as its base has it
        """Say nothing."""


@contextmanager
def standing(authority: Authority) -> Iterator[int]:
    """Let the gate answer until left; yields its port."""
    pair = authority.server("webhook")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pair.certificate, pair.key)
    with ThreadingHTTPServer(("127.0.0.1", 0), Gate) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def registered(namespace: str, port: int, authority: Authority) -> Manifest:
    rule = {
        "apiGroups": ["serving.kserve.io"],
        "apiVersions": ["v1beta1"],
        "operations": ["CREATE", "UPDATE"],
        "resources": ["inferenceservices"],
    }
    trusted = base64.b64encode(authority.pair.certificate.read_bytes()).decode()
    webhook = {
        "name": NAME,
        "clientConfig": {"url": f"https://127.0.0.1:{port}/", "caBundle": trusted},
        "rules": [rule],
        "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": namespace}},
        "failurePolicy": "Fail",
        "sideEffects": "None",
        "admissionReviewVersions": ["v1"],
    }
    return {"metadata": {"name": namespace}, "webhooks": [webhook]}


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path, "kserve")


@pytest.fixture
def cast(foreign_plane: ControlPlane, foreign_namespace: str) -> Iterator[Cast]:
    """A deployment that is ready, and whose namespace may get a webhook then."""
    cast = Cast(foreign_plane, foreign_namespace)
    cast.launch(min_replicas=1)
    cast.until(Phase.READY, 1)
    yield cast
    foreign_plane.api.delete(f"{COLLECTION}/{foreign_namespace}")


def register(cast: Cast, port: int, authority: Authority) -> None:
    cast.plane.api.create(COLLECTION, registered(cast.namespace, port, authority))


def register_one_that_is_down(cast: Cast, authority: Authority) -> None:
    with standing(authority) as port:
        register(cast, port, authority)


def wait_until_told(cast: Cast, request: DeployRequest, code: str, result: Result) -> None:
    """Wait until a preflight tells what the webhook does: it counts only after a moment."""

    def is_told() -> bool:
        check = cast.checked(request).get(code)
        return check is not None and check.result is result

    wait_for(is_told, SECONDS, f"the webhook counts: {code} is told")


def test_what_it_refuses_is_told_in_its_words_and_leaves_what_runs(
    cast: Cast, authority: Authority
) -> None:
    request, before = cast.request, cast.pods()
    refused = rescaled(request, min_replicas=REFUSED)
    with standing(authority) as port:
        register(cast, port, authority)
        wait_until_told(cast, refused, "AdmissionDenied", Result.FAIL)
        with pytest.raises(Rejected, match=REFUSAL) as told:
            cast.change(refused)
        assert told.value.code == "AdmissionDenied"
        cast.request = request
        cast.rescale(min_replicas=2)
        cast.until(Phase.READY, 2)
    assert before < cast.pods()


def test_while_it_is_down_a_change_waits_and_what_runs_is_as_it_was(
    cast: Cast, authority: Authority
) -> None:
    request, more = cast.request, rescaled(cast.request, min_replicas=2)
    register_one_that_is_down(cast, authority)
    wait_until_told(cast, more, "WebhookUnavailable", Result.UNKNOWN)
    with pytest.raises(Unavailable, match=NAME) as told:
        cast.change(more)
    assert told.value.code == "WebhookUnavailable"
    cast.request = request
    cast.until(Phase.READY, 1)


def test_while_it_is_down_a_launch_leaves_nothing(cast: Cast, authority: Authority) -> None:
    register_one_that_is_down(cast, authority)
    other = make_request(provider, namespace=cast.namespace)
    wait_until_told(cast, other, "WebhookUnavailable", Result.UNKNOWN)
    with pytest.raises(Unavailable):
        provider.create(other, cast.target, deadline=deadline_in(60))
    services = namespaced(cast.namespace, "inferenceservices", api=KSERVE)
    assert len(cast.plane.api.get(services)["items"]) == 1
