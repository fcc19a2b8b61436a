"""What the cluster said about the objects of one deployment, those that are gone among them.

A namespace has the events of everybody in it, so they are read by kind and by name, side by side,
and what is not ours is left out here. A provider says which objects are.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from providers.contract.observing import Events
from providers.contract.protocols import Deadline
from providers.contract.request import DeploymentRef
from providers.contract.target import ClusterTarget
from providers.kube.client import client_for
from providers.kube.lists import Read, Selection, read_list
from providers.kube.resources import EVENTS
from providers.observing.reading import Wanted, clock_of, read_side_by_side
from providers.workload.objects import Item, ObjectReference, present
from providers.workload.objects.looked import ToldEvent
from providers.workload.states.events import event_lines

# How many lines anybody reads, and how many events of a kind are looked through for them.
MOST_LINES = 500
MOST_EVENTS = 5000

IsOurs = Callable[[ObjectReference, Sequence[Item]], bool]
"""Tells whether an object is ours, be it there or gone, beside those that are there."""


def read_events(
    ref: DeploymentRef,
    target: ClusterTarget,
    *,
    kinds: Sequence[str],
    names: Sequence[str],
    beside: Sequence[Wanted],
    is_ours: IsOurs,
    deadline: Deadline,
) -> Events:
    """Return what was said of objects of these names, and of those of these kinds.

    `kinds` begin with the one that most is said about: its call takes longest, and is sent first.
    `beside` are the kinds that are read along with them, to know which objects are ours.
    """
    client = client_for(target, deadline=deadline)
    selections = tuple(_selections(ref, kinds, names))
    calls: list[partial[Read[Any]]] = [
        *(
            partial(read_list, client, EVENTS, ToldEvent, chosen, deadline=deadline)
            for chosen in selections
        ),
        *(
            partial(read_list, client, resource, struct, selection, deadline=deadline)
            for resource, struct, selection in beside
        ),
    ]
    reads = read_side_by_side(client, target, calls, deadline=deadline)
    told, known = reads[: len(selections)], reads[len(selections) :]
    ours = _ours(told, is_ours, [item for read in known for item in read.items])
    lines = event_lines(ours)
    return Events(
        lines=lines[:MOST_LINES],
        now=clock_of((*known, *told)),
        cut=len(lines) > MOST_LINES or any(read.cut for read in told),
        unreadable=next((read.trouble for read in told if read.trouble), ""),
    )


def _selections(
    ref: DeploymentRef, kinds: Sequence[str], names: Sequence[str]
) -> Iterator[Selection]:
    by_kind = (f"involvedObject.kind={kind}" for kind in kinds)
    for field in (*by_kind, *(f"involvedObject.name={name}" for name in names)):
        yield Selection(namespace=ref.namespace, fields=field, most=MOST_EVENTS)


def _ours(
    reads: Sequence[Read[ToldEvent]], is_ours: IsOurs, known: Sequence[Item]
) -> list[ToldEvent]:
    """Return the events about our objects; of many events about one of them it is asked once."""
    asked: dict[tuple[str | None, str | None], bool] = {}
    ours = []
    for event in _each_once(reads):
        about = event.about
        key = (about.kind, about.name)
        if key not in asked:
            asked[key] = is_ours(about, known)
        if asked[key]:
            ours.append(event)
    return ours


def _each_once(reads: Sequence[Read[ToldEvent]]) -> Iterator[ToldEvent]:
    """Yield every event once: a pod may bear the very name of the deployment."""
    seen: set[tuple[str, str]] = set()
    for event in present(item for read in reads for item in read.items):
        key = (event.name, event.uid)
        if key not in seen:
            seen.add(key)
            yield event
