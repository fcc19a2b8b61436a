"""Everything that was seen of one deployment, in one value: what the status rules judge.

A provider says here what its runtime object means in common words (wanted, observed, paused) and
which pods are of the current revision, so that the rules know no kind. Nothing here fetches.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from providers.engines.log_causes import LogCause
from providers.workload.objects import (
    POD_TEMPLATE_HASH,
    REVISION_ANNOTATION,
    Deployment,
    DeploymentSpec,
    DeploymentStatus,
    EndpointSlice,
    Event,
    HorizontalPodAutoscaler,
    Item,
    Namespace,
    Node,
    Pod,
    ReplicaSet,
    ResourceQuota,
    Service,
    condition_of,
    moment,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Trouble:
    """Something that a provider knows already: `code` is a reason of the status table."""

    code: str
    message: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Mark:
    """The label and value by which pods of the current revision are known.

    `others` are the values of further roles, whose pods are not made from the same template.
    """

    label: str
    value: str
    others: frozenset[str] = frozenset()

    def is_on(self, item: Item) -> bool:
        text = item.labels.get(self.label)
        return text == self.value or (text is not None and text in self.others)


@dataclass(frozen=True, kw_only=True, slots=True)
class Group:
    """The pods that make up one replica, which share the value of `label`.

    `roles`: how many it takes of each value of `role_label`, which is empty for a pod without it;
    `otherwise`: the same of replicas that may still be made up in another way, by their `label`.
    `together`: they answer as one, so that those that are left of a group answer nothing.
    """

    label: str
    role_label: str
    roles: Mapping[str, int]
    otherwise: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    together: bool = True

    @property
    def size(self) -> int:
        return sum(self.roles.values())


@dataclass(frozen=True, kw_only=True, slots=True)
class Workload:
    """The object that carries a deployment; None stands for what it does not say.

    `observed`: its controller has acted on the latest change. `surges`: a new pod may come before
    an old one goes. `refused`: why it cannot make what it should, in the cluster's words.
    `timed_out`: its words when it gave up on the observed change. `silence`: what may be why it has
    not acted on the latest change, where its provider knows more than that. `group`: how several
    pods make up a replica; `desired`, `replicas` and `updated` count replicas.
    """

    kind: str
    name: str
    uid: str = ""
    created_at: datetime | None = None
    is_terminating: bool = False
    observed: bool = True
    desired: int | None = None
    replicas: int | None = None
    updated: int | None = None
    paused: bool = False
    surges: bool = True
    refused: str = ""
    timed_out: str = ""
    silence: str = ""
    group: Group | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Bundle:
    """One deployment as it stands on the cluster.

    `workload_kind` names the kind even when the object is gone; `workload_item` is the workload as
    it was read. `scaled` is kind and name of what autoscalers point at, where that is not the
    workload itself. `current` marks pods of the current revision; None: there are none yet.
    `unreadable` maps a kind (`Pod`, `Node`) to why it could not be read; `unread` names kinds that
    nobody asked for. `services`, `endpoint_slices` are ours alone; `autoscalers` all that point at
    the workload, whoever made them. `trouble` is why the cluster as a whole tells nothing (row 1),
    `refusal` what stands in the provider's own way (row 6), `changed_outside` the paths that
    somebody else changed. `log_causes` has the pods whose logs were read, each with what that told,
    None for nothing.
    """

    workload_kind: str = "Deployment"
    scaled: tuple[str, str] | None = None
    namespace: Namespace | None = None
    workload: Workload | None = None
    workload_item: Item | None = None
    current: Mark | None = None
    replica_sets: tuple[ReplicaSet, ...] = ()
    pods: tuple[Pod, ...] = ()
    events: tuple[Event, ...] = ()
    services: tuple[Service, ...] = ()
    endpoint_slices: tuple[EndpointSlice, ...] = ()
    autoscalers: tuple[HorizontalPodAutoscaler, ...] = ()
    quotas: tuple[ResourceQuota, ...] = ()
    nodes: tuple[Node, ...] = ()
    unreadable: Mapping[str, str] = field(default_factory=dict)
    unread: frozenset[str] = frozenset()
    trouble: Trouble | None = None
    refusal: Trouble | None = None
    changed_outside: tuple[str, ...] = ()
    log_causes: Mapping[str, LogCause | None] = field(default_factory=dict)

    def knows(self, kind: str) -> bool:
        """Tell whether objects of a kind were read, so that a missing one is really missing."""
        return kind not in self.unreadable and kind not in self.unread


def workload_of(deployment: Deployment) -> Workload:
    """Return a Deployment in common words."""
    spec = deployment.spec or DeploymentSpec()
    status = deployment.status or DeploymentStatus()
    observed = (status.observed_generation or 0) >= (deployment.meta.generation or 0)
    return Workload(
        kind="Deployment",
        name=deployment.name,
        uid=deployment.uid,
        created_at=moment(deployment.meta.creation_timestamp),
        is_terminating=deployment.is_terminating,
        observed=observed,
        desired=spec.replicas,
        replicas=None if deployment.status is None else status.replicas or 0,
        updated=_updated(status),
        paused=bool(spec.paused),
        surges=spec.strategy is None or spec.strategy.surges,
        refused=_refusal_of(deployment),
        timed_out=_timeout_of(deployment) if observed else "",
    )


def _updated(status: DeploymentStatus) -> int | None:
    """Return the replicas of the latest template; the API server leaves a 0 out."""
    said = status.updated_replicas is not None or status.replicas is not None
    return (status.updated_replicas or 0) if said else None


def _refusal_of(deployment: Deployment) -> str:
    failure = condition_of(deployment.conditions, "ReplicaFailure")
    return (failure.message or failure.reason or "") if failure and failure.is_true else ""


def _timeout_of(deployment: Deployment) -> str:
    progress = condition_of(deployment.conditions, "Progressing")
    if progress is None or progress.reason != "ProgressDeadlineExceeded":
        return ""
    return progress.message or progress.reason


def mark_newest(replica_sets: tuple[ReplicaSet, ...], pods: tuple[Pod, ...]) -> Mark | None:
    """Return the pod-template-hash of the newest ReplicaSet.

    Newest is the highest revision annotation, since a rollback takes an old ReplicaSet up again.
    Where no ReplicaSet is known, the newest pod speaks for it.
    """
    sources = replica_sets or pods
    hashed = [item for item in sources if item.labels.get(POD_TEMPLATE_HASH)]
    newest = max(hashed, key=_age_key, default=None)
    if newest is None:
        return None
    return Mark(label=POD_TEMPLATE_HASH, value=newest.labels.get(POD_TEMPLATE_HASH) or "")


def _age_key(item: ReplicaSet | Pod) -> tuple[int, str, str]:
    revision = item.annotations.get(REVISION_ANNOTATION) or ""
    number = int(revision) if revision.isascii() and revision.isdigit() else 0
    return number, item.meta.creation_timestamp or "", item.name
