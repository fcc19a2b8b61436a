"""A real control plane as a place for faults."""

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path

from deployments.models import Deployment
from providers.contract.manifest import Manifest
from providers.sandbox.faults import Fault
from providers.sandbox.kubeconfig import write_kubeconfig
from tests.cluster.cast import engine, pod_spec
from tests.cluster.harness.api import Api, namespaced
from tests.cluster.launching import NEVER, PATIENCE_SECONDS, wait_for_quota
from tests.cluster.scheduling import wait_for_taint
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
        if body["kind"] == "ResourceQuota":
            self._limit(path, body)
            return
        self.api.apply(path, body, manager="stranger")
        if body["kind"] == "Node":
            self._taint(path, body)
        elif "/namespaces/" not in path:
            self.after.callback(self.api.delete, path)
        if body["kind"] == "PriorityClass":
            self._wait_for_priority(body["metadata"]["name"])

    def _limit(self, path: str, body: Manifest) -> None:
        """Apply a quota; what is done after that is done under it."""
        hard = {**body["spec"]["hard"], NEVER: "0"}
        self.api.apply(path, {**body, "spec": {"hard": hard}}, manager="stranger")
        wait_for_quota(self.api, self.namespace)

    def _taint(self, path: str, body: Manifest) -> None:
        """Let the scheduler know of the taint, and at the end that it is gone."""
        name = body["metadata"]["name"]
        wait_for_taint(self.api, name, tainted=True)
        self.after.callback(wait_for_taint, self.api, name, tainted=False)
        self.after.callback(self.api.apply, path, {**body, "spec": {}}, manager="stranger")

    def _wait_for_priority(self, name: str) -> None:
        """Wait until a pod may have it: admission hears of it later."""
        pods, pod = namespaced(self.namespace, "pods"), pod_spec(engine(), priorityClassName=name)
        body = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "probe"}, "spec": pod}
        wait_for(
            lambda: self.api.ask("POST", pods, body, dryRun="All").status == HTTPStatus.CREATED,
            PATIENCE_SECONDS,
            f"the priority {name}",
        )

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
