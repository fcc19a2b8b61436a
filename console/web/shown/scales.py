"""Values of figures as people read them: a factor, a word for the unit, and few digits."""

import math
from dataclasses import dataclass

from deployments.measuring.figures import Unit

_GIB, _MIB = 1024**3, 1024**2
_HUNDRED, _TEN = 100, 10
# Below these a value is written in the smaller unit, and with as many places as it takes.
_FEW_CORES, _LITTLE, _MOST_PLACES = 0.1, 0.1, 9
# Tops of axes that the eye divides easily.
_ROUND = (1.0, 2.0, 2.5, 5.0, 10.0)


@dataclass(frozen=True, kw_only=True, slots=True)
class Scale:
    """How values of one figure are written beside one another."""

    factor: float = 1.0
    word: str = ""

    def say(self, value: float) -> str:
        """Write a value without its unit."""
        return in_digits(value * self.factor)


def scale_of(unit: Unit, highest: float) -> Scale:
    """Return the scale in which values up to the highest are easy to read."""
    if unit is Unit.SHARE:
        return Scale(factor=100.0, word="%")
    if unit is Unit.SECONDS:
        return Scale(factor=1000.0, word="ms") if highest < 1 else Scale(word="s")
    if unit is Unit.CORES and 0 < highest < _FEW_CORES:
        return Scale(factor=1000.0, word="millicores")
    if unit is Unit.BYTES:
        size, word = (_GIB, "GiB") if highest >= _GIB else (_MIB, "MiB")
        return Scale(factor=1 / size, word=word)
    return Scale(word=unit.value)


def in_digits(number: float) -> str:
    """Write a number with two or three digits or all before the point: 1,234, 0.25 and 0.0042.

    What is not nothing is never written as 0, unless it is below a billionth.
    """
    if number >= _HUNDRED:
        return f"{number:,.0f}"
    text = f"{number:.{_places_of(number)}f}"
    return text.rstrip("0").rstrip(".")


def _places_of(number: float) -> int:
    if number >= _TEN:
        return 1
    if not 0 < number < _LITTLE:
        return 2
    return min(_MOST_PLACES, 1 - math.floor(math.log10(number)))


def axis_top(highest: float) -> float:
    """Return a round number at or above the highest value, 1 for nothing but zeros."""
    if highest <= 0:
        return 1.0
    size = float(10 ** math.floor(math.log10(highest)))
    return next((part * size for part in _ROUND if part * size >= highest), 10 * size)
