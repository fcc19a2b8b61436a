"""A log as the API server hands it on, and every way in which there may be none."""

import json
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from providers.contract.errors import Rejected
from providers.contract.target import ClusterTarget
from providers.kube import silence
from providers.kube.client import client_for
from providers.kube.clock import deadline_in
from providers.observing.log_reading import LogAddress, RawLog, read_raw
from tests.unit.kube.conftest import (
    PATIENCE,
    Reply,
    ScriptedServer,
    ample,
    server,
    target,
    target_at,
    wait_until_seen,
)

__all__ = ["server", "target", "target_at"]


def _refusal(status: int, message: str) -> Reply:
    document = {"kind": "Status", "message": message, "code": status}
    return Reply(status=status, body=json.dumps(document).encode())


def _read(target: ClusterTarget, seconds: float = PATIENCE, **changes: Any) -> RawLog:
    asked: dict[str, Any] = {"tail_lines": 100, "limit_bytes": 1_000, **changes}
    address = LogAddress(namespace="models", pod="p-1", container="engine", **asked)
    deadline = deadline_in(seconds)
    return read_raw(client_for(target, deadline=deadline), address, deadline=deadline)


def _asked(server: ScriptedServer) -> list[dict[str, list[str]]]:
    return [parse_qs(urlsplit(request.path).query) for request in server.seen]


def test_any_bytes_come_as_they_are(server: ScriptedServer, target: ClusterTarget) -> None:
    server.script = [Reply(body=b"2026-11-30T09:12:01Z \xff\x00\n")]
    assert _read(target) == RawLog(body=b"2026-11-30T09:12:01Z \xff\x00\n")
    [query] = _asked(server)
    assert query == {
        "container": ["engine"],
        "timestamps": ["true"],
        "tailLines": ["100"],
        "limitBytes": ["1000"],
    }
    assert urlsplit(server.seen[0].path).path == "/api/v1/namespaces/models/pods/p-1/log"


def test_since_is_asked_in_whole_seconds_rounded_down(
    server: ScriptedServer, target: ClusterTarget
) -> None:
    _read(target, since=datetime(2026, 11, 30, 9, 12, 1, 999_999, tzinfo=UTC), previous=True)
    [query] = _asked(server)
    assert (query["sinceTime"], query["previous"]) == (["2026-11-30T09:12:01Z"], ["true"])


def test_a_log_that_loses_its_newest_lines_to_the_limit_is_read_with_fewer(
    server: ScriptedServer, target: ClusterTarget
) -> None:
    long = b"x" * 99 + b"\n"
    server.script = [Reply(body=long * 10), Reply(body=long * 7)]
    assert _read(target) == RawLog(body=long * 7)
    assert [query["tailLines"] for query in _asked(server)] == [["100"], ["7"]]


def test_one_line_above_the_limit_is_cut(server: ScriptedServer, target: ClusterTarget) -> None:
    server.script = [Reply(body=b"x" * 1_000)]
    assert _read(target) == RawLog(body=b"x" * 1_000, cut=True)
    assert len(server.seen) == 1


def test_a_reader_who_follows_gets_the_oldest_of_what_is_new_in_whole_lines(
    server: ScriptedServer, target: ClusterTarget
) -> None:
    server.script = [Reply(body=(b"x" * 399 + b"\n") * 2 + b"x" * 200)]
    raw = _read(target, since=datetime(2026, 11, 30, tzinfo=UTC))
    assert raw == RawLog(body=(b"x" * 399 + b"\n") * 2, cut=True)
    assert len(server.seen) == 1


@pytest.mark.parametrize(
    ("reply", "note"),
    [
        (
            _refusal(400, 'container "engine" in pod "p-1" is waiting to start: ContainerCreating'),
            "container engine has not started yet: ContainerCreating",
        ),
        (
            _refusal(400, 'previous terminated container "engine" in pod "p-1" not found'),
            "container engine has run only once, so there is no previous log",
        ),
        (
            _refusal(400, "pod p-1 does not have a host assigned"),
            "container engine has not started yet: pod p-1 waits for a node",
        ),
        (
            _refusal(400, 'container "engine" in pod "p-1" is not available'),
            "container engine has not started yet: nothing is known of it so far",
        ),
        (_refusal(404, 'pods "p-1" not found'), "pod p-1 is gone, and its log with it"),
        (
            _refusal(500, 'Get "https://10.0.0.5:10250/containerLogs/x": dial tcp: refused'),
            (
                'the node of pod p-1 does not give its log out: Get "https://10.0.0.5:10250/'
                'containerLogs/x": dial tcp: refused'
            ),
        ),
        (
            Reply(body=b"unable to retrieve container logs for containerd://9b1f"),
            "the node of pod p-1 no longer has the log of engine",
        ),
        (
            _refusal(400, "container engine is not valid for pod p-1"),
            (
                "there is no log of container engine in pod p-1: container engine is not valid for "
                "pod p-1"
            ),
        ),
    ],
)
def test_where_there_is_no_log_it_is_said_why(
    server: ScriptedServer, target: ClusterTarget, reply: Reply, note: str
) -> None:
    server.script = [reply]
    assert _read(target) == RawLog(note=note)


def test_a_missing_right_is_named(server: ScriptedServer, target: ClusterTarget) -> None:
    server.script = [_refusal(403, 'pods "p-1" is forbidden: User "u" cannot get pods/log')]
    with pytest.raises(Rejected, match="grant get on pods/log"):
        _read(target)


def test_a_node_that_hangs_does_not_make_the_cluster_count_as_silent(
    server: ScriptedServer, target: ClusterTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(silence, "SILENT_SECONDS", 0.1)
    server.script = [Reply(silent_seconds=600.0), Reply(body=b"{}")]
    assert "cannot be read now" in _read(target, 0.3).note
    wait_until_seen(server)
    client = client_for(target, deadline=ample())
    assert client.get("/x", deadline=ample()).is_ok
