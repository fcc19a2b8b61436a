"""Several who follow the same objects share one stream, whenever they come and go."""

import json
import queue
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest

from providers.contract.errors import ProviderError, Unavailable
from providers.contract.manifest import Manifest
from providers.contract.target import ClusterTarget
from providers.kube.client import client_for
from providers.kube.feeding import Subject, join
from providers.kube.lists import BadItem, Read, Selection, as_it_is
from providers.kube.resources import PODS
from providers.workload.objects import Pod
from tests.unit.kube.conftest import PATIENCE, Reply, ScriptedServer, ample

Told = tuple[str, object]
SUBJECT = Subject(resource=PODS, struct=Pod, selection=Selection(labels="x=y"), keep=as_it_is)
QUIET = Reply(body=b"", unended=True)
DATE = "Tue, 01 Dec 2026 02:00:00 GMT"


@dataclass
class Notes:
    """What one listener was told, in order."""

    told: "queue.SimpleQueue[Told]" = field(default_factory=queue.SimpleQueue)
    clock: list[datetime | None] = field(default_factory=list)

    def reset(self, read: Read[Pod]) -> None:
        self.clock.append(read.now)
        self.told.put(("list", [*(item.name for item in read.items), *map(str, read.bad)]))

    def put(self, item: Pod) -> None:
        self.told.put(("put", item.name))

    def remove(self, item: Pod) -> None:
        self.told.put(("remove", item.name))

    def spoil(self, bad: BadItem) -> None:
        self.told.put(("spoil", bad.name))

    def fail(self, error: ProviderError) -> None:
        self.told.put(("fail", type(error)))

    def next(self, count: int) -> list[Told]:
        return [self.told.get(timeout=PATIENCE) for _ in range(count)]


def pod(name: str, **parts: object) -> Manifest:
    return {"metadata": {"name": name, "namespace": "team", "resourceVersion": "5"}, **parts}


def listed(*items: object) -> Reply:
    body = {"metadata": {"resourceVersion": "1"}, "items": items}
    return Reply(body=json.dumps(body).encode(), headers={"Date": DATE})


def told(*changes: tuple[str, object]) -> Reply:
    """Return a stream of changes that stays open."""
    lines = [json.dumps({"type": kind, "object": item}).encode() + b"\n" for kind, item in changes]
    return Reply(body=b"".join(lines), unended=True)


Join = Callable[[], tuple[Notes, Callable[[], None]]]


@pytest.fixture
def joining(target: ClusterTarget) -> Iterator[Join]:
    left: list[Callable[[], None]] = []

    def act() -> tuple[Notes, Callable[[], None]]:
        notes = Notes()
        leave = join(client_for(target, deadline=ample()), SUBJECT, notes)
        left.append(leave)
        return notes, leave

    yield act
    for leave in left:
        leave()


def lists(server: ScriptedServer) -> int:
    with server.lock:
        return sum("watch=1" not in seen.path for seen in server.seen)


def streams(server: ScriptedServer) -> int:
    with server.lock:
        return sum("watch=1" in seen.path for seen in server.seen)


def test_two_are_told_the_same_by_one_stream(server: ScriptedServer, joining: Join) -> None:
    server.script = [listed(pod("a")), told(("ADDED", pod("b")), ("DELETED", pod("a"))), QUIET]
    (one, _), (two, _) = joining(), joining()

    assert one.next(3) == [("list", ["a"]), ("put", "b"), ("remove", "a")]
    assert two.next(1)[0][0] == "list"
    assert (lists(server), streams(server)) == (1, 1)


def test_who_joins_later_begins_with_what_is_there_by_then(
    server: ScriptedServer, joining: Join
) -> None:
    changes = (("ADDED", pod("b")), ("DELETED", pod("a")), ("MODIFIED", pod("c", spec=7)))
    server.script = [listed(pod("a"), pod("c")), told(*changes), QUIET]
    first, _ = joining()
    assert first.next(4)[-1] == ("spoil", "c")

    later, _ = joining()

    [(kind, names)] = later.next(1)
    assert (kind, names[0]) == ("list", "b")  # type: ignore[index]  # a list of names
    assert str(names).count("Pod team/c") == 1
    [begun] = later.clock
    assert begun is not None
    assert begun >= datetime(2026, 12, 1, 2, tzinfo=UTC)
    assert streams(server) == 1


def test_who_leaves_is_told_no_more_and_the_stream_goes_on_for_the_others(
    server: ScriptedServer, joining: Join
) -> None:
    server.script = [listed(), told(("ADDED", pod("a"))), QUIET]
    (one, leave), _ = joining(), joining()
    assert one.next(2)[-1] == ("put", "a")
    leave()

    three, _ = joining()

    assert three.next(1) == [("list", ["a"])]
    assert one.told.empty()
    assert (lists(server), streams(server)) == (1, 1)


def test_after_the_last_has_left_the_next_begins_anew(
    server: ScriptedServer, joining: Join
) -> None:
    server.script = [listed(), told(("ADDED", pod("a"))), QUIET]
    one, leave = joining()
    assert one.next(2)[-1] == ("put", "a")
    leave()
    server.script = [listed(pod("b")), QUIET]

    two, _ = joining()

    assert two.next(1) == [("list", ["b"])]
    assert lists(server) == 2


def test_a_stream_that_fails_does_so_for_all_and_the_next_begins_anew(
    server: ScriptedServer, joining: Join
) -> None:
    server.script = [Reply(status=500, silent_seconds=0.2)]
    (one, _), (two, _) = joining(), joining()
    assert (one.next(1), two.next(1)) == ([("fail", Unavailable)], [("fail", Unavailable)])
    server.script = [listed(pod("a")), QUIET]

    three, _ = joining()

    assert three.next(1) == [("list", ["a"])]


def test_of_events_only_the_newest_are_remembered(
    server: ScriptedServer, target: ClusterTarget
) -> None:
    few = Subject(resource=PODS, struct=Pod, selection=Selection(), keep=as_it_is, most=2)
    client = client_for(target, deadline=ample())
    server.script = [listed(pod("a"), pod("b")), told(("ADDED", pod("c"))), QUIET]
    first, later = Notes(), Notes()
    leave_first = join(client, few, first)
    assert first.next(2)[-1] == ("put", "c")

    leave_later = join(client, few, later)

    assert later.next(1) == [("list", ["b", "c"])]
    leave_first()
    leave_later()
