"""What tests of a provider do on the control plane: targets, requests, waiting, and sampling."""

import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import Self

from urllib3.exceptions import HTTPError

from providers.contract.checks import Check, Result
from providers.contract.manifest import Manifest
from providers.contract.overrides import parse_overrides, resolve_scaling
from providers.contract.protocols import Applied, Deletion, Observation
from providers.contract.request import DeploymentRef, DeployRequest
from providers.contract.status import Phase
from providers.contract.target import ClusterTarget, Connection
from providers.kube.clock import deadline_in
from providers.kubernetes.provider import provider
from providers.testing.samples import MOCK_SPEC, make_request, make_target, ref_of
from tests.cluster.harness.api import Api, ApiError, namespaced
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.waiting import wait_for

# A busy machine is given long; whatever does not come is told then.
SECONDS = 30.0
PATIENCE_SECONDS = 90.0
# Of these a quota allows none: that one is refused proves that the quota is in force.
NEVER = "count/leases.coordination.k8s.io"


@dataclass(kw_only=True)
class Launch:
    """One deployment on its way through revisions, as the core would keep it."""

    target: ClusterTarget
    request: DeployRequest
    api: Api
    applied: Applied | None = None

    @property
    def ref(self) -> DeploymentRef:
        return ref_of(self.request, self.applied)

    def path(self, plural: str, api: str) -> str:
        return namespaced(self.request.namespace, plural, self.request.runtime_name, api=api)

    @property
    def deployment_path(self) -> str:
        return self.path("deployments", "apis/apps/v1")

    @property
    def autoscaler_path(self) -> str:
        return self.path("horizontalpodautoscalers", "apis/autoscaling/v2")

    def create(self) -> Applied:
        self.applied = provider.create(self.request, self.target, deadline=deadline_in(SECONDS))
        return self.applied

    def update(self, request: DeployRequest) -> Applied:
        self.applied = provider.update(
            request, self.ref, self.target, deadline=deadline_in(SECONDS)
        )
        self.request = request
        return self.applied

    def get(self) -> Observation:
        return provider.get(self.ref, self.target, deadline=deadline_in(SECONDS))

    def wait_until_ready(self, replicas: int) -> Observation:
        def ready() -> Observation | None:
            seen = self.get()
            status = seen.status
            full = (status.desired_replicas, status.ready_replicas) == (replicas, replicas)
            return seen if status.phase is Phase.READY and full else None

        return wait_for(ready, PATIENCE_SECONDS, f"{replicas} ready replicas")

    def rescaled(self, **overrides: object) -> DeployRequest:
        scaling = resolve_scaling(self.request.spec, parse_overrides(overrides))
        return replace(self.request, scaling=scaling, revision=self.request.revision + 1)

    def with_env(self, **env: str) -> DeployRequest:
        engine = self.request.spec.engine.model_copy(update={"env": env})
        spec = self.request.spec.model_copy(update={"engine": engine})
        return replace(self.request, spec=spec, revision=self.request.revision + 1)


def target_for(plane: ControlPlane, namespace: str, **changes: object) -> ClusterTarget:
    target = make_target(
        key=str(plane.kubeconfig),
        connection=Connection(kubeconfig=str(plane.kubeconfig)),
        default_namespace=namespace,
        namespaces=(namespace,),
    )
    return replace(target, **changes)  # type: ignore[arg-type]


def launch_in(
    plane: ControlPlane,
    namespace: str,
    *,
    spec: Mapping[str, object] = MOCK_SPEC,
    overrides: Mapping[str, object] | None = None,
    **changes: object,
) -> Launch:
    """Return a launch that is not applied yet."""
    request = make_request(provider, namespace=namespace, spec=spec, overrides=overrides)
    target = target_for(plane, namespace, **changes)
    return Launch(target=target, request=request, api=plane.api)


@dataclass(frozen=True, kw_only=True, slots=True)
class Sample:
    wanted: int
    ready: int


