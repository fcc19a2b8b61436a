"""Pods: what was asked for, and what the kubelet says of each container now and before."""

from providers.workload.objects.meta import Amount, Condition, Item, Part, condition_of


class ResourceNeeds(Part, kw_only=True, frozen=True):
    requests: dict[str, Amount] | None = None
    limits: dict[str, Amount] | None = None


class Container(Part, kw_only=True, frozen=True):
    """One container of a pod's spec; `restart_policy` Always makes an init container a sidecar."""

    name: str | None = None
    image: str | None = None
    resources: ResourceNeeds | None = None
    restart_policy: str | None = None

    @property
    def requests(self) -> dict[str, Amount]:
        """Return what is asked for; a limit counts where no request stands beside it."""
        if self.resources is None:
            return {}
        return {**(self.resources.limits or {}), **(self.resources.requests or {})}


class SchedulingGate(Part, kw_only=True, frozen=True):
    name: str | None = None


class PodSpec(Part, kw_only=True, frozen=True):
    node_name: str | None = None
    containers: list[Container | None] | None = None
    init_containers: list[Container | None] | None = None
    scheduling_gates: list[SchedulingGate | None] | None = None
    overhead: dict[str, Amount] | None = None


class Waiting(Part, kw_only=True, frozen=True):
    reason: str | None = None
    message: str | None = None


class Running(Part, kw_only=True, frozen=True):
    started_at: str | None = None


class Terminated(Part, kw_only=True, frozen=True):
    reason: str | None = None
    message: str | None = None
    exit_code: int | None = None
    signal: int | None = None
    started_at: str | None = None
    finished_at: str | None = None


class ContainerState(Part, kw_only=True, frozen=True):
    waiting: Waiting | None = None
    running: Running | None = None
    terminated: Terminated | None = None


_NO_STATE = ContainerState()


class ContainerStatus(Part, kw_only=True, frozen=True):
    name: str | None = None
    image: str | None = None
    ready: bool | None = None
    started: bool | None = None
    restart_count: int | None = None
    state: ContainerState | None = None
    last_state: ContainerState | None = None

    @property
    def now(self) -> ContainerState:
        return self.state or _NO_STATE

    @property
    def before(self) -> ContainerState:
        return self.last_state or _NO_STATE


class PodStatus(Part, kw_only=True, frozen=True):
    phase: str | None = None
    reason: str | None = None
    message: str | None = None
    start_time: str | None = None
    conditions: list[Condition | None] | None = None
    container_statuses: list[ContainerStatus | None] | None = None
    init_container_statuses: list[ContainerStatus | None] | None = None


_NO_POD_SPEC = PodSpec()
_NO_POD_STATUS = PodStatus()


class Pod(Item, kw_only=True, frozen=True):
    spec: PodSpec | None = None
    status: PodStatus | None = None

    @property
    def wanted(self) -> PodSpec:
        return self.spec or _NO_POD_SPEC

    @property
    def seen(self) -> PodStatus:
        return self.status or _NO_POD_STATUS

    @property
    def phase(self) -> str:
        return self.seen.phase or ""

    @property
    def node_name(self) -> str:
        return self.wanted.node_name or ""

    @property
    def is_finished(self) -> bool:
        """Tell whether nothing of it runs any more: it holds no accelerators then."""
        return self.phase in {"Succeeded", "Failed"}

    @property
    def is_ready(self) -> bool:
        if self.is_terminating or self.status is None:
            return False
        ready = condition_of(self.status.conditions, "Ready")
        return ready is not None and ready.is_true
