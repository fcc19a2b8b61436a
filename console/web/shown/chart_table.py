"""The same lines as a table: a few rows of equal length in time, newest first, each with means."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import fmean

from console.web.shown.charts import Chart
from deployments.measuring.lines import Line

ROWS = 15


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One stretch of time from `at` on; a cell is empty where nothing was measured."""

    at: datetime
    cells: tuple[str, ...]


def rows_of(
    lines: Sequence[Line], charts: Sequence[Chart], start: datetime, end: datetime
) -> tuple[Row, ...]:
    """Return the rows in which anything was measured, cells in the order and scales of charts."""
    return tuple(row for row in _rows(lines, charts, start, end) if any(row.cells))


def _rows(
    lines: Sequence[Line], charts: Sequence[Chart], start: datetime, end: datetime
) -> Iterator[Row]:
    length = (end - start) / ROWS
    for number in reversed(range(ROWS)):
        at = start + number * length
        yield Row(
            at=at,
            cells=tuple(
                _mean(line, chart, at, at + length)
                for line, chart in zip(lines, charts, strict=True)
            ),
        )


def _mean(line: Line, chart: Chart, start: datetime, end: datetime) -> str:
    values = [value for at, value in line.points if start <= at < end]
    return chart.scale.say(fmean(values)) if values else ""