@dataclass(kw_only=True)
class Sampler:
    """Looks at a deployment again and again, beside whatever is done to it."""

    launch: Launch
    samples: list[Sample] = field(default_factory=list)
    _stop: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._look)
        self._thread.start()
        linger(self, 1)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop.set()
        if self._thread:
            self._thread.join()

    @property
    def fewest_wanted(self) -> int:
        return min(sample.wanted for sample in self.samples)

    @property
    def most_wanted(self) -> int:
        return max(sample.wanted for sample in self.samples)

    @property
    def fewest_ready(self) -> int:
        return min(sample.ready for sample in self.samples)

    def _look(self) -> None:
        while not self._stop.wait(0.03):
            with suppress(ApiError, HTTPError):
                self.samples.append(self._sample())

    def _sample(self) -> Sample:
        launch = self.launch
        deployment = launch.api.get(launch.deployment_path)
        pods = launch.api.get(
            namespaced(launch.request.namespace, "pods"),
            labelSelector=f"slipway.dev/id={launch.request.id}",
        )
        return Sample(
            wanted=deployment["spec"]["replicas"],
            ready=sum(is_ready(pod) for pod in pods["items"]),
        )


def linger(sampler: Sampler, samples: int = 20) -> None:
    """Let the sampler look that many times more at what comes after a change."""
    enough = len(sampler.samples) + samples
    wait_for(lambda: len(sampler.samples) >= enough, PATIENCE_SECONDS, "more samples")


def eventually(
    what: str, predicate: Callable[[], object], seconds: float = PATIENCE_SECONDS
) -> None:
    wait_for(predicate, seconds, what)


def is_ready(pod: Manifest) -> bool:
    """Tell whether a pod takes requests and is not about to go."""
    if pod["metadata"].get("deletionTimestamp"):
        return False
    conditions = (pod.get("status") or {}).get("conditions") or []
    return any(c["type"] == "Ready" and c["status"] == "True" for c in conditions)


def preflight(launch: Launch) -> tuple[Check, ...]:
    return provider.preflight(
        launch.request, launch.target, capacity=None, deadline=deadline_in(SECONDS)
    )


def failed(checks: tuple[Check, ...]) -> dict[str, Check]:
    return {check.code: check for check in checks if check.result is Result.FAIL}


def set_quota(api: Api, namespace: str, **hard: str) -> None:
    """Set a quota; returns once it is in force.

    Set it before what it is to count is made: that is counted as it is made. Of what is there
    already, its controller may not have heard yet, and counts again minutes later.
    """
    limits = {name.replace("__", "/"): text for name, text in hard.items()}
    body: Manifest = {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": {"name": "team"},
        "spec": {"hard": limits | {NEVER: "0"}},
    }
    api.create(namespaced(namespace, "resourcequotas"), body)
    wait_for_quota(api, namespace)


def wait_for_quota(api: Api, namespace: str) -> None:
    """Wait until a quota that has NEVER among its limits is in force."""
    leases = namespaced(namespace, "leases", api="apis/coordination.k8s.io/v1")
    one = {
        "apiVersion": "coordination.k8s.io/v1",
        "kind": "Lease",
        "metadata": {"name": "one-too-many"},
    }
    eventually(
        "the quota is in force",
        lambda: "exceeded quota" in api.ask("POST", leases, one, dryRun="All").text,
    )


def delete_launch(launch: Launch) -> Deletion:
    return provider.delete(launch.ref, launch.target, deadline=deadline_in(SECONDS))


def objects_of(launch: Launch) -> list[str]:
    """Return the kinds of what carries the deployment's id."""
    selector = f"slipway.dev/id={launch.request.id}"
    kinds = {
        "deployments": "apis/apps/v1",
        "replicasets": "apis/apps/v1",
        "services": "api/v1",
        "pods": "api/v1",
        "horizontalpodautoscalers": "apis/autoscaling/v2",
    }
    return [
        plural
        for plural, api in kinds.items()
        if launch.api.get(
            namespaced(launch.request.namespace, plural, api=api), labelSelector=selector
        )["items"]
    ]
