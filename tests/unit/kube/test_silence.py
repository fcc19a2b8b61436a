"""A silent server is asked once, then not for a moment; one that is only hurried, each time."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from providers.contract.errors import Unavailable
from providers.contract.target import ClusterTarget
from providers.kube import silence
from providers.kube.client import client_for
from providers.kube.clock import deadline_in
from tests.unit.kube.conftest import Reply, ScriptedServer

pytestmark = pytest.mark.usefixtures("quick")


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(silence, "SILENT_SECONDS", 0.2)
    monkeypatch.setattr(silence, "REMEMBERED_SECONDS", 0.4)


def test_who_comes_right_after_a_silence_need_not_wait(
    server: ScriptedServer, target: ClusterTarget
) -> None:
    server.script = [Reply(silent_seconds=1.0), Reply(body=b"{}")]
    client = client_for(target, deadline=deadline_in(2))
    with pytest.raises(Unavailable):
        client.get("/x", deadline=deadline_in(0.3))

    with pytest.raises(Unavailable, match=r"does not answer.*asked again in"):
        client.get("/x", deadline=deadline_in(5))

    assert len(server.seen) == 1


def test_after_the_moment_it_is_asked_again(server: ScriptedServer, target: ClusterTarget) -> None:
    server.script = [Reply(silent_seconds=0.5), Reply(body=b"{}")]
    client = client_for(target, deadline=deadline_in(2))
    with pytest.raises(Unavailable):
        client.get("/x", deadline=deadline_in(0.3))
    time.sleep(0.5)

    assert client.get("/x", deadline=deadline_in(2)).status == 200
    assert client.get("/x", deadline=deadline_in(2)).status == 200


def test_a_time_that_was_too_short_is_no_silence(
    server: ScriptedServer, target: ClusterTarget
) -> None:
    server.script = [Reply(silent_seconds=0.3), Reply(body=b"{}")]
    client = client_for(target, deadline=deadline_in(2))
    with pytest.raises(Unavailable):
        client.get("/x", deadline=deadline_in(0.1))

    assert client.get("/x", deadline=deadline_in(2)).status == 200


def test_a_server_that_answers_others_meanwhile_is_slow_and_not_silent(
    server: ScriptedServer, target: ClusterTarget
) -> None:
    server.script = [Reply(silent_seconds=0.6), Reply(body=b"{}"), Reply(body=b"{}")]
    client = client_for(target, deadline=deadline_in(2))
    with ThreadPoolExecutor(1) as pool:
        slow = pool.submit(client.get, "/slow", deadline=deadline_in(0.4))
        while not server.seen:
            time.sleep(0.01)
        assert client.get("/quick", deadline=deadline_in(2)).status == 200
        with pytest.raises(Unavailable):
            slow.result()

    assert client.get("/next", deadline=deadline_in(2)).status == 200
