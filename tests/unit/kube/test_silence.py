"""A silent server is asked once, then not for a moment; one that is only hurried, each time."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from providers.contract.errors import Unavailable
from providers.contract.target import ClusterTarget
from providers.kube import silence
from providers.kube.client import client_for
from providers.kube.clock import deadline_in
from tests.unit.kube.conftest import Reply, ScriptedServer, ample, wait_until_seen

# Longer than anybody waits.
SAYS_NOTHING = Reply(silent_seconds=600.0)
WELL = Reply(body=b"{}")


def remember(monkeypatch: pytest.MonkeyPatch, *, after: float, seconds: float = 600.0) -> None:
    """Take for silence what lasted longer than `after`, and remember it for some seconds."""
    monkeypatch.setattr(silence, "SILENT_SECONDS", after)
    monkeypatch.setattr(silence, "REMEMBERED_SECONDS", seconds)


def test_who_comes_right_after_a_silence_need_not_wait(
    server: ScriptedServer, target: ClusterTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    remember(monkeypatch, after=0.2)
    server.script = [SAYS_NOTHING, WELL]
    client = client_for(target, deadline=ample())
    with pytest.raises(Unavailable):
        client.get("/x", deadline=deadline_in(0.3))
    wait_until_seen(server)

    with pytest.raises(Unavailable, match=r"does not answer.*asked again in"):
        client.get("/x", deadline=ample())

    assert len(server.seen) == 1


def test_after_the_moment_it_is_asked_again(
    server: ScriptedServer, target: ClusterTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    remember(monkeypatch, after=0.2, seconds=0.4)
    server.script = [SAYS_NOTHING, WELL]
    client = client_for(target, deadline=ample())
    with pytest.raises(Unavailable):
        client.get("/x", deadline=deadline_in(0.3))
    wait_until_seen(server)
    time.sleep(0.5)

    assert client.get("/x", deadline=ample()).status == 200
    assert client.get("/x", deadline=ample()).status == 200


def test_a_time_that_was_too_short_is_no_silence(
    server: ScriptedServer, target: ClusterTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    remember(monkeypatch, after=60.0)
    server.script = [SAYS_NOTHING, WELL]
    client = client_for(target, deadline=ample())
    with pytest.raises(Unavailable):
        client.get("/x", deadline=deadline_in(0.1))
    wait_until_seen(server)

    assert client.get("/x", deadline=ample()).status == 200


def test_a_server_that_answers_others_meanwhile_is_slow_and_not_silent(
    server: ScriptedServer, target: ClusterTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    remember(monkeypatch, after=0.2)
    server.script = [SAYS_NOTHING, WELL]
    client = client_for(target, deadline=ample())
    with ThreadPoolExecutor(1) as pool:
        # Within this time the other is asked and answers, on a busy machine too.
        slow = pool.submit(client.get, "/slow", deadline=deadline_in(3))
        wait_until_seen(server)
        assert client.get("/quick", deadline=ample()).status == 200
        with pytest.raises(Unavailable):
            slow.result()

    assert client.get("/next", deadline=ample()).status == 200
