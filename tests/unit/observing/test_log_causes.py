"""Logs of failing pods are read once for each run, a few at a time, and never at any cost."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from providers.contract.target import ClusterTarget
from providers.engines.log_causes import LogCause
from providers.kube.client import client_for
from providers.observing import log_causes
from providers.observing.log_causes import MOST_AT_ONCE, forget_causes, read_causes
from providers.workload.status import LogWish
from tests.unit.kube.conftest import Reply, ScriptedServer, ample, server, target, target_at

__all__ = ["server", "target", "target_at"]

FULL = b"2026-11-30T09:12:01Z ValueError: No available memory for the cache blocks.\n"
CLEAN = b"2026-11-30T09:12:01Z INFO Application startup complete.\n"
WISH = LogWish(
    namespace="models",
    pod="p-1",
    uid="u-1",
    container="engine",
    restarts=3,
    ended=True,
    has_previous=False,
)


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    forget_causes()
    yield
    forget_causes()


def _causes(target: ClusterTarget, *wishes: LogWish) -> dict[LogWish, str]:
    deadline = ample()
    found = read_causes(client_for(target, deadline=deadline), wishes, deadline=deadline)
    return {wish: _code(cause) for wish, cause in found.items()}


def _code(cause: LogCause | None) -> str:
    return cause.code if cause else ""


def test_a_run_is_read_once_and_the_next_one_anew(
    server: ScriptedServer, target: ClusterTarget
) -> None:
    server.script = [Reply(body=FULL)]
    for _ in range(3):
        assert _causes(target, WISH) == {WISH: "KvCacheTooSmall"}
    assert len(server.seen) == 1
    assert _causes(target, replace(WISH, restarts=4))
    assert len(server.seen) == 2


def test_a_run_that_told_nothing_is_not_read_again(
    server: ScriptedServer, target: ClusterTarget
) -> None:
    server.script = [Reply(body=CLEAN)]
    assert _causes(target, WISH) == _causes(target, WISH) == {WISH: ""}
    assert len(server.seen) == 1


def test_a_run_that_goes_on_is_read_again_after_a_while(
    server: ScriptedServer, target: ClusterTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = replace(WISH, ended=False)
    server.script = [Reply(body=CLEAN), Reply(body=FULL)]
    assert _causes(target, running) == _causes(target, running) == {running: ""}
    forget_causes()
    monkeypatch.setattr(log_causes, "AGAIN_SECONDS", 0.0)
    server.script = [Reply(body=CLEAN), Reply(body=FULL)]
    assert _causes(target, running) == {running: ""}
    assert _causes(target, running) == {running: "KvCacheTooSmall"}


def test_the_run_before_tells_what_this_one_does_not_say_yet(
    server: ScriptedServer, target: ClusterTarget
) -> None:
    wish = replace(WISH, ended=False, has_previous=True)
    server.script = [Reply(body=CLEAN), Reply(body=FULL)]
    assert _causes(target, wish) == {wish: "KvCacheTooSmall"}
    assert ["previous=true" in request.path for request in server.seen] == [False, True]


def test_a_pass_reads_a_few_and_the_next_pass_others(
    server: ScriptedServer, target: ClusterTarget
) -> None:
    server.script = [Reply(body=FULL)]
    wishes = [replace(WISH, pod=f"p-{number}", uid=f"u-{number}") for number in range(40)]
    seen = [(len(_causes(target, *wishes)), len(server.seen)) for _ in range(4)]
    assert seen == [(16, 16), (32, 32), (40, 40), (40, 40)]
    assert MOST_AT_ONCE == 16


@pytest.mark.parametrize("status", [400, 403, 404, 500])
def test_a_log_that_cannot_be_read_leaves_the_verdict_and_is_left_alone_for_a_while(
    server: ScriptedServer, target: ClusterTarget, status: int
) -> None:
    server.script = [Reply(status=status)]
    assert _causes(target, WISH) == _causes(target, WISH) == {}
    assert len(server.seen) == 1


def test_a_node_that_hangs_costs_no_more_than_its_share(
    server: ScriptedServer, target: ClusterTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_causes, "SECONDS", 0.2)
    server.script = [Reply(silent_seconds=20.0)]
    other = replace(WISH, uid="u-2")
    assert _causes(target, WISH, other) == {}  # would hang for as long as the deadline allows
    assert _causes(target, WISH, other) == {}
    assert len(server.seen) == 2
