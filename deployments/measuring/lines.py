"""Figures over time: points of one figure, in order, with what counts as a gap between them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from deployments.measuring.figures import Figure

Point = tuple[datetime, float]
Rows = Sequence[tuple[datetime, Mapping[str, float]]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """One figure over time; points further apart than `gap_seconds` have nothing between them."""

    figure: Figure
    points: tuple[Point, ...]
    gap_seconds: float

    def pieces(self) -> Iterator[tuple[Point, ...]]:
        """Yield the stretches without a gap."""
        piece: list[Point] = list(self.points[:1])
        for last, point in pairwise(self.points):
            if (point[0] - last[0]).total_seconds() > self.gap_seconds:
                yield tuple(piece)
                piece = []
            piece.append(point)
        if piece:
            yield tuple(piece)


def lines_of(figures: Iterable[Figure], rows: Rows, *, gap_seconds: float) -> tuple[Line, ...]:
    """Return a line for each figure out of rows that have some of them."""
    return tuple(
        Line(
            figure=figure,
            points=tuple((at, found[figure.name]) for at, found in rows if figure.name in found),
            gap_seconds=gap_seconds,
        )
        for figure in figures
    )
