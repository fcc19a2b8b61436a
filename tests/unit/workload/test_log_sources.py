"""Which log a reader most likely wants."""

from typing import Any

import msgspec
import pytest

from providers.contract.observing import LogQuery
from providers.workload.bundle import Mark
from providers.workload.log_sources import absent_log, chosen_of, sources_of
from providers.workload.objects import Pod

MARK = Mark(label="pod-template-hash", value="new")
ENDED = {"terminated": {"exitCode": 1}}
RUNNING = {"running": {"startedAt": "2026-11-30T09:00:00Z"}}
WAITING = {"waiting": {"reason": "PodInitializing"}}


def _pod(
    name: str, *statuses: dict[str, Any], hashed: str = "new", made: int = 0, init: bool = False
) -> Pod:
    kinds = {"containers": "containerStatuses", "initContainers": "initContainerStatuses"}
    spec: dict[str, Any] = {kind: [] for kind in kinds}
    status: dict[str, Any] = {told: [] for told in kinds.values()}
    for number, one in enumerate(statuses):
        kind = "initContainers" if init and number == 0 else "containers"
        spec[kind].append({"name": one["name"]})
        status[kinds[kind]].append(one)
    meta = {
        "name": name,
        "labels": {"pod-template-hash": hashed},
        "creationTimestamp": f"2026-11-30T09:00:0{made}Z",
    }
    document = {"metadata": meta, "spec": spec, "status": status}
    return msgspec.json.decode(msgspec.json.encode(document), type=Pod)


def _well(name: str = "engine") -> dict[str, Any]:
    return {"name": name, "ready": True, "state": RUNNING}


def _failing(name: str = "engine") -> dict[str, Any]:
    return {"name": name, "ready": False, "state": RUNNING, "lastState": ENDED}


@pytest.mark.parametrize(
    ("pods", "first"),
    [
        ([_pod("a", _well()), _pod("b", _failing())], ("b", "engine")),
        ([_pod("a", _failing(), hashed="old"), _pod("b", _well())], ("b", "engine")),
        ([_pod("a", _well(), made=1), _pod("b", _well(), made=2)], ("b", "engine")),
        ([_pod("a", _well("proxy"), _failing())], ("a", "engine")),
        (
            [_pod("a", {"name": "fetch", "state": RUNNING}, {"name": "engine"}, init=True)],
            ("a", "fetch"),
        ),
        (
            [
                _pod(
                    "a",
                    {"name": "fetch", "state": {"terminated": {"exitCode": 0}}},
                    _well(),
                    init=True,
                )
            ],
            ("a", "engine"),
        ),
        ([_pod("a", {"name": "engine", "state": WAITING})], ("a", "engine")),
    ],
)
def test_the_likeliest_log_comes_first(pods: list[Pod], first: tuple[str, str]) -> None:
    for order in (pods, pods[::-1]):
        source = sources_of(order, MARK)[0]
        assert (source.pod, source.container) == first


def test_what_has_run_before_has_a_previous_log_and_what_never_ran_has_none() -> None:
    failing, waiting = (
        sources_of([_pod("a", status)], MARK)[0]
        for status in (_failing(), {"name": "engine", "state": WAITING})
    )
    assert (failing.has_started, failing.has_previous, failing.is_failing) == (True, True, True)
    assert (waiting.has_started, waiting.has_previous, waiting.is_failing) == (False, False, False)


def test_a_pod_or_a_container_may_be_named() -> None:
    sources = sources_of([_pod("a", _well("proxy"), _well()), _pod("b", _well())], MARK)
    chosen = chosen_of(sources, LogQuery(pod="b"))
    assert chosen is not None
    assert (chosen.pod, chosen.container) == ("b", "engine")
    chosen = chosen_of(sources, LogQuery(container="proxy"))
    assert chosen is not None
    assert chosen.pod == "a"
    assert chosen_of(sources, LogQuery(pod="b", container="proxy")) is None


def test_what_is_not_there_is_named() -> None:
    sources = sources_of([_pod("a", _well())], MARK)
    assert "no pod c" in absent_log(sources, LogQuery(pod="c")).note
    assert "no container x" in absent_log(sources, LogQuery(pod="a", container="x")).note
    assert not absent_log((), LogQuery()).is_absent


def test_a_pod_of_nothing_but_nulls_has_no_logs() -> None:
    assert sources_of([msgspec.json.decode(b"{}", type=Pod)], None) == ()
