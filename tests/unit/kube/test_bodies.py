import gzip

import pytest

from providers.contract.errors import Unavailable
from providers.contract.target import ClusterTarget
from providers.kube import bodies
from providers.kube.client import client_for
from tests.unit.kube.conftest import Reply, ScriptedServer, ample

TOLD = b'{"items": []}' * 10_000
PACKED = gzip.compress(TOLD)


def body_of(server: ScriptedServer, target: ClusterTarget, packed: bytes) -> bytes:
    server.script = [Reply(body=packed, headers={"Content-Encoding": "gzip"})]
    return client_for(target, deadline=ample()).get("/x", deadline=ample()).body


def test_a_long_answer_may_come_packed(server: ScriptedServer, target: ClusterTarget) -> None:
    assert body_of(server, target, PACKED) == TOLD
    assert server.seen[0].headers["Accept-Encoding"] == "gzip"


def test_it_may_be_packed_in_several_parts(server: ScriptedServer, target: ClusterTarget) -> None:
    assert body_of(server, target, PACKED + PACKED) == TOLD + TOLD


def test_it_may_be_longer_than_what_is_made_ready_at_once(
    server: ScriptedServer, target: ClusterTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bodies, "_MOST_AT_ONCE", 1_000)

    assert body_of(server, target, PACKED) == TOLD


@pytest.mark.parametrize(
    "packed",
    [b"no gzip", PACKED[:-3], PACKED[:20], PACKED + b"more", PACKED[:-4] + b"\xff" * 4],
    ids=["not packed", "no end", "cut", "something behind", "another length"],
)
def test_an_answer_that_is_packed_badly_is_unavailable(
    server: ScriptedServer, target: ClusterTarget, packed: bytes
) -> None:
    with pytest.raises(Unavailable):
        body_of(server, target, packed)


def test_an_empty_answer_that_counts_as_packed_is_empty(
    server: ScriptedServer, target: ClusterTarget
) -> None:
    assert body_of(server, target, b"") == b""
