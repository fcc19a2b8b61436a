"""How often clusters are read, from the environment; what is wrong is kept for the system checks.

Knows no queue and no cluster: the settings hand the values to whoever keeps time.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from console.environment import Problem
from console.whole_numbers import whole_number

MOVING, FULL = "SLIPWAY_MOVING_SECONDS", "SLIPWAY_REFRESH_SECONDS"
LEAST, MOST = 2, 3600


@dataclass(frozen=True, kw_only=True, slots=True)
class Intervals:
    """Seconds: what is on its way is read every `moving_seconds`, all within `full_seconds`."""

    moving_seconds: int = 10
    full_seconds: int = 60
    problems: tuple[Problem, ...] = ()


def read_intervals(environ: Mapping[str, str]) -> Intervals:
    """Read both intervals; a value that cannot be used is a problem, and its default stands."""
    problems: list[Problem] = []
    moving = _seconds(environ, MOVING, Intervals().moving_seconds, "console.E009", problems)
    full = _seconds(environ, FULL, Intervals().full_seconds, "console.E010", problems)
    if full < moving and not problems:
        problems.append(
            Problem(
                id="console.E011",
                message=f"{FULL} ({full}) is shorter than {MOVING} ({moving}).",
                hint="A full pass reads the moving ones too: make it the longer of the two.",
            )
        )
    return Intervals(moving_seconds=moving, full_seconds=full, problems=tuple(problems))


def _seconds(
    environ: Mapping[str, str], name: str, default: int, id_: str, problems: list[Problem]
) -> int:
    text = environ.get(name, "").strip()
    if not text:
        return default
    number = whole_number(text, least=LEAST, most=MOST)
    if number is not None:
        return number
    hint = f"Use whole seconds from {LEAST} to {MOST}, or leave it unset for {default}."
    problems.append(Problem(id=id_, message=f"{name} is {text!r}.", hint=hint))
    return default
