"""A stream of changes as servers send it: whole, cut, silent, forgotten, and partly unreadable."""

import json
import queue
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest

from providers.contract.errors import ProviderError, Rejected, Unavailable
from providers.contract.manifest import Manifest
from providers.contract.target import ClusterTarget
from providers.kube import watching
from providers.kube.client import client_for
from providers.kube.lists import BadItem, Read, Selection
from providers.kube.resources import PODS
from providers.kube.watching import Follower
from providers.workload.objects import Pod
from tests.unit.kube.conftest import PATIENCE, Reply, ScriptedServer, ample

Told = tuple[str, object]
QUIET = Reply(body=b"", unended=True)


@dataclass
class Notes:
    """What was told, in order."""

    told: "queue.SimpleQueue[Told]" = field(default_factory=queue.SimpleQueue)

    def reset(self, read: Read[Pod]) -> None:
        self.told.put(("list", [item.name for item in read.items]))

    def put(self, item: Pod) -> None:
        self.told.put(("put", item.name))

    def remove(self, item: Pod) -> None:
        self.told.put(("remove", item.name))

    def spoil(self, bad: BadItem) -> None:
        self.told.put(("spoil", bad.name))

    def next(self, count: int) -> list[Told]:
        return [self.told.get(timeout=PATIENCE) for _ in range(count)]


def pod(name: str, version: str = "5", **metadata: object) -> Manifest:
    return {"metadata": {"name": name, "namespace": "team", "resourceVersion": version, **metadata}}


def listed(*items: object, version: str = "1") -> Reply:
    body = {"metadata": {"resourceVersion": version}, "items": items}
    return Reply(body=json.dumps(body).encode())


def line(kind: str, item: object) -> bytes:
    return json.dumps({"type": kind, "object": item}).encode() + b"\n"


def stream(*lines: bytes) -> Reply:
    return Reply(body=b"".join(lines))


@dataclass
class Following:
    """A follower in a thread of its own, and how it ended."""

    follower: Follower[Pod]
    notes: Notes
    errors: "queue.SimpleQueue[ProviderError]" = field(default_factory=queue.SimpleQueue)

    def __post_init__(self) -> None:
        self.thread = threading.Thread(target=self._run)
        self.thread.start()

    def _run(self) -> None:
        try:
            self.follower.run()
        except ProviderError as error:
            self.errors.put(error)

    def stop(self) -> None:
        self.follower.stop()
        self.thread.join(timeout=PATIENCE)


Follow = Callable[..., Following]


@pytest.fixture
def follow(
    server: ScriptedServer, target: ClusterTarget, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Follow]:
    monkeypatch.setattr(watching, "PAUSE_SECONDS", 0.01)
    begun: list[Following] = []

    def begin(*script: Reply) -> Following:
        server.script = list(script)
        notes = Notes()
        follower = Follower(
            client=client_for(target, deadline=ample()),
            resource=PODS,
            struct=Pod,
            selection=Selection(labels="x=y"),
            sink=notes,
        )
        begun.append(Following(follower, notes))
        return begun[-1]

    yield begin
    for one in begun:
        one.stop()
        assert not one.thread.is_alive()


def versions(server: ScriptedServer) -> list[str]:
    """Return where each watch began, and an empty text for each list."""
    with server.lock:
        paths = [seen.path for seen in server.seen]
    return [path.partition("resourceVersion=")[2].partition("&")[0] for path in paths]


def test_a_list_is_followed_by_every_change(follow: Follow) -> None:
    changes = (
        line("ADDED", pod("b")),
        line("MODIFIED", pod("a")),
        line("DELETED", pod("b")),
    )

    found = follow(listed(pod("a")), stream(*changes), QUIET).notes.next(4)

    assert found == [("list", ["a"]), ("put", "b"), ("put", "a"), ("remove", "b")]


def test_a_watch_that_ends_goes_on_after_its_last_change_or_bookmark(
    follow: Follow, server: ScriptedServer
) -> None:
    following = follow(
        listed(version="1"),
        stream(line("ADDED", pod("a", "7"))),
        stream(line("BOOKMARK", pod("", "9"))),
        stream(line("ADDED", pod("b", "11"))),
        QUIET,
    )

    assert following.notes.next(3) == [("list", []), ("put", "a"), ("put", "b")]
    assert versions(server)[:4] == ["", "1", "7", "9"]


def test_what_is_cut_in_the_middle_of_a_line_is_told_again_and_not_taken(
    follow: Follow, server: ScriptedServer
) -> None:
    half = line("ADDED", pod("b", "8"))[:-20]
    following = follow(
        listed(),
        stream(line("ADDED", pod("a", "7")), half),
        stream(line("ADDED", pod("b", "8"))),
        QUIET,
    )

    assert following.notes.next(3) == [("list", []), ("put", "a"), ("put", "b")]
    assert versions(server)[2] == "7"


@pytest.mark.parametrize(
    "forgotten",
    [
        stream(line("ERROR", {"kind": "Status", "code": 410, "reason": "Expired"})),
        Reply(status=410, body=b'{"kind": "Status", "code": 410}'),
    ],
    ids=["in the stream", "as the answer"],
)
def test_a_past_that_is_forgotten_is_listed_anew(
    follow: Follow, server: ScriptedServer, forgotten: Reply
) -> None:
    following = follow(
        listed(pod("a"), version="1"), forgotten, listed(pod("b"), version="20"), QUIET
    )

    assert following.notes.next(2) == [("list", ["a"]), ("list", ["b"])]


def test_an_object_that_does_not_decode_is_named_and_a_null_is_nothing(follow: Follow) -> None:
    changes = (line("ADDED", None), line("MODIFIED", pod("a", labels=7)), line("ADDED", pod("b")))

    found = follow(listed(), stream(*changes), QUIET).notes.next(3)

    assert found == [("list", []), ("spoil", "a"), ("put", "b")]


def test_silence_ends_a_watch_and_the_next_one_goes_on(
    follow: Follow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "SILENT_SECONDS", 1.0)
    hangs, next_one = (Reply(body=line("ADDED", pod(name)), unended=True) for name in "ab")
    following = follow(listed(), hangs, next_one)

    assert following.notes.next(3) == [("list", []), ("put", "a"), ("put", "b")]


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (Reply(status=403, body=b'{"kind": "Status", "message": "no"}'), Rejected),
        (Reply(status=500), Unavailable),
        (Reply(drop=True), Unavailable),
        (stream(line("ERROR", {"code": 500, "message": "etcd"})), Unavailable),
        (stream(b"<html>\n"), Unavailable),
        (listed(pod("a")), Unavailable),
    ],
    ids=["forbidden", "broken", "hung up", "an error in the stream", "no stream at all", "a list"],
)
def test_whatever_else_goes_wrong_ends_the_following(
    follow: Follow, reply: Reply, error: type[ProviderError]
) -> None:
    following = follow(listed(), reply)

    assert isinstance(following.errors.get(timeout=PATIENCE), error)


def test_a_watch_in_which_nothing_happens_is_stopped_at_once(follow: Follow) -> None:
    following = follow(listed(), QUIET)
    following.notes.next(1)

    following.stop()

    assert not following.thread.is_alive()


def test_what_may_not_be_read_is_told_and_not_watched(
    follow: Follow, server: ScriptedServer
) -> None:
    following = follow(Reply(status=403, body=b'{"kind": "Status", "message": "no"}'), QUIET)

    assert following.notes.next(1) == [("list", [])]
    following.stop()
    assert versions(server) == [""]
