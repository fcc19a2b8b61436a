"""Lets the stand-in controllers work: pass by pass, in a thread until left."""

import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from providers.contract.errors import ProviderError
from providers.contract.manifest import Manifest
from providers.contract.target import Connection
from providers.kube.resources import (
    AUTOSCALERS,
    CLUSTER_SERVING_RUNTIMES,
    DEPLOYMENTS,
    INFERENCE_SERVICES,
    PODS,
    SERVICES,
    SERVING_RUNTIMES,
    STORM_SERVICES,
    Resource,
)
from providers.testing.controllers import inference, podsets, rolesets, storm
from providers.testing.controllers.hand import Hand
from providers.testing.controllers.objects import owned

ROLE_SETS = Resource(
    api_version="orchestration.aibrix.ai/v1alpha1", kind="RoleSet", plural="rolesets"
)
POD_SETS = Resource(api_version="orchestration.aibrix.ai/v1alpha1", kind="PodSet", plural="podsets")
EVERY_SECONDS = 0.1


class Aibrix:
    """The controllers of StormServices, RoleSets and PodSets."""

    def __init__(self, connection: Connection) -> None:
        kinds = (STORM_SERVICES, ROLE_SETS, POD_SETS, PODS, SERVICES)
        self._hand = Hand(connection, "aibrix-controllers", kinds)

    def step(self) -> None:
        """Read everything once, then act on each object."""
        hand, read = self._hand, self._hand.list
        storms, role_sets, pod_sets = read("StormService"), read("RoleSet"), read("PodSet")
        pods, services = read("Pod") if role_sets else (), read("Service") if storms else ()
        for one in storms:
            storm.reconcile(hand, one, role_sets, services)
        for one in role_sets:
            rolesets.reconcile(hand, one, [*pods, *pod_sets])
        for one in pod_sets:
            podsets.reconcile(hand, one, pods)


class Kserve:
    """The controller of InferenceServices, in raw mode and without its webhooks.

    It acts where something changed that it watches; autoscalers are not among that.
    """

    def __init__(self, connection: Connection) -> None:
        below = (DEPLOYMENTS, SERVICES, AUTOSCALERS)
        runtimes = (SERVING_RUNTIMES, CLUSTER_SERVING_RUNTIMES)
        kinds = (INFERENCE_SERVICES, PODS, *below, *runtimes)
        self._hand = Hand(connection, "v1beta1Controllers", kinds)
        self._below, self._runtimes = below, runtimes
        self._acted_on: dict[str, object] = {}

    def step(self) -> None:
        """Read everything once, then act on each object."""
        found = self._hand.list("InferenceService")
        if not found:
            return
        children, pods = self._all(self._below), self._hand.list("Pod")
        models = any("model" in one["spec"]["predictor"] for one in found)
        runtimes = self._all(self._runtimes) if models else ()
        for one in found:
            self._act(one, children, _pods_of(one, pods), runtimes)

    def _act(
        self,
        one: Manifest,
        children: Sequence[Manifest],
        pods: Sequence[Manifest],
        runtimes: Sequence[Manifest],
    ) -> None:
        uid, seen = one["metadata"]["uid"], _watched(one, children, pods, runtimes)
        if self._acted_on.get(uid) == seen:
            return
        is_done = inference.reconcile(self._hand, one, children, pods, runtimes)
        self._acted_on[uid] = seen if is_done else None

    def _all(self, kinds: Iterable[Resource]) -> list[Manifest]:
        return [one for kind in kinds for one in self._hand.list(kind.kind)]


def _watched(
    service: Manifest,
    children: Sequence[Manifest],
    pods: Sequence[Manifest],
    runtimes: Sequence[Manifest],
) -> object:
    """Return what wakes the controller for one: versions of objects, of pods their downloads."""
    below = [one for one in owned(children, service) if one["kind"] != AUTOSCALERS.kind]
    downloads = [
        (pod["metadata"]["uid"], (pod.get("status") or {}).get("initContainerStatuses"))
        for pod in pods
    ]
    return [one["metadata"]["resourceVersion"] for one in (service, *below, *runtimes)], downloads


def _pods_of(service: Manifest, pods: Iterable[Manifest]) -> list[Manifest]:
    place, mark = service["metadata"], "serving.kserve.io/inferenceservice"
    return [
        pod
        for pod in pods
        if pod["metadata"]["namespace"] == place["namespace"]
        and (pod["metadata"].get("labels") or {}).get(mark) == place["name"]
    ]


@contextmanager
def working(*controllers: Aibrix | Kserve) -> Iterator[None]:
    """Let controllers work in a thread until left; a cluster that is away is tried again.

    Raises in the end whatever else has stopped them.
    """
    stopping = threading.Event()
    with ThreadPoolExecutor(1) as pool:
        work = pool.submit(_run, controllers, stopping)
        try:
            yield
        finally:
            stopping.set()
        work.result()


def _run(controllers: tuple[Aibrix | Kserve, ...], stopping: threading.Event) -> None:
    while not stopping.wait(EVERY_SECONDS):
        for one in controllers:
            _step(one)


def _step(one: Aibrix | Kserve) -> None:
    try:
        one.step()
    except ProviderError:
        return  # it is read anew in the next pass
