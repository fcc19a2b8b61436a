"""Lists and details say so when the background work has stopped, and only then."""

from collections.abc import Callable
from datetime import timedelta
from html import unescape

from django.test import Client
from django.utils import timezone

from deployments.models import Deployment, Heartbeat
from deployments.services.heartbeat import beat

Launch = Callable[..., Deployment]

LATE = "refreshed in the background"


def said(client: Client, path: str, **headers: str) -> bool:
    answer = client.get(path, headers=headers)
    assert answer.status_code == 200
    return LATE in unescape(answer.content.decode())


def test_while_it_acts_no_page_says_anything(viewer: Client, launch: Launch) -> None:
    deployment = launch()
    beat()
    assert not said(viewer, "/deployments")
    assert not said(viewer, f"/deployments/{deployment.pk}")


def test_when_it_stops_list_and_detail_say_since_when(viewer: Client, launch: Launch) -> None:
    deployment = launch()
    beat()
    Heartbeat.objects.update(at=timezone.now() - timedelta(minutes=4, seconds=5))
    for path in ("/deployments", f"/deployments/{deployment.pk}"):
        page = unescape(viewer.get(path).content.decode())
        assert "Nothing was refreshed in the background for 4 min." in page


def test_a_time_to_come_is_told_as_what_it_is(viewer: Client, launch: Launch) -> None:
    launch()
    beat()
    Heartbeat.objects.update(at=timezone.now() + timedelta(hours=3))
    page = unescape(viewer.get("/deployments").content.decode())
    assert "which is yet to come: a clock was set back" in page


def test_what_never_acted_is_told_as_well(viewer: Client, launch: Launch) -> None:
    launch()
    page = unescape(viewer.get("/deployments").content.decode())
    assert "Nothing is refreshed in the background yet." in page


def test_the_part_that_polls_says_it_too(viewer: Client, launch: Launch) -> None:
    launch()
    polled = {"HX-Request": "true", "HX-Target": "results"}
    assert said(viewer, "/deployments", **polled)
    beat()
    assert not said(viewer, "/deployments", **polled)


def test_history_does_not_wait_for_anybody(viewer: Client, launch: Launch) -> None:
    launch()
    assert not said(viewer, "/deployments?scope=closed")
