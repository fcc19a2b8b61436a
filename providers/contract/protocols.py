"""What a provider is: the verbs of the contract and the optional protocols beside them.

Every value that crosses is a frozen dataclass, the template schema or a manifest. Verbs that talk
to a cluster take one deadline and give each call what is left of it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol, runtime_checkable

from providers.contract.capacity import Capacity
from providers.contract.changing import Effects, Running
from providers.contract.checks import Check
from providers.contract.manifest import Manifest, ObjectKey
from providers.contract.overrides import Scaling
from providers.contract.pods import PodLine
from providers.contract.request import DeploymentRef, DeployRequest, Provenance, Rollout
from providers.contract.starts import PodStart
from providers.contract.status import Status
from providers.contract.target import ClusterTarget
from providers.contract.template import TemplateSpec


@dataclass(frozen=True, kw_only=True, slots=True)
class Deadline:
    """A moment on the monotonic clock, in seconds, by which a verb must have answered."""

    at: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Capabilities:
    """What pages and API may offer for a kind; nothing else ever tests a kind.

    `rollouts` are the ways in which it can replace pods, whatever `auto` means for it.
    """

    topologies: frozenset[str] = frozenset({"standard"})
    rollouts: frozenset[Rollout] = frozenset(Rollout)
    autoscaling: bool = True
    serving_runtimes: bool = False
    observes: bool = False
    watches: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Endpoint:
    """Where the model answers: inside the cluster, outside if anywhere, else how to forward a port.

    `port` is the Service's, 0 where it was not told.
    """

    url: str = ""
    external_url: str = ""
    port_forward: str = ""
    port: int = 0

    def as_dict(self) -> dict[str, str]:
        """Return the JSON form that records keep and the API answers."""
        return {
            "url": self.url,
            "external_url": self.external_url,
            "port_forward": self.port_forward,
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class Applied:
    """What a create or update left on the cluster; `warnings` are the API server's own."""

    workload_uid: str
    pod_digest: str = ""
    objects: tuple[ObjectKey, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Observation:
    """One deployment as it stands on the cluster now.

    `starts` are first starts of pods of the current revision: those that are on their way, and
    those that ended since the last look, told at least then. `pods` are told by `get` alone.
    """

    status: Status
    endpoint: Endpoint = field(default_factory=Endpoint)
    workload_uid: str = ""
    starts: tuple[PodStart, ...] = ()
    pods: tuple[PodLine, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Remaining:
    """An object that a deletion waits for, with the finalizers that hold it.

    Each with a few words on whose it is or who put it there, empty where nobody can tell.
    """

    object: ObjectKey
    finalizers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class Deletion:
    """How far a deletion is; `gone` only when the cluster has none of the objects."""

    gone: bool
    waiting_for: tuple[Remaining, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class ManagedObject:
    """An object that carries our labels and matches no record that was asked for.

    All but its key and uid is what it says of itself, empty where it does not. `created_at` is by
    the cluster's clock, `digest` that of the body it was written from.
    """

    key: ObjectKey
    uid: str
    deployment_id: str = ""
    is_workload: bool = False
    is_terminating: bool = False
    created_at: datetime | None = None
    display_name: str = ""
    revision: int = 0
    digest: str = ""
    provenance: Provenance | None = None
    rollout: Rollout | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class SharedReads:
    """What one pass reads once for all providers of a door; `payload` is that door's own.

    `unreadable` maps a kind to why it could not be read. `now` is the API server's clock.
    """

    now: datetime
    capacity: Capacity
    unreadable: Mapping[str, str] = field(default_factory=dict)
    payload: object = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Listing:
    """The answer of `list`: observations by deployment id, and managed objects without one.

    `unread` are the kinds of objects of which some may be there that could not be read.
    """

    observations: Mapping[str, Observation]
    unmatched: tuple[ManagedObject, ...] = ()
    unread: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True, slots=True)
class ClusterFacts:
    """What a probe of a cluster tells; `uid` is that of its kube-system namespace or empty."""

    version: str
    uid: str = ""
    kinds: Mapping[str, bool] = field(default_factory=dict)


@runtime_checkable
class ClusterDoor(Protocol):
    """Questions about a cluster itself; providers that go through one door share one object."""

    name: str

    def probe(self, target: ClusterTarget, *, deadline: Deadline) -> ClusterFacts:
        """Ask version, identity and which kinds of implementation are installed.

        Raises Unavailable or Rejected.
        """

    def read_shared(
        self, target: ClusterTarget, *, with_events_of: Sequence[str], deadline: Deadline
    ) -> SharedReads:
        """Read pods, quotas, nodes once for a full pass, and warning events of namespaces."""

    def read_capacity(self, target: ClusterTarget, *, deadline: Deadline) -> Capacity:
        """Count accelerators and quotas only; raises Unavailable when the cluster is silent."""


class Provider(Protocol):
    """One kind of runtime object that can carry a deployment."""

    kind: str
    title: str
    aliases: tuple[str, ...]
    capabilities: Capabilities
    door: ClusterDoor | None

    def name_suffix(self, namespace: str, spec: TemplateSpec) -> int:
        """Return how many characters this kind and its controller may add to a runtime name."""

    def runtime_name(
        self, display_name: str, *, deployment_id: str, namespace: str, spec: TemplateSpec
    ) -> str:
        """Return the name of the runtime objects, legal with everything that `name_suffix` adds.

        Called once per deployment. Raises InvalidRequest at `target.namespace` when too little
        room is left.
        """

    def resolve_rollout(
        self,
        strategy: str,
        spec: TemplateSpec,
        target: ClusterTarget,
        *,
        namespace: str,
        scaling: Scaling,
        capacity: Capacity | None,
    ) -> Rollout:
        """Return what a strategy means here and now: `auto` looks at what is free, others stay.

        What the quotas of the namespace leave bounds what is free. Pure. `capacity` None means that
        nobody has counted yet.
        """

    def endpoint(self, request: DeployRequest, target: ClusterTarget) -> Endpoint:
        """Return where the model will answer, as far as that is known without the cluster: pure."""

    def validate(self, request: DeployRequest, target: ClusterTarget) -> tuple[Check, ...]:
        """Check what needs no cluster; raises InvalidRequest by field, returns warnings."""

    def render(self, request: DeployRequest, target: ClusterTarget) -> tuple[Manifest, ...]:
        """Return the exact objects in the order of apply: pure, the same for the same input."""

    def effects(
        self,
        before: DeployRequest,
        after: DeployRequest,
        target: ClusterTarget,
        *,
        capacity: Capacity | None,
        running: Running,
    ) -> Effects:
        """Return what an update from one request to the other would do to what runs: pure.

        `before` is what was applied last; `capacity` None means that nobody has counted yet.
        """

    def preflight(
        self,
        request: DeployRequest,
        target: ClusterTarget,
        *,
        capacity: Capacity | None,
        deadline: Deadline,
    ) -> tuple[Check, ...]:
        """Ask the cluster whether this can run; raises Unavailable when it does not answer."""

    def create(
        self, request: DeployRequest, target: ClusterTarget, *, deadline: Deadline
    ) -> Applied:
        """Apply everything; twice is the same as once.

        Raises Rejected or InvalidRequest after undoing what this call made (`left_behind` names
        what could not be undone), Unavailable with whatever was made left for the next call.
        """

    def get(self, ref: DeploymentRef, target: ClusterTarget, *, deadline: Deadline) -> Observation:
        """Read one deployment live; raises Unavailable, or Rejected for credentials."""

    def list(
        self,
        target: ClusterTarget,
        refs: Iterable[DeploymentRef],
        shared: SharedReads,
        *,
        deadline: Deadline,
    ) -> Listing:
        """Answer for all deployments of one cluster; calls depend on objects / page size only."""

    def update(
        self,
        request: DeployRequest,
        ref: DeploymentRef,
        target: ClusterTarget,
        *,
        deadline: Deadline,
    ) -> Applied:
        """Bring what runs to the request: idempotent, drops no replica; Rejected if it is gone."""

    def delete(self, ref: DeploymentRef, target: ClusterTarget, *, deadline: Deadline) -> Deletion:
        """Ask for deletion and say whether all is gone; deleting what is gone succeeds."""


@runtime_checkable
class Reclaims(Protocol):
    """What a provider may offer for managed objects that no record owns."""

    def remove(
        self, objects: Sequence[ManagedObject], target: ClusterTarget, *, deadline: Deadline
    ) -> Deletion:
        """Delete exactly these objects, by their uids, and say which of them are still there."""

    def differences(
        self, manifests: Sequence[Manifest], objects: Sequence[ManagedObject]
    ) -> tuple[str, ...]:
        """Name what was not written from these very manifests, is missing or too many: pure."""
