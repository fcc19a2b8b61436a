"""Objects decode whatever is missing or null, and read foreign times with patience."""

from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest

from providers.workload import objects as k8s
from providers.workload.objects import (
    Container,
    Event,
    Item,
    Layer,
    Node,
    Pod,
    ResourceQuota,
    SliceEndpoint,
    moment,
    present,
)

KINDS = [
    item
    for item in vars(k8s).values()
    if isinstance(item, type) and issubclass(item, Item) and item not in {Item, Layer}
]


def decoded(kind: type[Any], document: object) -> Any:
    return msgspec.json.decode(msgspec.json.encode(document), type=kind)


def _with_nulls(kind: type[Any]) -> dict[str, None]:
    return {field.encode_name: None for field in msgspec.structs.fields(kind)}


def test_all_ten_kinds_are_here() -> None:
    assert {kind.__name__ for kind in KINDS} == {
        "Deployment", "EndpointSlice", "Event", "HorizontalPodAutoscaler", "Namespace", "Node",
        "Pod", "ReplicaSet", "ResourceQuota", "Service",
    }  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_an_object_of_nulls_and_one_of_nothing_decode(kind: type[Any]) -> None:
    for document in ({}, _with_nulls(kind), {"metadata": _with_nulls(k8s.ObjectMeta)}):
        item = decoded(kind, document)
        assert (item.name, item.namespace, item.uid, dict(item.labels)) == ("", "", "", {})
        assert item.finalizers == ()
        assert item.controller is None


def _parts() -> list[type[Any]]:
    return [
        item
        for item in vars(k8s).values()
        if isinstance(item, type) and issubclass(item, msgspec.Struct)
    ]


@pytest.mark.parametrize("part", _parts())
def test_every_field_of_every_part_may_be_null(part: type[Any]) -> None:
    assert decoded(part, _with_nulls(part)) == decoded(part, {})


def test_nulls_inside_lists_and_maps_decode() -> None:
    pod = decoded(
        Pod,
        {
            "metadata": {"labels": {"a": None}, "finalizers": [None], "ownerReferences": [None]},
            "spec": {
                "containers": [None, {"env": [None], "resources": {"requests": {"cpu": None}}}]
            },
            "status": {"conditions": [None], "containerStatuses": [None]},
        },
    )
    assert pod.labels["a"] is None
    assert pod.is_ready is False
    assert len(present(pod.wanted.containers)) == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-11-30T12:00:00Z", datetime(2026, 11, 30, 12, tzinfo=UTC)),
        ("2026-11-30T12:00:00.123456Z", datetime(2026, 11, 30, 12, 0, 0, 123456, tzinfo=UTC)),
        ("2026-11-30T13:00:00+01:00", datetime(2026, 11, 30, 12, tzinfo=UTC)),
        ("2026-11-30T12:00:00", datetime(2026, 11, 30, 12, tzinfo=UTC)),
        ("yesterday", None),
        ("0000-00-00T00:00:00Z", None),
        ("", None),
        (None, None),
    ],
)
def test_a_time_is_read_or_none(text: str | None, expected: datetime | None) -> None:
    assert moment(text) == expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"eventTime": "2026-11-30T12:00:01.5Z", "count": None}, 1.5),
        ({"lastTimestamp": "2026-11-30T12:00:02Z", "firstTimestamp": "2026-11-30T11:00:00Z"}, 2),
        ({"eventTime": None, "firstTimestamp": "2026-11-30T12:00:03Z"}, 3),
        ({"metadata": {"creationTimestamp": "2026-11-30T12:00:04Z"}}, 4),
        (
            {
                "eventTime": "2026-11-30T12:00:00Z",
                "series": {"lastObservedTime": "2026-11-30T12:00:05Z", "count": 3},
            },
            5,
        ),
        ({"eventTime": "soon", "lastTimestamp": "2026-11-30T12:00:06Z"}, 6),
    ],
)
def test_an_event_s_time_is_the_last_it_tells(given: object, expected: float) -> None:
    at = decoded(Event, given).at
    assert (at - datetime(2026, 11, 30, 12, tzinfo=UTC)).total_seconds() == expected


def test_an_event_without_any_time_or_count_was_seen_once() -> None:
    event = decoded(Event, {"count": 0})
    assert (event.at, event.times) == (None, 1)


def test_a_limit_counts_where_no_request_stands_beside_it() -> None:
    document = {"resources": {"limits": {"a/gpu": "2", "cpu": "4"}, "requests": {"cpu": "1"}}}
    assert decoded(Container, document).requests == {"a/gpu": "2", "cpu": "1"}


def test_an_endpoint_that_does_not_say_is_ready() -> None:
    assert decoded(SliceEndpoint, {"conditions": {"ready": None}}).is_ready
    assert not decoded(SliceEndpoint, {"conditions": {"ready": False}}).is_ready


@pytest.mark.parametrize(
    ("spec", "ready", "takes"),
    [({}, "True", True), ({"unschedulable": True}, "True", False), ({}, "Unknown", False)],
)
def test_a_node_takes_pods_when_ready_and_not_cordoned(
    *, spec: object, ready: str, takes: bool
) -> None:
    status = {"conditions": [{"type": "Ready", "status": ready}]}
    assert decoded(Node, {"spec": spec, "status": status}).takes_pods is takes


def test_a_quota_tells_all_its_scopes() -> None:
    spec = {
        "scopes": ["NotTerminating"],
        "scopeSelector": {"matchExpressions": [{"scopeName": "PriorityClass"}, None]},
    }
    assert decoded(ResourceQuota, {"spec": spec}).scopes == {"NotTerminating", "PriorityClass"}


def test_variables_are_never_kept() -> None:
    container = {"name": "engine", "env": [{"name": "HF_TOKEN", "value": "hush"}]}
    pod = decoded(Pod, {"spec": {"containers": [container]}})
    assert "engine" in repr(pod)
    assert "hush" not in repr(pod)
