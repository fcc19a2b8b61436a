"""How much a stand-in may take down and add at once, and numbers as AIBrix writes them."""

from collections.abc import Mapping
from math import ceil, floor
from typing import NamedTuple

from providers.contract.manifest import Manifest


class Bounds(NamedTuple):
    """How many more than wanted may stand, and how many fewer may serve."""

    surge: int
    unavailable: int


def bounds_of(strategy: Manifest, replicas: int) -> Bounds:
    """Return the bounds of a strategy: 0 and 1 where it names none; 0 and 0 counts as 0 and 1."""
    surge = _number(strategy.get("maxSurge", 0), replicas, up=True)
    fewer = _number(strategy.get("maxUnavailable", 0), replicas, up=False)
    return Bounds(surge, fewer if surge or fewer else 1)


def omit_zeros(numbers: Mapping[str, int]) -> dict[str, int]:
    """Return the numbers without those that are 0."""
    return {name: number for name, number in numbers.items() if number}


def _number(value: int | str, replicas: int, *, up: bool) -> int:
    if isinstance(value, int):
        return value
    exact = int(value.removesuffix("%")) * replicas / 100
    return ceil(exact) if up else floor(exact)
