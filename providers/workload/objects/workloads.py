"""Namespaces, Deployments and ReplicaSets: what holds pods, as their controllers report it."""

from typing import ClassVar

from providers.workload.objects.meta import Condition, Item, Layer, Part, present

POD_TEMPLATE_HASH = "pod-template-hash"
REVISION_ANNOTATION = "deployment.kubernetes.io/revision"


class NamespaceStatus(Part, kw_only=True, frozen=True):
    phase: str | None = None
    conditions: list[Condition | None] | None = None


class Namespace(Item, kw_only=True, frozen=True):
    status: NamespaceStatus | None = None

    @property
    def conditions(self) -> tuple[Condition, ...]:
        return present(self.status.conditions if self.status else None)

    @property
    def is_ending(self) -> bool:
        phase = self.status.phase if self.status else None
        return self.is_terminating or phase == "Terminating"


class RollingUpdate(Part, kw_only=True, frozen=True):
    max_surge: int | str | None = None


class Strategy(Part, kw_only=True, frozen=True):
    type: str | None = None
    rolling_update: RollingUpdate | None = None

    @property
    def surges(self) -> bool:
        """Tell whether a new pod may come before an old one goes: so it is unless told."""
        surge = self.rolling_update.max_surge if self.rolling_update else None
        return self.type != "Recreate" and surge not in {0, "0", "0%"}


class DeploymentSpec(Part, kw_only=True, frozen=True):
    replicas: int | None = None
    paused: bool | None = None
    strategy: Strategy | None = None


class DeploymentStatus(Part, kw_only=True, frozen=True):
    observed_generation: int | None = None
    replicas: int | None = None
    updated_replicas: int | None = None
    conditions: list[Condition | None] | None = None


class Deployment(Layer, kw_only=True, frozen=True):
    kept_annotations: ClassVar[tuple[str, ...]] = (REVISION_ANNOTATION,)

    spec: DeploymentSpec | None = None
    status: DeploymentStatus | None = None

    @property
    def conditions(self) -> tuple[Condition, ...]:
        return present(self.status.conditions if self.status else None)


class ReplicaSetStatus(Part, kw_only=True, frozen=True):
    conditions: list[Condition | None] | None = None


class ReplicaSet(Layer, kw_only=True, frozen=True):
    kept_labels: ClassVar[tuple[str, ...]] = (POD_TEMPLATE_HASH,)
    kept_annotations: ClassVar[tuple[str, ...]] = (REVISION_ANNOTATION,)

    status: ReplicaSetStatus | None = None

    @property
    def conditions(self) -> tuple[Condition, ...]:
        return present(self.status.conditions if self.status else None)
