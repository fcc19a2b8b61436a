"""How long a template usually takes to load, in words; and whether a launch takes longer than that.

Times are from a replica's node to its first answer, pulling the image included.
"""

from dataclasses import dataclass
from datetime import datetime

from deployments.load_times import LoadTimes
from providers.contract.status import Phase, Status

_MINUTE = 60
# Below that, seconds say more than minutes.
_IN_SECONDS = 90
_FEW = {1: "one start", 2: "two starts"}


@dataclass(frozen=True, kw_only=True, slots=True)
class LoadingSoFar:
    """A replica on its way beside those before it; `is_late` when it takes longer than usual."""

    sentence: str
    is_late: bool


def say_usual(times: LoadTimes | None) -> str:
    """Say what is usual, as in "usually 6 to 9 min, from 14 starts"; nothing where none came up."""
    if times is None:
        return ""
    took = _range(times.low, times.high)
    if times.is_usual:
        return f"usually {took}, from {times.starts} starts"
    return f"{_FEW[times.starts]} so far took {took}"


def loading_so_far(
    status: Status, times: LoadTimes | None, *, on_node_since: datetime | None
) -> LoadingSoFar | None:
    """Hold a launch that is on its way against what is usual; None where either is not known.

    Counted by the cluster's clock.
    """
    is_launch = status.phase is Phase.DEPLOYING and not status.once_full
    if times is None or on_node_since is None or status.observed_at is None or not is_launch:
        return None
    spent = max(0, int((status.observed_at - on_node_since).total_seconds()))
    is_late = times.is_usual and spent > times.high
    begin = "Longer than usual: on its node" if is_late else "On its node"
    said = f"{begin} for {_duration(spent)}; {say_usual(times)}."
    return LoadingSoFar(sentence=said, is_late=is_late)


def _range(low: int, high: int) -> str:
    first, last = _duration(low), _duration(high)
    if first == last:
        return last
    number, _, unit = first.partition(" ")
    return f"{number} to {last}" if last.endswith(f" {unit}") else f"{first} to {last}"


def _duration(seconds: int) -> str:
    if seconds < _IN_SECONDS:
        return f"{seconds} s"
    return f"{round(seconds / _MINUTE)} min"
