"""Accelerators as cells that can be counted: in use, needed now, more at max, what stays free.

Drawn from the last count; where nobody counted, it says so instead of drawing.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from console.web.launch.needs import Need, needs_of_replica
from providers.contract.capacity import AcceleratorCapacity, Capacity
from providers.contract.overrides import Scaling
from providers.contract.template import TemplateSpec

MOST_CELLS = 128
COLUMNS = 32
# A few cells stay small instead of filling the width.
LEAST_COLUMNS = 12
STEP = 10
CELL = 8


@dataclass(frozen=True, kw_only=True, slots=True)
class CellGroup:
    """All cells of one meaning; `path` draws them, `count` is in accelerators."""

    state: str
    label: str
    count: int
    path: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Outlook:
    """One accelerator type of a launch; without `groups` the `sentence` says why."""

    type: str
    sentence: str
    groups: tuple[CellGroup, ...] = ()
    each: int = 1
    width: int = 0
    height: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Outlooks:
    """What a launch takes of a cluster, and when that was counted."""

    cluster: str
    counted_at: datetime | None
    types: tuple[Outlook, ...]


def outlook_for(
    spec: TemplateSpec,
    scaling: Scaling,
    counted: Capacity | None,
    *,
    cluster: str,
    counted_at: datetime | None,
) -> Outlooks:
    """Return one drawing per accelerator type that a launch asks for."""
    needs = needs_of_replica(spec)
    return Outlooks(
        cluster=cluster,
        counted_at=counted_at if counted else None,
        types=tuple(_outlook(need, scaling, counted) for need in needs),
    )


def _outlook(need: Need, scaling: Scaling, counted: Capacity | None) -> Outlook:
    now = need.per_replica * scaling.min_replicas
    most = need.per_replica * scaling.max_replicas
    found = counted.of_type(need.type) if counted and not counted.unknown_because else None
    if found is None:
        more = f", up to {most} at most" if most > now else ""
        why = f"It needs {now} {need.type}{more}; how many are free was not counted."
        return Outlook(type=need.type, sentence=why)
    return _drawn(found, now, most - now)


def _drawn(found: AcceleratorCapacity, now: int, more: int) -> Outlook:
    fits = min(now, found.free)
    grows = min(more, found.free - fits)
    counts = (
        ("used", "In use by others", found.total - found.free),
        ("need", "Needed now", fits),
        ("grow", "More at max replicas", grows),
        ("free", "Stay free", found.free - fits - grows),
        ("miss", "Missing now", now - fits),
        ("lack", "Missing at max replicas", more - grows),
    )
    return laid_out(found.type, counts)


def laid_out(name: str, counts: tuple[tuple[str, str, int], ...]) -> Outlook:
    """Return a drawing of accelerators: state, label and number of each meaning, in their order."""
    every = sum(count for _, _, count in counts)
    each = max(1, -(-every // MOST_CELLS))
    groups, cells = [], 0
    for state, label, count in counts:
        if not count and state != "need":
            continue
        size = -(-count // each)
        groups.append(
            CellGroup(state=state, label=label, count=count, path=_path(range(cells, cells + size)))
        )
        cells += size
    columns = max(LEAST_COLUMNS, min(cells, COLUMNS))
    told = ", ".join(f"{group.label.lower()} {group.count}" for group in groups)
    return Outlook(
        type=name,
        sentence=f"{name} accelerators: {told}.",
        groups=tuple(groups),
        each=each,
        width=columns * STEP,
        height=max(1, -(-cells // COLUMNS)) * STEP,
    )


def _path(cells: range) -> str:
    return "".join(_squares(cells))


def _squares(cells: range) -> Iterator[str]:
    for cell in cells:
        x, y = cell % COLUMNS * STEP + 1, cell // COLUMNS * STEP + 1
        yield f"M{x} {y}h{CELL}v{CELL}h-{CELL}z"
