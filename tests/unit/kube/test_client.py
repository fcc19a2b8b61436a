import os
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest

from providers.contract.errors import Unavailable
from providers.contract.target import ClusterTarget
from providers.kube import silence
from providers.kube.apply import apply_object, delete_object
from providers.kube.client import Call, client_for
from providers.kube.clock import deadline_in
from tests.ports import free_port
from tests.unit.kube.conftest import Reply, ScriptedServer, TargetAt, ample, kubeconfig_text

# Seconds: what is not bounded takes for ever, so a busy machine may well take its time.
FOR_EVER = 15.0
DEPLOYMENT = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "web", "namespace": "team"},
}


@pytest.fixture
def silent_socket() -> Iterator[str]:
    """Listen and accept by the kernel alone: no byte is ever answered."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(8)
        yield f"127.0.0.1:{listening.getsockname()[1]}"


def test_the_answer_comes_back_raw_with_the_servers_clock_and_warnings(
    server: ScriptedServer, target: ClusterTarget
) -> None:
    headers = {"Warning": '299 - "spec.x is deprecated", 299 - "use \\"y\\""'}
    server.script = [Reply(status=418, body=b'{"a": 1}', headers=headers)]
    began = int(time.time())  # as a Date tells it, without a fraction

    answer = client_for(target, deadline=ample()).get("/x", deadline=ample())

    assert (answer.status, answer.document()) == (418, {"a": 1})
    assert began <= answer.now.timestamp() <= time.time()
    assert answer.warnings == ("spec.x is deprecated", 'use "y"')
    assert server.seen[0].headers["Authorization"] == "Bearer first-token"


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_silent_socket_costs_no_more_than_the_deadline(
    silent_socket: str, target_at: TargetAt, scheme: str
) -> None:
    target = target_at(f"{scheme}://{silent_socket}")
    client = client_for(target, deadline=ample())
    started = time.monotonic()

    with pytest.raises(Unavailable) as caught:
        client.get("/version", deadline=deadline_in(0.6))

    assert 0.5 < time.monotonic() - started < FOR_EVER
    assert caught.value.code == "ClusterUnreachable"
    assert silent_socket in caught.value.message


def test_a_server_that_drips_costs_no_more_than_the_deadline(
    server: ScriptedServer, target: ClusterTarget
) -> None:
    server.script = [Reply(body=b"x" * 100, drip_seconds=0.1)]
    client = client_for(target, deadline=ample())
    started = time.monotonic()

    with pytest.raises(Unavailable, match="no answer within"):
        client.get("/x", deadline=deadline_in(0.5))

    assert time.monotonic() - started < FOR_EVER


def test_a_closed_port_is_told_in_plain_words(target_at: TargetAt) -> None:
    port = free_port()
    client = client_for(target_at(f"https://127.0.0.1:{port}"), deadline=ample())

    with pytest.raises(Unavailable) as caught:
        client.get("/version", deadline=ample())

    assert f"127.0.0.1:{port} does not answer: connection refused" in caught.value.message


def test_a_name_that_nobody_knows_is_told_in_plain_words(target_at: TargetAt) -> None:
    client = client_for(target_at("https://nobody.invalid:6443"), deadline=ample())

    with pytest.raises(Unavailable, match=r"nobody\.invalid:6443 does not answer: its name"):
        client.get("/version", deadline=ample())


def test_a_read_is_sent_again_once_when_the_connection_was_stale(
    server: ScriptedServer, target: ClusterTarget
) -> None:
    server.script = [Reply(), Reply(drop=True), Reply(body=b'{"again": true}')]
    client = client_for(target, deadline=ample())
    client.get("/first", deadline=ample())

    answer = client.get("/second", deadline=ample())

    assert answer.document() == {"again": True}
    assert [seen.path for seen in server.seen] == ["/first", "/second", "/second"]


def test_a_read_that_is_dropped_twice_is_given_up(
    server: ScriptedServer, target: ClusterTarget
) -> None:
    server.script = [Reply(drop=True)]

    with pytest.raises(Unavailable, match="closed before an answer came"):
        client_for(target, deadline=ample()).get("/x", deadline=ample())

    assert len(server.seen) == 2


@pytest.mark.parametrize("method", ["POST", "DELETE", "PATCH"])
def test_a_write_that_was_dropped_is_not_sent_again(
    server: ScriptedServer, target: ClusterTarget, method: str
) -> None:
    server.script = [Reply(drop=True), Reply()]
    client = client_for(target, deadline=ample())

    with pytest.raises(Unavailable):
        client.send(Call(method=method, path="/x", body={}), deadline=ample())

    assert len(server.seen) == 1


def test_a_server_side_apply_that_was_dropped_is_sent_again(
    server: ScriptedServer, target: ClusterTarget
) -> None:
    body = b'{"metadata": {"uid": "u-1"}}'
    server.script = [Reply(drop=True), Reply(status=200, body=body)]
    client = client_for(target, deadline=ample())

    written = apply_object(client, DEPLOYMENT, deadline=ample())

    assert (written.uid, written.created) == ("u-1", False)
    assert [seen.method for seen in server.seen] == ["PATCH", "PATCH"]
    assert "fieldManager=slipway&force=true" in server.seen[0].path


def test_429_is_obeyed_within_the_deadline(server: ScriptedServer, target: ClusterTarget) -> None:
    server.script = [Reply(status=429, headers={"Retry-After": "1"}), Reply(body=b'{"ok": 1}')]
    client = client_for(target, deadline=ample())
    started = time.monotonic()

    answer = client.get("/x", deadline=ample())

    assert answer.document() == {"ok": 1}
    assert 1.0 <= time.monotonic() - started < FOR_EVER


def test_429_that_asks_for_more_than_is_left_is_unavailable_at_once(
    server: ScriptedServer, target: ClusterTarget
) -> None:
    server.script = [Reply(status=429, headers={"Retry-After": "30"})]
    started = time.monotonic()

    with pytest.raises(Unavailable) as caught:
        client_for(target, deadline=ample()).get("/x", deadline=deadline_in(10))

    assert caught.value.retry_after == 30.0
    assert time.monotonic() - started < FOR_EVER


def test_a_server_that_asks_for_more_than_is_left_is_left_alone_until_then(
    server: ScriptedServer, target: ClusterTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    ahead = 0.0
    clock = SimpleNamespace(monotonic=lambda: time.monotonic() + ahead)
    monkeypatch.setattr(silence, "time", clock)
    server.script = [Reply(status=429, headers={"Retry-After": "20"}), Reply(body=b'{"ok": 1}')]
    client = client_for(target, deadline=ample())
    with pytest.raises(Unavailable):
        client.get("/x", deadline=deadline_in(10))

    with pytest.raises(Unavailable, match=r"asks to wait 20 s; \d+ s are left") as caught:
        client.get("/y", deadline=ample())

    assert 0 < caught.value.retry_after <= 20
    assert len(server.seen) == 1
    ahead = caught.value.retry_after
    assert client.get("/z", deadline=ample()).is_ok


def test_429_without_a_time_is_asked_again_after_a_second(
    server: ScriptedServer, target: ClusterTarget
) -> None:
    server.script = [Reply(status=429), Reply(body=b'{"ok": 1}')]
    client = client_for(target, deadline=ample())

    assert client.get("/x", deadline=ample()).document() == {"ok": 1}


def test_401_reads_the_credential_anew_and_tries_once_more(
    server: ScriptedServer, target: ClusterTarget
) -> None:
    client = client_for(target, deadline=ample())
    Path(target.connection.kubeconfig).write_text(kubeconfig_text(server.url, token="second-token"))
    server.script = [Reply(status=401), Reply(body=b'{"ok": 1}')]

    assert client.get("/x", deadline=ample()).is_ok
    sent = [seen.headers["Authorization"] for seen in server.seen]
    assert sent == ["Bearer first-token", "Bearer second-token"]


def test_401_twice_comes_back_as_it_is(server: ScriptedServer, target: ClusterTarget) -> None:
    server.script = [Reply(status=401)]

    answer = client_for(target, deadline=ample()).get("/x", deadline=ample())

    assert answer.status == 401
    assert len(server.seen) == 2


def test_the_client_is_kept_until_the_kubeconfig_is_written_anew(
    server: ScriptedServer, target: ClusterTarget
) -> None:
    first = client_for(target, deadline=ample())
    assert client_for(target, deadline=ample()) is first

    path = Path(target.connection.kubeconfig)
    path.write_text(kubeconfig_text(server.url, token="second-token"))
    os.utime(path, ns=(1, 1))
    second = client_for(target, deadline=ample())
    second.get("/x", deadline=ample())

    assert second is not first
    assert server.seen[0].headers["Authorization"] == "Bearer second-token"


def test_a_connection_serves_call_after_call(server: ScriptedServer, target: ClusterTarget) -> None:
    client = client_for(target, deadline=ample())
    for _ in range(5):
        client.get("/x", deadline=ample())

    assert len({seen.port for seen in server.seen}) == 1


def test_one_client_gives_each_of_many_threads_its_own_answer(
    server: ScriptedServer, target: ClusterTarget
) -> None:
    client = client_for(target, deadline=ample())
    gate = threading.Barrier(16)

    def ask(number: int) -> int:
        gate.wait()
        return client.get(f"/{number}", deadline=ample()).status

    with ThreadPoolExecutor(16) as threads:
        assert list(threads.map(ask, range(16))) == [200] * 16
    assert sorted(seen.path for seen in server.seen) == sorted(f"/{n}" for n in range(16))


def test_a_deadline_that_is_over_sends_nothing(
    server: ScriptedServer, target: ClusterTarget
) -> None:
    client = client_for(target, deadline=ample())

    with pytest.raises(Unavailable, match="in the time that was left"):
        client.get("/x", deadline=deadline_in(0))

    assert server.seen == []


def test_a_proxy_of_the_environment_does_not_stand_before_loopback(
    server: ScriptedServer, target: ClusterTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)

    assert client_for(target, deadline=ample()).get("/x", deadline=ample()).is_ok


def test_an_address_with_a_path_keeps_it_before_every_call(
    server: ScriptedServer, target_at: TargetAt
) -> None:
    client = client_for(target_at(f"{server.url}/k8s/clusters/c1"), deadline=ample())
    client.get("/api/v1/pods", query={"limit": "5"}, deadline=ample())

    assert [seen.path for seen in server.seen] == ["/k8s/clusters/c1/api/v1/pods?limit=5"]


def test_a_proxy_of_the_environment_is_told_the_whole_address(
    server: ScriptedServer, target_at: TargetAt, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY"):
        monkeypatch.setenv(name, server.url)
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    client = client_for(target_at("http://cluster.example:6443/c1"), deadline=ample())
    client.get("/api", deadline=ample())

    assert [seen.path for seen in server.seen] == ["http://cluster.example:6443/c1/api"]


@pytest.mark.parametrize("status", [404, 409])
def test_deleting_what_is_gone_or_another_by_now_succeeds(
    server: ScriptedServer, target: ClusterTarget, status: int
) -> None:
    from providers.contract.manifest import key_of

    server.script = [Reply(status=status, body=b'{"kind": "Status"}')]
    client = client_for(target, deadline=ample())

    delete_object(client, key_of(DEPLOYMENT), uid="u-1", deadline=ample())

    assert b'"preconditions":{"uid":"u-1"}' in server.seen[0].body
