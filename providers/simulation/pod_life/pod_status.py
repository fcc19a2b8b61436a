"""A pod's whole status and its events at one moment: init containers in turn, then all the others
at once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from providers.contract.manifest import Manifest
from providers.simulation.pod_life.conditions import (
    Condition,
    Readiness,
    ended_conditions,
    live_conditions,
    timestamp,
    write_conditions,
)
from providers.simulation.pod_life.containers import Scribe
from providers.simulation.pod_life.eviction import evicted_frame, eviction_message, eviction_time
from providers.simulation.pod_life.moments import (
    Frame,
    Happening,
    Moment,
    Played,
    State,
    fold,
    play,
    shift,
)
from providers.simulation.pod_life.pace import Pace
from providers.simulation.pod_life.references import Problems
from providers.simulation.pod_life.subject import Subject
from providers.simulation.pod_life.timeline import container_timeline, misconfigured_timeline
from providers.simulation.simulate import Simulation

NOTHING_MISSING = Problems(by_container={}, volumes=())


@dataclass(frozen=True, kw_only=True, slots=True)
class World:
    """What surrounds a pod: addresses, when its life began, simulations, what is missing.

    `told` is what truly happened so far to containers that are no simulations, by their names.
    """

    host_ip: str
    pod_ip: str
    started_at: datetime
    epoch: datetime
    simulations: Mapping[str, Simulation]
    problems: Problems = NOTHING_MISSING
    pace: Pace = field(default_factory=Pace)
    told: Mapping[str, Sequence[Moment]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class PodMoment:
    """What to write now, and the seconds after the epoch at which something changes next."""

    status: Manifest
    happenings: tuple[Happening, ...]
    next_at: float | None


@dataclass(frozen=True, kw_only=True, slots=True)
class _Cast:
    """All containers of a pod, played up to now; not `mounted`, it has no sandbox yet."""

    inits: Sequence[tuple[Manifest, Played]]
    apps: Sequence[tuple[Manifest, Played]]
    apps_began: float | None
    mounted: bool = True

    @property
    def next_at(self) -> float | None:
        times = [
            played.next_at for _, played in (*self.inits, *self.apps) if played.next_at is not None
        ]
        return min(times, default=None)

    @property
    def happenings(self) -> tuple[Happening, ...]:
        told = [
            happening for _, played in (*self.inits, *self.apps) for happening in played.happenings
        ]
        return tuple(sorted(told, key=lambda happening: happening.at))


def pod_moment(pod: Manifest, *, world: World, now: datetime) -> PodMoment:
    """Return how the pod stands at `now`."""
    elapsed = (now - world.epoch).total_seconds()
    if world.problems.volumes:
        return _unmounted(pod, world, now)
    cast = _play_all(pod, world, elapsed)
    evicted_at = eviction_time(cast.apps_began, world.simulations, world.pace)
    if evicted_at is not None and elapsed >= evicted_at:
        return _evicted(pod, world, cast, evicted_at)
    times = [at for at in (cast.next_at, evicted_at) if at is not None]
    status = _status(pod, world, cast, _phase(pod, cast), now)
    return PodMoment(status=status, happenings=cast.happenings, next_at=min(times, default=None))


def _play_all(pod: Manifest, world: World, elapsed: float) -> _Cast:
    began: float | None = 0.0
    inits = []
    for container in pod["spec"].get("initContainers") or []:
        played = _play(
            pod, world, container, began, elapsed, init=container.get("restartPolicy") != "Always"
        )
        inits.append((container, played))
        began = _handover(container, played.frame, began)
    apps = [
        (container, _play(pod, world, container, began, elapsed))
        for container in pod["spec"]["containers"]
    ]
    return _Cast(inits=inits, apps=apps, apps_began=began)


def _handover(container: Manifest, frame: Frame, began: float | None) -> float | None:
    """Return when the next container may begin, None while this one holds it up."""
    if began is None:
        return None
    if container.get("restartPolicy") == "Always":
        return frame.at if frame.started else None
    done = frame.state is State.TERMINATED and frame.exit_code == 0
    return frame.at if done else None


def _play(
    pod: Manifest,
    world: World,
    container: Manifest,
    began: float | None,
    elapsed: float,
    *,
    init: bool = False,
) -> Played:
    waiting = Frame(at=0.0, state=State.WAITING, reason="PodInitializing")
    if began is None:
        return Played(frame=waiting, happenings=(), next_at=None)
    if container["name"] in world.told:
        return play(world.told[container["name"]], elapsed=elapsed)
    subject = _subject(pod, world, container, init=init)
    problem = world.problems.by_container.get(subject.name)
    timeline = (
        misconfigured_timeline(subject, problem)
        if problem
        else container_timeline(subject, world.simulations[subject.name])
    )
    return play(shift(timeline, seconds=began), elapsed=elapsed)


def _subject(pod: Manifest, world: World, container: Manifest, *, init: bool) -> Subject:
    metadata = pod["metadata"]
    return Subject(
        container=container,
        pod_title=f"{metadata['name']}_{metadata['namespace']}({metadata['uid']})",
        pod_ip=world.pod_ip,
        pace=world.pace,
        init=init,
        restart_policy=pod["spec"].get("restartPolicy") or "Always",
    )


def _phase(pod: Manifest, cast: _Cast) -> str:
    frames = [played.frame for _, played in cast.apps]
    failed_init = any(_ended_badly(pod, played.frame) for _, played in cast.inits)
    if failed_init or (frames and all(_ended(pod, frame) for frame in frames)):
        return "Failed" if failed_init or any(frame.exit_code for frame in frames) else "Succeeded"
    if cast.apps_began is None or any(
        frame.state is State.WAITING and frame.last is None for frame in frames
    ):
        return "Pending"
    return "Running"


def _ended(pod: Manifest, frame: Frame) -> bool:
    policy = pod["spec"].get("restartPolicy")
    return frame.state is State.TERMINATED and (
        policy == "Never" or (policy == "OnFailure" and frame.exit_code == 0)
    )


def _ended_badly(pod: Manifest, frame: Frame) -> bool:
    return _ended(pod, frame) and frame.exit_code != 0


def _status(pod: Manifest, world: World, cast: _Cast, phase: str, now: datetime) -> Manifest:
    scribe = Scribe(pod_uid=pod["metadata"]["uid"], epoch=world.epoch)
    status = _frame_of_status(pod, world, phase) | {
        "conditions": write_conditions(_conditions(cast, phase), pod=pod, now=now),
        "containerStatuses": [
            scribe.container_status(container, played.frame) for container, played in cast.apps
        ],
    }
    if cast.inits:
        status["initContainerStatuses"] = [
            scribe.container_status(container, played.frame) for container, played in cast.inits
        ]
    return status


def _frame_of_status(pod: Manifest, world: World, phase: str) -> Manifest:
    return {
        "phase": phase,
        "observedGeneration": pod["metadata"].get("generation") or 1,
        "hostIP": world.host_ip,
        "hostIPs": [{"ip": world.host_ip}],
        "podIP": world.pod_ip,
        "podIPs": [{"ip": world.pod_ip}],
        "startTime": timestamp(world.started_at),
    }


def _conditions(cast: _Cast, phase: str) -> tuple[Condition, ...]:
    if phase in {"Failed", "Succeeded"}:
        return ended_conditions("PodFailed" if phase == "Failed" else "PodCompleted")
    incomplete = [
        container["name"] for container, played in cast.inits if _holds_up(container, played.frame)
    ]
    unready = [container["name"] for container, played in cast.apps if not played.frame.ready]
    return live_conditions(Readiness(incomplete=incomplete, unready=unready, sandbox=cast.mounted))


def _holds_up(container: Manifest, frame: Frame) -> bool:
    return not (frame.started if container.get("restartPolicy") == "Always" else frame.ready)


def _unmounted(pod: Manifest, world: World, now: datetime) -> PodMoment:
    elapsed = (now - world.epoch).total_seconds()
    has_inits = bool(pod["spec"].get("initContainers"))
    frame = Frame(
        at=0.0, state=State.WAITING, reason="PodInitializing" if has_inits else "ContainerCreating"
    )
    still = Played(frame=frame, happenings=(), next_at=None)
    cast = _Cast(
        inits=[(container, still) for container in pod["spec"].get("initContainers") or []],
        apps=[(container, still) for container in pod["spec"]["containers"]],
        apps_began=None,
        mounted=False,
    )
    status = _status(pod, world, cast, "Pending", now)
    for name in ("podIP", "podIPs"):
        del status[name]
    every = world.pace.sync_seconds
    tries = [turn * every for turn in range(int(elapsed / every) + 1)]
    told = [
        Happening(at=at, reason="FailedMount", message=words, type="Warning")
        for at in tries
        for words in world.problems.volumes
    ]
    return PodMoment(status=status, happenings=fold(told), next_at=tries[-1] + every)


def _evicted(pod: Manifest, world: World, cast: _Cast, evicted_at: float) -> PodMoment:
    message = eviction_message(pod)
    ended = [(container, _ended_by_eviction(played, evicted_at)) for container, played in cast.apps]
    killed = _Cast(inits=cast.inits, apps=ended, apps_began=cast.apps_began)
    at = world.epoch + timedelta(seconds=evicted_at)
    status = _status(pod, world, killed, "Failed", at) | {"reason": "Evicted", "message": message}
    target = Condition(
        type="DisruptionTarget", holds=True, reason="TerminationByKubelet", message=message
    )
    status["conditions"] = write_conditions(
        (target, *ended_conditions("PodFailed")), pod=pod, now=at
    )
    told = Happening(
        at=evicted_at, first=evicted_at, reason="Evicted", message=message, type="Warning"
    )
    return PodMoment(status=status, happenings=(*cast.happenings, told), next_at=None)


def _ended_by_eviction(played: Played, at: float) -> Played:
    return Played(frame=evicted_frame(played.frame, at=at), happenings=(), next_at=None)
