"""A real control plane as a place for faults, behind a door that fails when it is asked to."""

import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from deployments.models import Deployment
from providers.contract.manifest import Manifest
from providers.sandbox.faults import Fault, Faults
from providers.sandbox.kubeconfig import write_kubeconfig
from providers.sandbox.messages import Refused, Request, Response, answer, read_request
from tests.cluster.harness.api import Api, namespaced
from tests.cluster.waiting import wait_for
from tests.faults.sandbox import crowding

LOOK_EVERY_SECONDS = 0.2
FORWARDED = ("Date", "Retry-After", "Warning")


class Door:
    """Passes requests on to a real API server, or lets them fail."""

    def __init__(self, api: Api) -> None:
        self.faults = Faults()
        self._api = api

    def handle(
        self, method: str, target: str, headers: Mapping[str, str], body: bytes = b""
    ) -> Response:
        """Return the API server's answer, or what a fault makes of it."""
        fault = self.faults.take(_read(method, target, headers, body))
        if fault and (fault.status or fault.drop):
            return fault.befall(answer({}))
        response = self._forward(method, target, headers, body)
        return fault.befall(response) if fault else response

    def _forward(
        self, method: str, target: str, headers: Mapping[str, str], body: bytes
    ) -> Response:
        passed = {name: text for name, text in headers.items() if name in _PASSED}
        response = self._api.pool.request(
            method, self._api.url + target, body=body or None, headers=self._api.headers | passed
        )
        return Response(
            status=response.status,
            body=response.data,
            content_type=response.headers.get("Content-Type", ""),
            headers={
                name: response.headers[name] for name in FORWARDED if name in response.headers
            },
        )


_PASSED = frozenset({"Content-Type", "Accept"})


def _read(method: str, target: str, headers: Mapping[str, str], body: bytes) -> Request | None:
    """Return what is asked, None for what the simulated cluster would not know."""
    try:
        return read_request(method, target, headers, body)
    except Refused:
        return None


@dataclass(frozen=True, kw_only=True)
class RealPlace:
    """A namespace of a real control plane; what is undone at the end is noted in `after`."""

    api: Api
    door: Door
    kubeconfig: Path
    url: str
    namespace: str
    doomed: str
    after: ExitStack = field(default_factory=ExitStack)

    def apply(self, path: str, body: Manifest) -> None:
        if path.endswith("/status"):
            self.api.merge(path, {"status": body["status"]})
            return
        self.api.apply(path, body, manager="stranger")
        if body["kind"] == "Node":
            self.after.callback(self.api.apply, path, {**body, "spec": {}}, manager="stranger")
        elif "/namespaces/" not in path:
            self.after.callback(self.api.delete, path)
        if body["kind"] == "ResourceQuota":
            wait_for(lambda: self.api.get(path).get("status", {}).get("used"), 10, "it counts")

    def delete(self, path: str) -> None:
        self.api.delete(path)

    def pods_of(self, deployment: Deployment) -> list[Manifest]:
        path = namespaced(deployment.namespace, "pods")
        found = self.api.get(path, labelSelector=f"slipway.dev/id={deployment.pk}")["items"]
        return [pod for pod in found if not pod["metadata"].get("deletionTimestamp")]

    def node_names(self) -> list[str]:
        return [node["metadata"]["name"] for node in self.api.get("/api/v1/nodes")["items"]]

    def fail(self, *faults: Fault) -> None:
        self.door.faults[:] = faults

    @contextmanager
    def lead_to(self, url: str) -> Iterator[None]:
        write_kubeconfig(self.kubeconfig, url=url, namespace=self.namespace)
        yield
        write_kubeconfig(self.kubeconfig, url=self.url, namespace=self.namespace)

    def crowd(self, number: int) -> None:
        path = namespaced(self.namespace, "events")
        for each in range(number):
            self.api.create(path, crowding(self.namespace, each))

    def let_pass(self, seconds: float) -> None:
        time.sleep(min(seconds, LOOK_EVERY_SECONDS))
