"""What a figure is, and the statistics they share."""

import statistics
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

_T = TypeVar("_T")


@dataclass(frozen=True, kw_only=True, slots=True)
class Figure:
    """One measured value against its bound; `how` is the command that measured it."""

    name: str
    value: float
    bound: float
    unit: str
    how: str
    at_least: bool = False

    @property
    def is_met(self) -> bool:
        """Tell whether the value is on the right side of the bound."""
        return self.value >= self.bound if self.at_least else self.value <= self.bound

    @property
    def line(self) -> str:
        """Return the figure as it is printed."""
        verdict = "met   " if self.is_met else "MISSED"
        side = ">=" if self.at_least else "<="
        return (
            f"{verdict} {self.name}: {self.value:.2f} {self.unit} (want {side} {self.bound:g})"
            f"\n       measured by: {self.how}"
        )


def timed(action: Callable[[], _T]) -> tuple[float, _T]:
    """Return how many seconds an action took, and what it returned."""
    began = time.perf_counter()
    result = action()
    return time.perf_counter() - began, result


def median_of(actions: Sequence[Callable[[], object]]) -> float:
    """Return the median seconds of actions, one after the other."""
    return statistics.median(timed(action)[0] for action in actions)


def p95_of(seconds: Sequence[float]) -> float:
    """Return the 95th percentile."""
    return statistics.quantiles(seconds, n=20)[-1]


def rate_of(actions: Sequence[Callable[[], object]], *, people: int) -> float:
    """Return how many actions a second so many people get done at once."""
    with ThreadPoolExecutor(people) as pool:
        seconds, _ = timed(lambda: list(pool.map(lambda action: action(), actions)))
    return len(actions) / seconds
