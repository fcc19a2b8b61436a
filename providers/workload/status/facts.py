"""The bundle, counted once: which pods are current, how many are ready, how old things are.

Every rule reads these facts and nothing else. Lists are put in a fixed order here, so that the
order in which a cluster answers never shows. Ages are clamped at 0: clocks differ.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from providers.contract.request import DeploymentRef
from providers.contract.status import Phase
from providers.workload.bundle import Bundle, Mark, Workload
from providers.workload.objects import (
    ContainerStatus,
    Event,
    Pod,
    condition_of,
    moment,
    present,
)
from providers.workload.status.hits import Hit
from providers.workload.status.replicas import serving_replicas, size_of, whole_replicas

# What a pull may take beyond the startup budget before nothing moves any more.
PULL_ALLOWANCE_SECONDS = 600
# A finished pod or an old fault stops to matter after this long.
HEALED_AFTER_SECONDS = 600


@dataclass(frozen=True, kw_only=True, slots=True)
class Seat:
    """One container of a pod, with what the kubelet says of it."""

    pod: Pod
    status: ContainerStatus
    is_init: bool

    @property
    def name(self) -> str:
        return self.status.name or "?"

    @property
    def where(self) -> str:
        return f"Pod {self.pod.name}"

    @property
    def title(self) -> str:
        return f"{'init container' if self.is_init else 'container'} {self.name}"

    @property
    def waits_for(self) -> str:
        """Return why it waits, empty where it does not."""
        waiting = self.status.now.waiting
        return (waiting.reason or "") if waiting else ""

    @property
    def is_well(self) -> bool:
        """Tell whether it is as it should be: ready, or an init container that is done."""
        ended = self.status.now.terminated
        return self.status.ready is True or (
            self.is_init and ended is not None and ended.exit_code == 0
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Facts:
    """What the rules read.

    `current` are live pods of the current revision, `old` those of any other; `leaving` terminate
    still; `finished` ended by themselves and hold nothing. `seats` are the containers of current
    pods, but for those that are ready since they began, of which there is nothing to tell. `events`
    stand oldest first. `desired` counts pods; `ready` are current pods, `serving` all that answer.
    Where several pods make up a replica, those counts that are named so are of whole ones.
    `is_full`: every wanted replica of the current revision is ready. `is_behind`: the workload
    counts fewer updated replicas than wanted, as where it is newer than the list of ReplicaSets.
    """

    bundle: Bundle
    known: DeploymentRef
    now: datetime
    desired: int
    current: tuple[Pod, ...]
    old: tuple[Pod, ...]
    leaving: tuple[Pod, ...]
    finished: tuple[Pod, ...]
    seats: tuple[Seat, ...]
    events: tuple[Event, ...]
    ready: int
    serving: int
    desired_replicas: int
    ready_replicas: int
    serving_replicas: int
    is_full: bool
    is_behind: bool

    @property
    def workload(self) -> Workload | None:
        return self.bundle.workload

    @property
    def workload_name(self) -> str:
        workload = self.bundle.workload
        return workload.name if workload and workload.name else self.known.runtime_name

    @property
    def where(self) -> str:
        """Return the workload as evidence names it."""
        return f"{self.bundle.workload_kind} {self.workload_name}"

    @property
    def scaled(self) -> tuple[str, str]:
        """Return kind and name of what autoscalers point at."""
        return self.bundle.scaled or (self.bundle.workload_kind, self.workload_name)

    @property
    def old_serving(self) -> int:
        """Return the replicas of other revisions that answer."""
        return self.serving_replicas - self.ready_replicas

    @property
    def is_watched(self) -> bool:
        """Tell whether there is a workload and its pods can be counted."""
        return self.bundle.workload is not None and self.sees_pods

    @property
    def sees_pods(self) -> bool:
        """Tell whether pods could be read; a single bad one among them does not hide the rest."""
        return bool(self.bundle.pods) or self.bundle.knows("Pod")

    @property
    def is_settled(self) -> bool:
        """Tell whether every pod is one that is wanted, and ready."""
        return self.is_full and self.desired == len(self.current) == len(self.bundle.pods)

    @property
    def was_full(self) -> bool:
        """Tell whether this revision was whole before; beside live old pods it was not yet."""
        return self.known.once_full and not self.old

    @property
    def deadline_seconds(self) -> int:
        return self.known.startup_budget_seconds + PULL_ALLOWANCE_SECONDS

    @property
    def begun_at(self) -> datetime | None:
        """Return when the current change was begun, as well as that is known."""
        workload = self.bundle.workload
        created = workload.created_at if workload else None
        return self.known.last_apply.at or created

    @property
    def moved_at(self) -> datetime | None:
        """Return when anything last moved: the change itself, or one that others began since."""
        mark = self.bundle.current
        sets = [item for item in self.bundle.replica_sets if mark and mark.is_on(item)]
        made = [moment(item.meta.creation_timestamp) for item in (*sets, *self.current)]
        return max(present((self.begun_at, *made)), default=None)

    def age(self, at: datetime | None) -> float | None:
        """Return seconds since then, never below 0; None for an unknown time."""
        return None if at is None else max(0.0, (self.now - at).total_seconds())

    def is_older(self, at: datetime | None, seconds: float) -> bool:
        """Tell whether something is older than that; an unknown time counts as long ago."""
        age = self.age(at)
        return age is None or age > seconds

    def fault(self, row: int, reason: str, message: str, where: str = "") -> Hit:
        """Return a hit that is Degraded while anything serves, else Failed."""
        phase = Phase.DEGRADED if self.serving else Phase.FAILED
        return Hit(row=row, phase=phase, reason=reason, message=message, object=where)

    def events_of(self, pod: Pod) -> Iterator[Event]:
        """Yield what was told about a pod, oldest first."""
        return (event for event in self.events if _is_about(event, pod))

    def hears_all_of(self, pod: Pod) -> bool:
        """Tell whether normal events of a pod were read too: a pass reads warnings only."""
        return any(event.type == "Normal" for event in self.events_of(pod))

    def remembers(self, reason: str, where: str) -> bool:
        """Tell whether the last verdict named this for the same object: events are forgotten."""
        last = self.known.last_status
        return last is not None and any(
            item.reason == reason and item.object == where for item in last.evidence
        )


def _is_about(event: Event, pod: Pod) -> bool:
    about = event.about
    if about.uid and pod.uid:
        return about.uid == pod.uid
    return about.kind == "Pod" and about.name == pod.name


def created_at(pod: Pod) -> datetime | None:
    return moment(pod.meta.creation_timestamp)


def scheduled_at(pod: Pod) -> datetime | None:
    """Return when a pod got its node, else when it was made."""
    condition = condition_of(pod.seen.conditions, "PodScheduled")
    if condition is not None and condition.is_true:
        at = moment(condition.last_transition_time)
        if at is not None:
            return at
    return moment(pod.seen.start_time) or created_at(pod)


def gather_facts(bundle: Bundle, known: DeploymentRef, now: datetime) -> Facts:
    """Sort and count a bundle."""
    current: list[Pod] = []
    old: list[Pod] = []
    leaving: list[Pod] = []
    finished: list[Pod] = []
    for pod in sorted(bundle.pods, key=_pod_key):
        if pod.is_finished:
            finished.append(pod)
        elif pod.is_terminating:
            leaving.append(pod)
        else:
            (current if _is_current(bundle.current, pod) else old).append(pod)
    group = bundle.workload.group if bundle.workload else None
    ready = [pod for pod in current if pod.is_ready]
    serving = [*ready, *(pod for pod in old if pod.is_ready)]
    ready_whole = whole_replicas(group, ready)
    whole = serving_replicas(group, serving) if old else ready_whole
    replicas = _desired(bundle.workload, known)
    is_behind = _is_behind(bundle.workload, replicas)
    is_full = 0 < replicas <= ready_whole and _is_counted(bundle) and not is_behind
    return Facts(
        bundle=bundle,
        known=known,
        now=now,
        desired=replicas * size_of(bundle.workload),
        current=tuple(current),
        old=tuple(old),
        leaving=tuple(leaving),
        finished=tuple(finished),
        seats=tuple(seat for pod in current for seat in _seats(pod)),
        events=tuple(sorted(bundle.events, key=_event_key)),
        ready=len(ready),
        serving=whole * group.size if group and group.together else len(serving),
        desired_replicas=replicas,
        ready_replicas=ready_whole,
        serving_replicas=whole,
        is_full=is_full,
        is_behind=is_behind,
    )


def _is_counted(bundle: Bundle) -> bool:
    """Tell whether the workload has been acted on, and its pods were read."""
    workload = bundle.workload
    sees_pods = bool(bundle.pods) or bundle.knows("Pod")
    return workload is not None and workload.observed and sees_pods


def _is_behind(workload: Workload | None, replicas: int) -> bool:
    updated = workload.updated if workload else None
    return updated is not None and updated < replicas


def _is_current(mark: Mark | None, pod: Pod) -> bool:
    return mark is not None and mark.is_on(pod)


def _desired(workload: Workload | None, known: DeploymentRef) -> int:
    if workload is not None and workload.desired is not None:
        return max(0, workload.desired)  # some kinds keep any number that somebody writes
    return known.scaling.min_replicas


def _seats(pod: Pod) -> Iterator[Seat]:
    for status in pod.seen.init_container_statuses or ():
        if status is not None and _has_a_story(status):
            yield Seat(pod=pod, status=status, is_init=True)
    for status in pod.seen.container_statuses or ():
        if status is not None and _has_a_story(status):
            yield Seat(pod=pod, status=status, is_init=False)


def _has_a_story(status: ContainerStatus) -> bool:
    """Tell whether a container is anything but ready since it began: most are just that."""
    now, before = status.now, status.before
    return status.ready is not True or bool(
        status.restart_count or now.waiting or now.terminated or before.waiting or before.terminated
    )


def _pod_key(pod: Pod) -> tuple[str, str, str]:
    return pod.meta.creation_timestamp or "", pod.name, pod.uid


def _event_key(event: Event) -> tuple[float, str, str, str]:
    at = event.at
    about = event.about.name or ""
    return at.timestamp() if at else 0.0, about, event.reason or "", event.message or ""
