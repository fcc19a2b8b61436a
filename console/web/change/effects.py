"""What a change does to what runs, in sentences, and what it needs of the accelerators as cells."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from console.web.launch.outlook import Outlook, laid_out
from console.web.shown.load_times import say_usual
from deployments.load_times import LoadTimes
from providers.contract.capacity import Capacity
from providers.contract.changing import Effects, Fit, Spare, Writes
from providers.contract.drifting import DriftedField
from providers.contract.request import Rollout

BOTH = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownEffects:
    """The sentences; an empty one is not said. `outlooks` draw what is needed beside what runs.

    `put_back` is what comes to the pods of putting back what others changed. `is_short` tells that
    the rollout would wait for accelerators.
    """

    pods: str
    put_back: str
    rollout: str
    downtime: str
    accelerators: tuple[str, ...]
    outlooks: tuple[Outlook, ...]
    is_short: bool


def show_effects(
    effects: Effects,
    counted: Capacity | None,
    times: LoadTimes | None,
    undone: Sequence[DriftedField] = (),
) -> ShownEffects:
    """Put the effects of a change into words; `undone` is what of others it puts back."""
    known = counted if counted and not counted.unknown_because else None
    drawn = (_outlook(spare, known) for spare in effects.spare)
    return ShownEffects(
        pods=_pods(effects, undone),
        put_back="Pods are replaced by it." if _is_replacing(effects, undone) else "",
        rollout=_rollout(effects),
        downtime=_downtime(effects, times),
        accelerators=tuple(_spare(spare) for spare in effects.spare) or _none_spare(effects),
        outlooks=tuple(outlook for outlook in drawn if outlook is not None),
        is_short=effects.fit is Fit.SHORT,
    )


def _is_replacing(effects: Effects, undone: Sequence[DriftedField]) -> bool:
    """Tell whether putting back replaces pods that the change itself would let run on."""
    some_stay = effects.replicas_after and effects.restarts < effects.replicas_before
    return bool(some_stay) and any(one.restarts for one in undone)


def _pods(effects: Effects, undone: Sequence[DriftedField]) -> str:
    before, after, restarts = effects.replicas_before, effects.replicas_after, effects.restarts
    if before and not after:
        every = "The one replica ends" if before == 1 else f"{_all(before)} replicas end"
        return f"{every}; nobody is answered until it is started again."
    if restarts:
        which = "The one running replica restarts" if before == 1 else _some(restarts, before)
        return f"{which}{_and_then(before, after)}."
    if effects.writes is Writes.NOTHING and before == after:
        return "No pod restarts; nothing of it changes on the cluster."
    none = "The change itself restarts no pod"
    if not _is_replacing(effects, undone):
        none = "No pod restarts"
    return f"{none}{_and_then(before, after)}."


def _some(restarts: int, before: int) -> str:
    if restarts >= before:
        return f"{_all(before)} running replicas restart"
    return f"{restarts} of {before} running replicas restart"


def _all(count: int) -> str:
    return "Both" if count == BOTH else f"All {count}"


def _and_then(before: int, after: int) -> str:
    more = abs(after - before)
    if not more:
        return ""
    noun, verb = ("replica", "s") if more == 1 else ("replicas", "")
    return f"; {more} {'more ' if before and after > before else ''}{noun} " + (
        f"start{verb}" if after > before else f"end{verb}"
    )


_FIRST: Mapping[Rollout, str] = {
    Rollout.SURGE: "A new pod becomes ready before an old one goes",
    Rollout.REPLACE: "An old pod goes before the new one comes",
    Rollout.RECREATE: "All old pods go before new ones come",
}


def _rollout(effects: Effects) -> str:
    if not effects.restarts:
        return ""
    first = _FIRST[effects.rollout]
    if effects.rollout is Rollout.RECREATE:
        return f"{first}."
    step = effects.surge or effects.unavailable
    at_a_time = "one at a time" if step == 1 else f"{step} at a time"
    stay = f"at least {effects.fewest_ready} stay" if effects.fewest_ready else "none stays"
    return f"{first}, {at_a_time}; {stay} ready."


def _downtime(effects: Effects, times: LoadTimes | None) -> str:
    if not effects.restarts or not effects.replicas_after:
        return ""
    if not effects.has_downtime:
        return "Clients are answered throughout."
    known = say_usual(times) or "how long that takes is not known yet"
    return f"Nobody is answered until the first new replica has loaded: {known}."


def _none_spare(effects: Effects) -> tuple[str, ...]:
    return ("It needs no accelerator beside those in use.",) if effects.restarts else ()


def _spare(spare: Spare) -> str:
    more = f"It needs {spare.accelerators} {spare.type} beside those in use"
    if spare.free is None:
        return f"{more}; how many are free was not counted."
    free = f"{spare.free} {'is' if spare.free == 1 else 'are'} free"
    if spare.fit is Fit.SHORT:
        return f"{more}, but {free}{_tight(spare)}: new pods would wait."
    return f"{more}; {free}."


def _tight(spare: Spare) -> str:
    parts = []
    largest = spare.largest_free_on_one_node
    if largest is not None and largest < spare.per_pod:
        parts.append(f"at most {largest} on one node, and a pod needs {spare.per_pod}")
    if spare.quota_left is not None and spare.quota_left < spare.accelerators:
        parts.append(f"the namespace's quota leaves {spare.quota_left}")
    return "".join(f", {part}" for part in parts)


def _outlook(spare: Spare, counted: Capacity | None) -> Outlook | None:
    found = counted.of_type(spare.type) if counted else None
    if found is None:
        return None
    fits = min(spare.accelerators, found.free)
    counts = (
        ("used", "In use now", found.total - found.free),
        ("need", "Needed beside", fits),
        ("free", "Stay free", found.free - fits),
        ("miss", "Missing", spare.accelerators - fits),
    )
    return laid_out(found.type, counts)
