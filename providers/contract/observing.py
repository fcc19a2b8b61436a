"""What can be looked at of one deployment: its objects, their events, its logs, its load.

The optional protocol `Observes`, told by `Capabilities.observes`. Whatever could not be read is
told beside what could: one forbidden kind, one dead pod or a missing metrics server hides nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol, runtime_checkable

from providers.contract.manifest import ObjectKey
from providers.contract.protocols import Deadline
from providers.contract.request import DeploymentRef
from providers.contract.target import ClusterTarget
from providers.contract.template import Engine


@dataclass(frozen=True, kw_only=True, slots=True)
class ContainerState:
    """One container of a pod; `tone` is one of those of the phases, `state` a word or two.

    `has_started` tells whether there is a log to read, `has_previous` whether an earlier run left
    one. `restarts` counts the earlier runs; `last` says how the last of them ended, at `last_at`.
    """

    name: str
    image: str
    state: str
    tone: str
    message: str = ""
    is_init: bool = False
    ready: bool = False
    restarts: int = 0
    started_at: datetime | None = None
    has_started: bool = False
    has_previous: bool = False
    last: str = ""
    last_at: datetime | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ObjectState:
    """One object with its own state in words; `below` is the object it belongs to, if any.

    One that should be there and is not has its place too, without a `uid`. `facts` are short pairs
    that a reader compares: replicas wanted and ready, node, address.
    `current` is False for what an earlier revision left.
    """

    key: ObjectKey
    state: str
    tone: str
    message: str = ""
    uid: str = ""
    created_at: datetime | None = None
    below: ObjectKey | None = None
    current: bool = True
    facts: Mapping[str, str] = field(default_factory=dict)
    containers: tuple[ContainerState, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Resources:
    """All objects of a deployment, each right before what it owns; `now` is the API server's clock.

    `unreadable` maps a kind to why it could not be read.
    """

    objects: tuple[ObjectState, ...]
    now: datetime
    unreadable: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class EventLine:
    """One thing that was said about an object, repeats folded: `count` times up to `at`.

    `object` is written as ObjectKeys are: `Pod qwen-1a2b3c4d-x7k2p`; `source` is who said it.
    """

    at: datetime | None
    first_at: datetime | None
    count: int
    is_warning: bool
    reason: str
    message: str
    object: str
    source: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Events:
    """Events of all objects of a deployment, newest first; `cut` when there were too many.

    Those of objects that are gone are among them for as long as the cluster keeps them.
    """

    lines: tuple[EventLine, ...]
    now: datetime
    cut: bool = False
    unreadable: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class LogQuery:
    """Which log: empty `pod` and `container` mean the one a reader most likely wants.

    `tail_lines` and `limit_bytes` bound the answer. `since` leaves out what is older; of the lines
    stamped with that very moment, `known` are left out too, as their reader has them.
    """

    pod: str = ""
    container: str = ""
    previous: bool = False
    tail_lines: int = 500
    since: datetime | None = None
    known: int = 0
    limit_bytes: int = 1024 * 1024


@dataclass(frozen=True, kw_only=True, slots=True)
class LogLine:
    """One line as the runtime stamped it; `at` None where it bears no time that can be read."""

    at: datetime | None
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class LogSource:
    """One container that may have a log; `current` tells that its pod is of the current revision.

    `has_started` tells whether there is a log, `has_previous` whether an earlier run left one too.
    """

    pod: str
    container: str
    is_init: bool = False
    current: bool = True
    is_failing: bool = False
    has_started: bool = False
    has_previous: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Log:
    """What a container wrote, any bytes decoded with replacement, oldest line first.

    `note` says in one sentence why there is nothing to read: not started, gone, node silent. With
    `is_absent` the deployment has no such pod or container. `cut` tells that older lines were left
    out. `pod` and `container` are those that were chosen, out of `sources`: the likeliest first.
    """

    pod: str
    container: str
    previous: bool = False
    lines: tuple[LogLine, ...] = ()
    note: str = ""
    is_absent: bool = False
    cut: bool = False
    sources: tuple[LogSource, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class PodUse:
    """What a pod uses now by metrics.k8s.io: cores and bytes."""

    pod: str
    cpu_cores: float
    memory_bytes: int


@dataclass(frozen=True, kw_only=True, slots=True)
class EngineReading:
    """What the engine in one pod tells of itself; `trouble` says why it told nothing.

    `values` bear the names of `MetricNames`: gauges and counters as they stand, of a histogram its
    sum and its count as `ttft_sum` and `ttft_count`, in seconds.
    """

    pod: str
    values: Mapping[str, float] = field(default_factory=dict)
    trouble: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Metrics:
    """One reading of everything that can be measured now; each trouble is one sentence."""

    at: datetime
    use: tuple[PodUse, ...] = ()
    use_trouble: str = ""
    engine: tuple[EngineReading, ...] = ()
    engine_trouble: str = ""


@runtime_checkable
class Observes(Protocol):
    """A provider whose deployments can be looked into; every verb raises Unavailable or Rejected
    only when nothing at all could be read.
    """

    def resources(
        self, ref: DeploymentRef, target: ClusterTarget, *, deadline: Deadline
    ) -> Resources:
        """Return every object of a deployment with its own state in words."""

    def events(self, ref: DeploymentRef, target: ClusterTarget, *, deadline: Deadline) -> Events:
        """Return what the cluster said about those objects."""

    def logs(
        self, ref: DeploymentRef, target: ClusterTarget, query: LogQuery, *, deadline: Deadline
    ) -> Log:
        """Return the end of one container's log; a pod of another deployment does not exist."""

    def metrics(
        self, ref: DeploymentRef, target: ClusterTarget, engine: Engine, *, deadline: Deadline
    ) -> Metrics:
        """Return what pods use and what their engines tell, as of now."""
