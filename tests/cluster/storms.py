"""StormServices as tests of them make, change and follow them on a control plane."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from providers.contract.manifest import Manifest
from providers.contract.protocols import Applied
from providers.contract.request import DeployRequest
from providers.contract.target import ClusterTarget
from providers.kube.clock import deadline_in
from providers.stormservice.provider import provider
from providers.testing.samples import ref_of, spec_with
from tests.cluster.following import Following
from tests.cluster.harness.api import Api, namespaced
from tests.cluster.looking import by_itself
from tests.cluster.waiting import wait_for

SECONDS = 90.0
SGLANG = {"type": "sglang", "version": "0.5.3", "image": "docker.io/lmsysorg/sglang:v0.5.3"}
STORM, SCALER = "apis/orchestration.aibrix.ai/v1alpha1", "apis/autoscaling.aibrix.ai/v1alpha1"

BOUNDS: Mapping[str, object] = {"enable_auto_scaling": True, "min_replicas": 2, "max_replicas": 5}


def roles(**numbers: int) -> Manifest:
    """Return the topology of roles with that many pods each, which take no accelerators."""
    given = [
        {"name": name, "accelerator": {"type": "cpu"}, "replicas": number}
        for name, number in numbers.items()
    ]
    return {"kind": "disaggregated", "roles": given}


SPECS = {
    "standard": spec_with(engine=SGLANG),
    "roles": spec_with(
        engine=SGLANG,
        topology=roles(prefill=1, decode=1),
        scaling_defaults={"metric": {"type": "pods", "name": "queue", "target": 5}},
    ),
}


def create(request: DeployRequest, target: ClusterTarget) -> Applied:
    return provider.create(request, target, deadline=deadline_in(60))


def update(request: DeployRequest, applied: Applied, target: ClusterTarget) -> Applied:
    return provider.update(request, ref_of(request, applied), target, deadline=deadline_in(60))


def wait_until_ready(request: DeployRequest, applied: Applied, target: ClusterTarget) -> None:
    wait_for(
        lambda: by_itself(request, applied, target).reason == "Available", SECONDS, "it is ready"
    )


def path_of(request: DeployRequest, plural: str = "stormservices", api: str = STORM) -> str:
    return namespaced(request.namespace, plural, request.runtime_name, api=api)


def roles_by_pod(api: Api, namespace: str) -> dict[str, str]:
    """Return the role of every pod, also of one that is about to go, by its uid."""
    found = api.get(namespaced(namespace, "pods"))["items"]
    return {pod["metadata"]["uid"]: pod["metadata"]["labels"]["role-name"] for pod in found}


def autoscalers(api: Api, request: DeployRequest) -> list[str]:
    """Return the kinds of the autoscalers that there are."""
    kinds = (("podautoscalers", SCALER), ("horizontalpodautoscalers", "apis/autoscaling/v2"))
    found = [api.find(path_of(request, plural, group)) for plural, group in kinds]
    return [name for one, name in zip(found, ("PA", "HPA"), strict=True) if one is not None]


@dataclass(kw_only=True)
class Stored:
    """Every number of replicas that a StormService was stored with while this is entered."""

    api: Api
    request: DeployRequest
    numbers: list[int | None] = field(default_factory=list)
    _followed: Following | None = None

    def __enter__(self) -> Self:
        self._followed = Following(
            api=self.api,
            path=namespaced(self.request.namespace, "stormservices", api=STORM),
            selector={"fieldSelector": f"metadata.name={self.request.runtime_name}"},
            take=lambda _, item: self.numbers.append(item["spec"].get("replicas")),
        )
        self.numbers += [item["spec"].get("replicas") for item in self._followed.begin()]
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._followed:
            self._followed.end()
