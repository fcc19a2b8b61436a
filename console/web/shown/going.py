"""What a deletion takes along, as its page lists it: one line for each kind, pods counted."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from deployments.models import Deployment
from deployments.services.foretelling import Foretold
from providers.contract.protocols import Remaining

# Of fifty pods nobody reads every name.
NAMED = 4
POD = "Pod"


@dataclass(frozen=True, kw_only=True, slots=True)
class GoingLine:
    """Objects of one kind: how many, some of their names, and what holds any of them now."""

    title: str
    names: tuple[str, ...]
    more: int
    holds: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownGoing:
    """What goes, line by line; `pods` counts those there are, else those that are wanted."""

    lines: tuple[GoingLine, ...]
    pods: GoingLine
    foretold: Foretold


def show_going(deployment: Deployment, foretold: Foretold) -> ShownGoing:
    """Return what the page says."""
    by_kind: dict[str, list[Remaining]] = {}
    for one in foretold.going.objects:
        by_kind.setdefault(one.object.kind, []).append(one)
    pods = by_kind.pop(POD, [])
    return ShownGoing(
        lines=tuple(_line(kind, some) for kind, some in by_kind.items()),
        pods=_pods(pods, wanted=deployment.desired_replicas),
        foretold=foretold,
    )


def hold_in_words(finalizers: Mapping[str, str]) -> str:
    """Return what holds an object: each finalizer with whose it is, as far as that is known."""
    told = (f"{name}, {whose}" if whose else name for name, whose in finalizers.items())
    return "; ".join(told)


def _line(kind: str, some: Sequence[Remaining]) -> GoingLine:
    title = kind if len(some) == 1 else f"{len(some)} {kind}s"
    return _named(title, some)


def _pods(some: Sequence[Remaining], *, wanted: int) -> GoingLine:
    count = len(some) or wanted
    return _named(f"{count} pod{'' if count == 1 else 's'}", some)


def _named(title: str, some: Iterable[Remaining]) -> GoingLine:
    given = list(some)
    held = [one for one in given if one.finalizers]
    return GoingLine(
        title=title,
        names=tuple(one.object.name for one in given[:NAMED]),
        more=max(0, len(given) - NAMED),
        holds=tuple(_hold(one, alone=len(given) == 1) for one in held),
    )


def _hold(one: Remaining, *, alone: bool) -> str:
    """Return what holds an object, which is named where it is not the only one of its line."""
    told = hold_in_words(one.finalizers)
    return told if alone else f"{one.object.name}: {told}"
