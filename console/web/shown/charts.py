"""Lines drawn as SVG paths by the server, and in words for who does not see them.

The drawing has no text and no colour of its own: those are the page's, so that it can be any size.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from console.web.shown.scales import Scale, axis_top, scale_of
from deployments.measuring.figures import Figure, Unit
from deployments.measuring.lines import Line, Point

WIDTH, HEIGHT = 600, 120


@dataclass(frozen=True, kw_only=True, slots=True)
class Chart:
    """One figure over time: `path` within WIDTH and HEIGHT, from 0 up to `top` in the unit.

    `dots` is the path of the points that stand alone: strokes without a length. `lone_at` is when
    the only reading was taken, where there is one: nothing is drawn of it, its value is said.
    """

    figure: Figure
    scale: Scale
    path: str
    dots: str
    top: str
    last: str
    told: str
    start: datetime
    end: datetime
    lone_at: datetime | None


def draw(line: Line, start: datetime, end: datetime) -> Chart:
    """Return a line as a chart from start to end; it must have points."""
    values = [value for _, value in line.points]
    scale = scale_of(line.figure.unit, max(values))
    top = _top(line.figure, max(values), scale)
    pieces = [_places(piece, start, end, top) for piece in line.pieces()]
    return Chart(
        figure=line.figure,
        scale=scale,
        path="".join(_stretch(piece) for piece in pieces if len(piece) > 1),
        dots="".join(f"M{x} {y}h0" for (x, y), *rest in pieces if not rest),
        top=scale.say(top),
        last=scale.say(values[-1]),
        told=_told(line, scale),
        start=start,
        end=end,
        lone_at=line.points[0][0] if len(line.points) == 1 else None,
    )


def _top(figure: Figure, highest: float, scale: Scale) -> float:
    if figure.unit is Unit.SHARE:
        return 1.0
    return axis_top(highest * scale.factor) / scale.factor


def _places(
    points: Sequence[Point], start: datetime, end: datetime, top: float
) -> list[tuple[int, int]]:
    """Return where the points of one piece are drawn."""
    span = (end - start).total_seconds()
    return [
        (
            round(WIDTH * _within((at - start).total_seconds() / span)),
            round(HEIGHT * (1 - _within(value / top))),
        )
        for at, value in points
    ]


def _stretch(places: Sequence[tuple[int, int]]) -> str:
    first, *rest = places
    return f"M{first[0]} {first[1]}L{' '.join(f'{x} {y}' for x, y in rest)}"


def _within(share: float) -> float:
    return min(1.0, max(0.0, share))


def _told(line: Line, scale: Scale) -> str:
    """Say what the eye would take from the line."""
    values = [value for _, value in line.points]
    first, last = line.points[0][0], line.points[-1][0]
    return (
        f"Measured from {first:%H:%M} to {last:%H:%M} UTC: lowest {scale.say(min(values))}, "
        f"highest {scale.say(max(values))}, last {scale.say(values[-1])} {scale.word}."
    )
