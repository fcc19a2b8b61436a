"""The log of a deployment over the API: plain text, and refusals in JSON."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from deployments.models import Deployment
from deployments.services.deleting import delete_deployment
from providers import registry
from providers.contract.errors import Rejected, Unavailable
from providers.contract.observing import LogLine
from providers.contract.protocols import Capabilities
from providers.testing.memory.cluster import MemoryCluster
from tests.api.conftest import Person

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.fixture
def made(owner: Person, order: dict[str, Any]) -> str:
    status, answer = owner.post("deployments", order)
    assert status == 201
    identity: str = answer["id"]
    return identity


@pytest.fixture
def pod(made: str) -> str:
    return f"{Deployment.objects.get(pk=made).runtime_name}-0"


@pytest.fixture
def printed(runtime: MemoryCluster, pod: str) -> list[LogLine]:
    lines = [
        LogLine(at=NOON + timedelta(seconds=number), text=f"line {number} <b>")
        for number in range(600)
    ]
    runtime.printed[pod] = lines
    return lines


def _text(person: Person, made: str, **query: str) -> str:
    answer = person.client.get(f"/api/v1/deployments/{made}/logs", query)
    assert answer.status_code == 200, answer.content
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    text: str = answer.content.decode()
    return text


def test_the_last_500_lines_come_as_plain_text(
    viewer: Person, made: str, printed: list[LogLine]
) -> None:
    lines = _text(viewer, made).splitlines()
    assert lines == [line.text for line in printed[-500:]]


def test_it_says_which_log_was_chosen(viewer: Person, made: str, pod: str) -> None:
    answer = viewer.client.get(f"/api/v1/deployments/{made}/logs")
    assert (answer.headers["X-Log-Pod"], answer.headers["X-Log-Container"]) == (pod, "engine")


@pytest.mark.usefixtures("printed")
def test_lines_may_be_fewer_newer_and_stamped(viewer: Person, made: str) -> None:
    assert _text(viewer, made, tail_lines="1") == "line 599 <b>\n"
    since = "2026-11-30T13:09:58+01:00"
    assert _text(viewer, made, since_time=since, timestamps="true") == (
        "2026-11-30T12:09:58+00:00 line 598 <b>\n2026-11-30T12:09:59+00:00 line 599 <b>\n"
    )


@pytest.mark.usefixtures("printed")
@pytest.mark.parametrize("accept", ["text/plain", "application/json", "text/html", "*/*", "x"])
def test_any_accept_header_gets_the_log(viewer: Person, made: str, accept: str) -> None:
    answer = viewer.client.get(f"/api/v1/deployments/{made}/logs", headers={"accept": accept})
    assert (answer.status_code, answer.headers["Content-Type"]) == (
        200,
        "text/plain; charset=utf-8",
    )


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("tail_lines", "0"),
        ("tail_lines", "10001"),
        ("tail_lines", "-1"),
        ("tail_lines", "1_0"),
        ("tail_lines", "9" * 5000),
        ("tail_lines", "٣"),
        ("previous", "yes"),
        ("timestamps", "1"),
        ("since_time", "yesterday"),
        ("since_time", "2026-11-30T12:00:00"),
        ("since_time", "0001-01-01T00:00:00+14:00"),
        ("since_time", "9999-12-31T23:59:59-12:00"),
        ("pod", "x" * 254),
        ("container", "x" * 254),
    ],
)
def test_a_wrong_field_is_named(viewer: Person, made: str, field: str, value: str) -> None:
    status, answer = viewer.get(f"deployments/{made}/logs", **{field: value})
    assert (status, list(answer["fields"])) == (400, [field])


def test_all_wrong_fields_are_named_at_once(viewer: Person, made: str) -> None:
    _, answer = viewer.get(f"deployments/{made}/logs", tail_lines="x", since_time="x")
    assert list(answer["fields"]) == ["tail_lines", "since_time"]


def test_a_pod_that_is_not_of_the_deployment_is_404(viewer: Person, made: str) -> None:
    for query in ({"pod": "coredns-0"}, {"container": "sidecar"}, {"pod": "../../secrets"}):
        status, answer = viewer.get(f"deployments/{made}/logs", **query)
        assert (status, answer["code"]) == (404, "not_found")
        assert next(iter(query.values())) in answer["message"]


def test_a_container_that_has_not_started_says_so(
    viewer: Person, made: str, runtime: MemoryCluster, pod: str
) -> None:
    runtime.unprinted[pod] = "container engine has not started yet: ContainerCreating"
    status, answer = viewer.get(f"deployments/{made}/logs")
    assert (status, answer["code"], answer["message"]) == (
        409,
        "no_log",
        "container engine has not started yet: ContainerCreating",
    )
    status, answer = viewer.get(f"deployments/{made}/logs", previous="true")
    assert (status, "no previous log" in answer["message"]) == (409, True)


def test_a_silent_cluster_is_503_and_one_that_refuses_is_422(
    viewer: Person, made: str, runtime: MemoryCluster
) -> None:
    runtime.faults["logs"] = Unavailable("the cluster does not answer", retry_after=7)
    assert viewer.get(f"deployments/{made}/logs")[0] == 503
    runtime.faults["logs"] = Rejected("grant get on pods/log", code="Forbidden")
    status, answer = viewer.get(f"deployments/{made}/logs")
    assert (status, answer["message"]) == (422, "grant get on pods/log")


def test_closed_records_and_kinds_without_logs_say_so(
    owner: Person, made: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(registry.get("memory"), "capabilities", Capabilities())
        assert owner.get(f"deployments/{made}/logs")[0] == 501
    delete_deployment(Deployment.objects.get(pk=made), user=owner.user)
    status, answer = owner.get(f"deployments/{made}/logs")
    assert (status, answer["code"]) == (409, "closed")


def test_strangers_find_nothing(stranger: Person, made: str) -> None:
    assert stranger.get(f"deployments/{made}/logs")[0] == 404
    stranger.client.credentials()
    assert stranger.get(f"deployments/{made}/logs")[0] == 401
