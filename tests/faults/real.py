"""A real control plane as a place for faults."""

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from deployments.models import Deployment
from providers.contract.manifest import Manifest
from providers.sandbox.faults import Fault
from providers.sandbox.kubeconfig import write_kubeconfig
from tests.cluster.harness.api import Api, namespaced
from tests.cluster.waiting import wait_for
from tests.faults.door import Door
from tests.faults.sandbox import crowding

LOOK_EVERY_SECONDS = 0.2


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
            wait_for(lambda: self.api.get(path).get("status", {}).get("used"), 30, "it counts")

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
