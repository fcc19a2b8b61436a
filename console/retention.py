"""How long history is kept, from the environment; what is wrong is kept for the system checks.

Knows no table: the settings hand the values to whoever sweeps.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from console.environment import Problem
from console.whole_numbers import whole_number

DAYS, FAILURE_DAYS = "SLIPWAY_HISTORY_DAYS", "SLIPWAY_FAILURE_HISTORY_DAYS"
LINES = "SLIPWAY_HISTORY_LINES"
MOST_DAYS, LEAST_LINES, MOST_LINES = 36_500, 10, 100_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Retention:
    """Days since a verdict ended: `failure_days` for Failed and Degraded, `days` for all others.

    `lines` is how many of each of the two a deployment keeps at most.
    """

    days: int = 90
    failure_days: int = 400
    lines: int = 2000
    problems: tuple[Problem, ...] = ()


def read_retention(environ: Mapping[str, str]) -> Retention:
    """Read the terms; a value that cannot be used is a problem, and its default stands."""
    problems: list[Problem] = []
    usual = Retention()

    def read(name: str, default: int, bounds: tuple[int, int], id_: str) -> int:
        text = environ.get(name, "").strip()
        least, most = bounds
        if not text:
            return default
        number = whole_number(text, least=least, most=most)
        if number is not None:
            return number
        hint = f"Use a whole number from {least} to {most}, or leave it unset for {default}."
        problems.append(Problem(id=id_, message=f"{name} is {text!r}.", hint=hint))
        return default

    days = read(DAYS, usual.days, (1, MOST_DAYS), "console.E012")
    failure_days = read(FAILURE_DAYS, usual.failure_days, (1, MOST_DAYS), "console.E013")
    lines = read(LINES, usual.lines, (LEAST_LINES, MOST_LINES), "console.E014")
    if failure_days < days and not problems:
        problems.append(
            Problem(
                id="console.E015",
                message=f"{FAILURE_DAYS} ({failure_days}) is shorter than {DAYS} ({days}).",
                hint="What failed is asked for longest: make it the longer of the two.",
            )
        )
    return Retention(days=days, failure_days=failure_days, lines=lines, problems=tuple(problems))
