"""What stands above every tab: what it is and since when, and what this person may do."""

import re
from datetime import UTC, datetime
from html import unescape

import pytest
from django.test import Client

from deployments.models import Deployment
from tests.web.deployments.seen_pages import path_of, shown


def test_a_stranger_finds_nothing_and_nobody_is_asked_to_sign_in(
    stranger: Client, anonymous: Client, deployment: Deployment
) -> None:
    for rest in ("", "/manifests", "/manifests.yaml", "/delete"):
        assert stranger.get(path_of(deployment, rest)).status_code == 404
        assert anonymous.get(path_of(deployment, rest)).status_code == 302


@pytest.mark.parametrize(
    "path", ["/deployments/00000000-0000-4000-8000-000000000000", "/deployments/x"]
)
def test_a_deployment_that_there_is_not_is_not_found(viewer: Client, path: str) -> None:
    assert viewer.get(path).status_code == 404


def test_only_who_may_delete_is_shown_the_way_to_it(
    viewer: Client, owner: Client, member: Client, admin: Client, deployment: Deployment
) -> None:
    way = f'href="{path_of(deployment, "/delete")}"'
    offered = [way in shown(one, path_of(deployment)) for one in (viewer, member, owner, admin)]
    assert offered == [False, False, True, True]


def test_who_may_launch_is_led_to_another_one_like_it(
    viewer: Client, member: Client, deployment: Deployment
) -> None:
    assert "Launch another like this" not in shown(viewer, path_of(deployment))
    link = re.search(r'href="(/launch/[^"]+)"', shown(member, path_of(deployment)))
    assert link
    form = shown(member, unescape(link[1]))
    assert re.search(r'name="min_replicas"[^>]*value="2"', form)
    assert "harbour" in form


@pytest.mark.parametrize("tab", ["", "/resources", "/events", "/history"])
def test_it_says_when_it_was_launched_in_words_that_stay_true(
    viewer: Client, deployment: Deployment, tab: str
) -> None:
    Deployment.objects.update(created_at=datetime(2026, 11, 30, 9, 5, 7, tzinfo=UTC))
    page = shown(viewer, path_of(deployment, tab))
    head = page.partition('<header class="page-head">')[2].partition("</header>")[0]
    assert (
        'launched <time datetime="2026-11-30T09:05:07+00:00">30 Nov 2026, 09:05 UTC</time>' in head
    )
    assert " ago" not in head
