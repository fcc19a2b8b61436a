"""What accelerators a template asks for, and how that compares with what was counted: pure."""

from collections.abc import Mapping
from dataclasses import dataclass

from providers.contract.capacity import Capacity
from providers.contract.template import Accelerator, TemplateSpec


@dataclass(frozen=True, kw_only=True, slots=True)
class Need:
    """Accelerators of one type for one replica; `largest_pod` must fit on one node."""

    type: str
    per_replica: int
    largest_pod: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Room:
    """Whether a replica fits now: a badge (word, tone, icon) and what is free, in words."""

    word: str
    tone: str
    icon: str
    free: str
    replicas: int = 0


UNCOUNTED = Room(
    word="Not counted", tone="idle", icon="circle-question-mark", free="not counted yet"
)


def needs_of_replica(spec: TemplateSpec) -> tuple[Need, ...]:
    """Return what one replica asks for by type; nothing for a model that runs on cpu."""
    found: dict[str, Need] = {}
    for accelerator, pods in _pods(spec):
        if accelerator.per_pod:
            _add(found, accelerator, pods)
    return tuple(found.values())


def room_for(spec: TemplateSpec, counted: Capacity | None) -> Room:
    """Return whether a replica fits on a cluster as it was counted last."""
    needs = needs_of_replica(spec)
    if not needs:
        return Room(word="Needs none", tone="ok", icon="circle-check", free="none needed")
    if counted is None or counted.unknown_because:
        return UNCOUNTED
    rooms = [_room_of(need, counted) for need in needs]
    scarcest = min(rooms, key=lambda room: room.replicas)
    return scarcest if len(rooms) == 1 else _joined(scarcest, rooms)


def _pods(spec: TemplateSpec) -> tuple[tuple[Accelerator, int], ...]:
    if spec.topology.roles:
        return tuple((role.accelerator, role.replicas) for role in spec.topology.roles)
    return ((spec.accelerator, spec.topology.nodes or 1),)


def _add(found: dict[str, Need], accelerator: Accelerator, pods: int) -> None:
    key = accelerator.type.casefold()
    known = found.get(key) or Need(type=accelerator.type, per_replica=0, largest_pod=0)
    found[key] = Need(
        type=known.type,
        per_replica=known.per_replica + accelerator.per_pod * pods,
        largest_pod=max(known.largest_pod, accelerator.per_pod),
    )


def _room_of(need: Need, counted: Capacity) -> Room:
    found = counted.of_type(need.type)
    if found is None:
        return Room(
            word="Not counted",
            tone="idle",
            icon="circle-question-mark",
            free=f"no {need.type} was counted",
        )
    free = f"{found.free} of {found.total} {found.type}"
    fits = found.free // need.per_replica if need.per_replica else 0
    if found.largest_free_on_one_node < need.largest_pod or not fits:
        at_most = f", at most {found.largest_free_on_one_node} on one node"
        tight = found.free >= need.largest_pod
        return _would_wait(free + at_most if tight else free)
    times = _TIMES.get(fits, f"{fits} times")
    return Room(word=f"Fits now, {times}", tone="ok", icon="circle-check", free=free, replicas=fits)


def _would_wait(free: str) -> Room:
    return Room(word="Would wait", tone="warn", icon="triangle-alert", free=free)


def _joined(scarcest: Room, rooms: list[Room]) -> Room:
    return Room(
        word=scarcest.word,
        tone=scarcest.tone,
        icon=scarcest.icon,
        free="; ".join(room.free for room in rooms),
        replicas=scarcest.replicas,
    )


_TIMES: Mapping[int, str] = {1: "once", 2: "twice"}
