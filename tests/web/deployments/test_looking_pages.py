"""The tabs Resources and Events: what is there and was said now, else what was known last."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from deployments.models import Deployment
from deployments.services.deleting import delete_deployment
from providers import registry
from providers.contract.errors import Unavailable
from providers.contract.observing import EventLine
from providers.contract.protocols import Capabilities
from providers.testing.memory.cluster import MemoryCluster

HTMX = {"HX-Request": "true"}
EVIL = "<script>alert(1)</script>"
PARTS = ("resources", "events")


def address(deployment: Deployment, part: str) -> str:
    return f"/deployments/{deployment.pk}/{part}"


def shown(client: Client, path: str, **headers: str) -> str:
    answer = client.get(path, headers=headers)
    assert answer.status_code == 200
    return unescape(answer.content.decode())


def told(runtime: MemoryCluster, **changes: object) -> EventLine:
    """Tell one more thing about the first replica."""
    line: EventLine = replace(runtime.told[0], **changes)  # type: ignore[arg-type]
    runtime.told.append(line)
    return line


@pytest.fixture
def warned(deployment: Deployment, runtime: MemoryCluster) -> EventLine:
    at = timezone.now() - timedelta(minutes=5)
    return told(
        runtime,
        at=at,
        first_at=at - timedelta(hours=1),
        count=12,
        is_warning=True,
        reason="BackOff",
        message="Back-off restarting failed container",
    )


def test_every_object_stands_below_its_owner_in_words(
    viewer: Client, deployment: Deployment
) -> None:
    page = shown(viewer, address(deployment, "resources"))
    assert "4 objects, none in trouble" in page
    owner = page.index("MemoryWorkload")
    assert owner < min(page.index("MemoryReplica"), page.index("MemoryService"))
    assert "<b>Complete</b> <span>2 of 2 replicas ready</span>" in page
    assert "node <b>memory-1</b>" in page
    assert 'aria-current="page">Resources</a>' in page


def test_a_replicas_containers_lead_to_their_logs(viewer: Client, deployment: Deployment) -> None:
    page = shown(viewer, address(deployment, "resources"))
    name = f"{deployment.runtime_name}-0"
    assert f'href="/deployments/{deployment.pk}/logs?pod={name}&container=engine"' in page
    assert "Log before" not in page


def test_what_cannot_be_read_is_named_and_hides_nothing(
    viewer: Client, deployment: Deployment, runtime: MemoryCluster
) -> None:
    runtime.unreadable["EndpointSlice"] = f"forbidden {EVIL}"
    answer = viewer.get(address(deployment, "resources")).content.decode()
    assert "Not everything could be read." in answer
    assert "<b>EndpointSlice</b>: forbidden &lt;script&gt;" in answer
    assert "4 objects" in answer


def test_a_workload_that_somebody_removed_is_in_trouble(
    viewer: Client, deployment: Deployment, runtime: MemoryCluster
) -> None:
    [key] = [key for key in runtime.objects if key.kind == "MemoryWorkload"]
    runtime.remove(key)
    page = shown(viewer, address(deployment, "resources"))
    assert "2 objects, 1 in trouble" in page
    assert "<b>Missing</b> <span>Somebody removed it from the cluster</span>" in page


def test_events_stand_newest_first_with_their_counts(
    viewer: Client, deployment: Deployment, warned: EventLine
) -> None:
    page = shown(viewer, address(deployment, "events"))
    assert page.index("<b>Started</b>") < page.index("<b>BackOff</b>")
    assert "12 times" in page
    assert "5 min ago" in page
    assert "first 1 h ago" in page
    assert "Warnings <b>1</b>" in page


def test_events_are_narrowed_to_warnings_and_to_an_object_by_plain_links(
    viewer: Client, deployment: Deployment, warned: EventLine
) -> None:
    page = shown(viewer, address(deployment, "events") + "?only=warnings")
    assert "<b>BackOff</b>" in page
    assert "<b>Started</b>" not in page
    other = f"MemoryReplica {deployment.runtime_name}-1"
    page = shown(viewer, address(deployment, "events") + f"?object={other}")
    assert (page.count("<b>Started</b>"), page.count("<b>BackOff</b>")) == (1, 0)
    assert f'<option value="{other}" selected>' in page
    page = shown(viewer, address(deployment, "events") + f"?object={other}&only=warnings")
    assert "Nothing of that kind was said." in page


def test_an_event_without_a_time_or_words_is_still_a_line(
    viewer: Client, deployment: Deployment, runtime: MemoryCluster
) -> None:
    told(runtime, at=None, first_at=None, reason="", message="", source="")
    page = shown(viewer, address(deployment, "events"))
    for said in ("no time told", "No reason", "Nothing else was said."):
        assert said in page


def test_a_hundred_events_are_drawn_and_all_of_them_on_demand(
    viewer: Client, deployment: Deployment, runtime: MemoryCluster
) -> None:
    for number in range(120):
        told(runtime, message=f"number {number}")
    page = shown(viewer, address(deployment, "events"))
    assert (page.count("<b>Started</b>"), "100 of 122 lines" in page) == (100, True)
    assert shown(viewer, address(deployment, "events") + "?all=1").count("<b>Started</b>") == 122


def test_what_the_cluster_says_is_never_taken_for_html(
    viewer: Client, deployment: Deployment, runtime: MemoryCluster
) -> None:
    told(
        runtime,
        reason=EVIL,
        message=EVIL,
        source=EVIL,
        object=f"Pod {deployment.runtime_name}{EVIL}",
    )
    answer = viewer.get(address(deployment, "events")).content.decode()
    assert answer.count("&lt;script&gt;") >= 4
    assert EVIL not in answer


@pytest.mark.parametrize("part", PARTS)
def test_a_silent_cluster_leaves_what_was_known_with_the_cause(
    viewer: Client, deployment: Deployment, runtime: MemoryCluster, part: str
) -> None:
    shown(viewer, f"/deployments/{deployment.pk}")
    runtime.faults["*"] = Unavailable("the cluster does not answer")
    page = shown(viewer, address(deployment, part))
    assert "Nothing could be read now." in page
    assert "The cluster does not answer." in page
    assert "What was known last" in page
    assert "2 of 2 replicas ready" in page
    assert re.search(r'hx-trigger="every \d+s', page)


@pytest.mark.parametrize("part", PARTS)
def test_a_closed_record_says_that_nothing_is_left_and_asks_no_more(
    viewer: Client, deployment: Deployment, part: str
) -> None:
    delete_deployment(deployment, user=User.objects.get(username="olga"))
    page = shown(viewer, address(deployment, part))
    assert "nothing of it is on the cluster any more" in page
    assert "hx-trigger" not in page
    polled = viewer.get(address(deployment, part), headers=HTMX)
    assert polled.headers["HX-Refresh"] == "true"


@pytest.mark.parametrize("part", PARTS)
def test_a_kind_that_lets_nobody_look_says_so(
    viewer: Client, deployment: Deployment, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry.get("memory"), "capabilities", Capabilities())
    assert "The implementation memory offers no look" in shown(viewer, address(deployment, part))


@pytest.mark.parametrize("part", PARTS)
def test_a_fragment_is_the_part_of_the_page_that_asks(
    viewer: Client, deployment: Deployment, part: str
) -> None:
    fragment = shown(viewer, address(deployment, part), **HTMX, **{"HX-Trigger": part})
    assert f'id="{part}"' in fragment
    assert "<html" not in fragment


def test_a_moving_deployment_is_asked_for_soon_and_one_at_rest_seldom(
    viewer: Client, launch: Callable[..., Deployment], runtime: MemoryCluster
) -> None:
    deployment = launch()
    Deployment.objects.update(phase="Deploying")
    assert 'hx-trigger="every 5s,' in shown(viewer, address(deployment, "events"))
    Deployment.objects.update(phase="Ready")
    assert 'hx-trigger="every 30s,' in shown(viewer, address(deployment, "events"))


def test_news_is_read_out_once(
    viewer: Client, deployment: Deployment, runtime: MemoryCluster
) -> None:
    page = shown(viewer, address(deployment, "resources"))
    [polled] = re.findall(r'hx-get="([^"]*/resources\?said=[^"]*)"', page)
    assert 'id="announcement"' not in shown(viewer, polled, **HTMX)
    [key] = [key for key in runtime.objects if key.kind == "MemoryWorkload"]
    runtime.remove(key)
    assert "2 objects, 1 in trouble</p>" in shown(viewer, polled, **HTMX)


def test_a_filter_moves_the_address_and_a_poll_does_not(
    viewer: Client, deployment: Deployment, warned: EventLine
) -> None:
    path = address(deployment, "events") + "?only=warnings"
    answer = viewer.get(path, headers={**HTMX, "HX-Trigger": "only-warnings"})
    assert answer.headers["HX-Push-Url"] == path
    assert "HX-Push-Url" not in viewer.get(path, headers={**HTMX, "HX-Trigger": "events"}).headers


@pytest.mark.parametrize("part", PARTS)
def test_strangers_find_nothing(stranger: Client, deployment: Deployment, part: str) -> None:
    assert stranger.get(address(deployment, part)).status_code == 404
