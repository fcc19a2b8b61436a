"""Namespaces, Deployments and ReplicaSets: what holds pods, as their controllers report it."""

from providers.workload.objects.meta import Amount, Condition, Item, Part, present


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


class Selector(Part, kw_only=True, frozen=True):
    match_labels: dict[str, str | None] | None = None


class RollingUpdate(Part, kw_only=True, frozen=True):
    """Whole numbers or percentages, kept as the cluster gives them."""

    max_surge: Amount = None
    max_unavailable: Amount = None


class Strategy(Part, kw_only=True, frozen=True):
    type: str | None = None
    rolling_update: RollingUpdate | None = None


class DeploymentSpec(Part, kw_only=True, frozen=True):
    replicas: int | None = None
    paused: bool | None = None
    selector: Selector | None = None
    strategy: Strategy | None = None
    progress_deadline_seconds: int | None = None


class DeploymentStatus(Part, kw_only=True, frozen=True):
    observed_generation: int | None = None
    replicas: int | None = None
    updated_replicas: int | None = None
    ready_replicas: int | None = None
    available_replicas: int | None = None
    unavailable_replicas: int | None = None
    terminating_replicas: int | None = None
    conditions: list[Condition | None] | None = None


class Deployment(Item, kw_only=True, frozen=True):
    spec: DeploymentSpec | None = None
    status: DeploymentStatus | None = None

    @property
    def conditions(self) -> tuple[Condition, ...]:
        return present(self.status.conditions if self.status else None)


class ReplicaSetSpec(Part, kw_only=True, frozen=True):
    replicas: int | None = None


class ReplicaSetStatus(Part, kw_only=True, frozen=True):
    replicas: int | None = None
    ready_replicas: int | None = None
    conditions: list[Condition | None] | None = None


class ReplicaSet(Item, kw_only=True, frozen=True):
    spec: ReplicaSetSpec | None = None
    status: ReplicaSetStatus | None = None

    @property
    def conditions(self) -> tuple[Condition, ...]:
        return present(self.status.conditions if self.status else None)
