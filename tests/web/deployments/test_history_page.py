"""The history of a deployment: every verdict with what was seen, and who wanted what, kept."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from deployments.models import AuditEntry, Cluster, Deployment, StatusChange, history
from deployments.services.change_orders import read_change, read_rollback
from deployments.services.changing import change_deployment
from deployments.services.deleting import delete_deployment
from deployments.services.snapshots import store_observation
from providers.contract.errors import Unavailable
from providers.contract.protocols import Observation
from providers.contract.status import Evidence, Phase, Status
from providers.testing.memory.cluster import MemoryCluster

EVIL = "<script>alert(1)</script>"
POD = Evidence(
    reason="OutOfMemory", message="container engine was killed", object="Pod chat-x7k2p", row=14
)
FAULT = Status(
    phase=Phase.FAILED,
    reason="OutOfMemory",
    message="0 of 2 replicas ready; container engine was killed",
    desired_replicas=2,
    evidence=(POD,),
)


def page_of(client: Client, deployment: Deployment, query: str = "") -> str:
    answer = client.get(f"/deployments/{deployment.pk}/history{query}")
    assert answer.status_code == 200
    return answer.content.decode()


def happens(deployment: Deployment, status: Status) -> None:
    store_observation(deployment, Observation(status=status))


def titles(page: str) -> list[str]:
    """Return the words of each line, the newest first."""
    shown = page.partition("<main")[2] or page
    found = re.findall(r"<li data-tone[^>]*>\s*<svg.*?</svg>\s*<b>(.*?)</b>", shown, re.DOTALL)
    return [re.sub(r"<[^>]+>", "", one) for one in found]


def fill(deployment: Deployment, count: int, *, phase: str = "Ready") -> None:
    now = timezone.now()
    StatusChange.objects.bulk_create(
        StatusChange(
            deployment=deployment,
            phase=phase,
            reason="Available",
            message=f"number {number}",
            at=now + timedelta(seconds=number),
            until=now + timedelta(seconds=number + 1),
        )
        for number in range(count)
    )


def test_what_failed_yesterday_is_still_explained_when_everything_is_gone(
    viewer: Client, deployment: Deployment, runtime: MemoryCluster
) -> None:
    happens(deployment, FAULT)
    runtime.objects.clear()
    delete_deployment(deployment, user=User.objects.get(username="olga"), reason="too big")
    assert deployment.is_closed
    Cluster.objects.update(enabled=False)
    runtime.faults["*"] = Unavailable("the cluster was pulled down")
    asked = len(runtime.calls)
    page = page_of(viewer, deployment)
    assert titles(page)[0] == "Deleted Removed"
    assert "Deletion asked for" in titles(page)
    assert "Failed OutOfMemory" in titles(page)
    for said in ("0 of 2 replicas ready", "Pod chat-x7k2p", "Too big", "by olga"):
        assert said in page
    assert len(runtime.calls) == asked


def test_who_launched_it_and_why_is_the_first_thing_that_happened(
    viewer: Client, deployment: Deployment
) -> None:
    page = page_of(viewer, deployment)
    assert titles(page)[-1] == "Launched"
    assert "For the help desk" in page
    assert "by olga · template 1.0.0 · applied" in page
    assert titles(page).count("Launched") == 1
    assert not [title for title in titles(page) if title.startswith("Launch ")]


def test_every_change_is_told_once_by_what_was_done(viewer: Client, deployment: Deployment) -> None:
    olga = User.objects.get(username="olga")
    for order in (
        read_change({"stopped": True, "reason": "night"}),
        read_change({"stopped": False}),
        read_change({"overrides": {"enable_multi_lora": True}}),
        read_rollback({"revision": 1}),
    ):
        change_deployment(order, deployment=deployment, user=olga)

    page = page_of(viewer, deployment)

    deeds = ("Launched", "Stopped", "Started", "Changed", "Rolled back to 1")
    told = [title for title in titles(page) if title in deeds]
    assert told == list(reversed(deeds))
    assert "by olga · revision 2 · template 1.0.0 · applied" in page


def test_a_scaling_is_one_line_beside_what_came_of_it(
    viewer: Client, deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "PASSING", timedelta(hours=1))
    order = read_change({"overrides": {"min_replicas": 3}})
    change_deployment(order, deployment=deployment, user=User.objects.get(username="olga"))
    seen = Status(phase=Phase.SCALING, reason="Starting", message="one starts", desired_replicas=3)
    deployment.refresh_from_db()
    happens(deployment, seen)
    kept = StatusChange.objects.filter(deployment=deployment).order_by("-id")
    assert titles(page_of(viewer, deployment))[:2] == ["Scaling Starting", "Changed"]
    assert [one.reason for one in kept][:3] == ["Starting", "WaitingForController", "ApplyPending"]


@pytest.mark.parametrize(("seconds", "lines"), [(1.9, 0), (2, 1), (None, 1)])
def test_what_waits_to_be_applied_is_told_where_somebody_can_notice(
    viewer: Client, deployment: Deployment, seconds: float | None, lines: int
) -> None:
    now = timezone.now()
    until = None if seconds is None else now + timedelta(seconds=seconds)
    StatusChange.objects.filter(deployment=deployment).record_end(now)
    StatusChange.objects.create(
        deployment=deployment, phase="Deploying", reason="ApplyPending", at=now, until=until
    )
    assert titles(page_of(viewer, deployment)).count("Deploying ApplyPending") == lines


def test_a_line_says_how_long_it_lasted_and_the_last_one_how_long_so_far(
    viewer: Client, deployment: Deployment
) -> None:
    StatusChange.objects.filter(deployment=deployment).record_end(timezone.now())
    now = timezone.now()
    for ago, until in ((300, 120), (120, None)):
        StatusChange.objects.create(
            deployment=deployment,
            phase="Degraded" if until else "Ready",
            at=now - timedelta(seconds=ago),
            until=now - timedelta(seconds=until) if until else None,
        )
    page = page_of(viewer, deployment)
    assert "for 3 min" in page
    assert "for 2 min so far" in page


def test_a_closed_record_does_not_go_on_lasting(viewer: Client, deployment: Deployment) -> None:
    delete_deployment(deployment, user=User.objects.get(username="olga"))
    assert "so far" not in page_of(viewer, deployment)


def test_faults_only_leaves_out_everything_else(viewer: Client, deployment: Deployment) -> None:
    happens(deployment, FAULT)
    assert titles(page_of(viewer, deployment, "?faults=1")) == ["Failed OutOfMemory"]


def test_without_any_fault_it_says_so(viewer: Client, deployment: Deployment) -> None:
    page = page_of(viewer, deployment, "?faults=1")
    assert titles(page) == []
    assert "It was never Failed or Degraded" in page


def test_a_long_history_comes_page_by_page_and_no_line_is_lost_or_twice(
    viewer: Client, deployment: Deployment
) -> None:
    fill(deployment, 60)
    told: list[str] = []
    for number in (1, 2, 3):
        page = page_of(viewer, deployment, f"?page={number}")
        assert len(titles(page)) <= 25
        told += re.findall(r"Number (\d+)<", page)
    assert told == [str(number) for number in reversed(range(60))]


def test_the_links_to_other_pages_keep_the_filter(viewer: Client, deployment: Deployment) -> None:
    fill(deployment, 60, phase="Failed")
    page = page_of(viewer, deployment, "?faults=1&page=2")
    assert 'href="?faults=1&amp;page=1" rel="prev"' in page
    assert 'href="?faults=1&amp;page=3" rel="next"' in page


@pytest.mark.parametrize("page", ["0", "999", "x", "-1"])
def test_a_page_that_there_is_not_is_the_nearest_one(
    viewer: Client, deployment: Deployment, page: str
) -> None:
    assert titles(page_of(viewer, deployment, f"?page={page}"))


@pytest.mark.parametrize("count", [1, 200])
def test_a_page_takes_as_many_queries_however_long_the_history(
    viewer: Client,
    deployment: Deployment,
    count: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    fill(deployment, count)
    user = User.objects.get(username="olga")
    for number in range(count):
        AuditEntry.objects.create(
            actor=user,
            actor_name="olga",
            action="deployment.restart",
            object_type="deployment",
            object_id=str(deployment.pk),
            outcome="accepted",
            source="page",
            at=timezone.now() + timedelta(seconds=number),
        )
    page_of(viewer, deployment)
    revisions = 1 if count == 1 else 0  # the launch is on another page by then
    # session, person, role, deployment; length, keys, verdicts, acts; the banner's cluster
    with django_assert_num_queries(9 + revisions):
        page_of(viewer, deployment)


def test_words_of_any_origin_are_text_never_markup(viewer: Client, deployment: Deployment) -> None:
    seen = Evidence(reason=EVIL, message=EVIL, object=EVIL)
    happens(
        deployment, Status(phase=Phase.FAILED, reason=EVIL[:60], message=EVIL, evidence=(seen,))
    )
    page = page_of(viewer, deployment)
    assert EVIL not in page
    assert page.count("&lt;script&gt;") >= 5


def test_a_stranger_finds_nothing_and_nobody_is_asked_to_sign_in(
    stranger: Client, anonymous: Client, launch: Callable[..., Deployment]
) -> None:
    path = f"/deployments/{launch().pk}/history"
    assert stranger.get(path).status_code == 404
    assert anonymous.get(path).status_code == 302
