"""StormServices, RoleSets, PodSets and PodAutoscalers, as AIBrix's controllers report them.

Every number of a status is left out where it is 0; numbers of the spec have no default.
"""

from collections.abc import Mapping
from typing import ClassVar

from providers.carrying.outside import OwnedMeta
from providers.stormservice.render import LABEL_POD_DIGEST
from providers.workload.objects import (
    AutoscalerSpec,
    AutoscalerStatus,
    Condition,
    Item,
    Labels,
    Layer,
    Part,
    present,
)

LABEL_NAME = "storm-service-name"
LABEL_REVISION = "storm-service-revision"
LABEL_ROLE_SET = "roleset-name"
LABEL_POD_SET = "stormservice.orchestration.aibrix.ai/podset-name"


class Metadata(Part, kw_only=True, frozen=True):
    labels: dict[str, str | None] | None = None


class PodTemplate(Part, kw_only=True, frozen=True):
    metadata: Metadata | None = None


def labels_in(template: PodTemplate | None) -> Mapping[str, str | None]:
    """Return the labels that pods get from a template."""
    metadata = template.metadata if template else None
    return (metadata.labels if metadata else None) or {}


class Role(Part, kw_only=True, frozen=True):
    name: str | None = None
    replicas: int | None = None
    pod_group_size: int | None = None
    template: PodTemplate | None = None

    @property
    def nodes(self) -> int:
        return max(1, self.pod_group_size or 1)

    @property
    def pods(self) -> int:
        """Return how many pods it has in a replica; no number is taken for none."""
        return max(0, self.replicas or 0) * self.nodes

    @property
    def digest(self) -> str:
        """Return the digest that we gave its pods, empty for a template that is not ours."""
        return labels_in(self.template).get(LABEL_POD_DIGEST) or ""


class RoleSetSpec(Part, kw_only=True, frozen=True):
    roles: list[Role | None] | None = None


class RoleSetTemplate(Part, kw_only=True, frozen=True):
    spec: RoleSetSpec | None = None


class UpdateStrategy(Part, kw_only=True, frozen=True):
    type: str | None = None
    max_surge: int | str | None = None

    @property
    def surges(self) -> bool:
        """Tell whether a new replica may come before an old one goes."""
        return self.type != "InPlaceUpdate" and self.max_surge not in {None, 0, "0", "0%"}


class StormServiceSpec(Part, kw_only=True, frozen=True):
    replicas: int | None = None
    paused: bool | None = None
    update_strategy: UpdateStrategy | None = None
    template: RoleSetTemplate | None = None


class StormServiceStatus(Part, kw_only=True, frozen=True):
    observed_generation: int | None = None
    replicas: int | None = None
    ready_replicas: int | None = None
    updated_ready_replicas: int | None = None
    update_revision: str | None = None
    conditions: list[Condition | None] | None = None


class StormService(Layer, kw_only=True, frozen=True):
    metadata: OwnedMeta | None = None
    spec: StormServiceSpec | None = None
    status: StormServiceStatus | None = None

    @property
    def roles(self) -> tuple[Role, ...]:
        template = self.spec.template if self.spec else None
        spec = template.spec if template else None
        return present(spec.roles if spec else None)

    @property
    def conditions(self) -> tuple[Condition, ...]:
        return present(self.status.conditions if self.status else None)

    @property
    def update_revision(self) -> str:
        return (self.status.update_revision if self.status else None) or ""


class RoleStatus(Part, kw_only=True, frozen=True):
    name: str | None = None
    replicas: int | None = None
    ready_replicas: int | None = None


class RoleSetStatus(Part, kw_only=True, frozen=True):
    conditions: list[Condition | None] | None = None
    roles: list[RoleStatus | None] | None = None


class RoleSet(Layer, kw_only=True, frozen=True):
    kept_labels: ClassVar[tuple[str, ...]] = (LABEL_REVISION,)

    spec: RoleSetSpec | None = None
    status: RoleSetStatus | None = None

    @property
    def conditions(self) -> tuple[Condition, ...]:
        return present(self.status.conditions if self.status else None)

    @property
    def roles(self) -> tuple[Role, ...]:
        return present(self.spec.roles if self.spec else None)

    @property
    def revision(self) -> str:
        return self.labels.get(LABEL_REVISION) or ""


class PodSetStatus(Part, kw_only=True, frozen=True):
    phase: str | None = None
    ready_pods: int | None = None
    total_pods: int | None = None


class PodSetSpec(Part, kw_only=True, frozen=True):
    pod_group_size: int | None = None
    template: PodTemplate | None = None


class PodSet(Layer, kw_only=True, frozen=True):
    """The pods of one replica of a role; it has no labels of ours, so those of its pods are its."""

    kept_labels: ClassVar[tuple[str, ...]] = (LABEL_POD_DIGEST,)

    spec: PodSetSpec | None = None
    status: PodSetStatus | None = None

    @property
    def labels(self) -> Labels:
        template = self.spec.template if self.spec else None
        return {**labels_in(template), **(self.meta.labels or {})}

    @property
    def size(self) -> int:
        return max(1, (self.spec.pod_group_size if self.spec else None) or 1)

    @property
    def ready(self) -> int:
        return (self.status.ready_pods if self.status else None) or 0

    @property
    def made(self) -> int:
        return (self.status.total_pods if self.status else None) or 0


class PodAutoscalerSpec(AutoscalerSpec, kw_only=True, frozen=True):
    scaling_strategy: str | None = None


class PodAutoscaler(Item, kw_only=True, frozen=True):
    spec: PodAutoscalerSpec | None = None
    status: AutoscalerStatus | None = None
