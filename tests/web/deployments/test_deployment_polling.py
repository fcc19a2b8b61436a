"""What a deployment's page does while somebody looks: it asks again, and ends as history."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from deployments.models import Deployment, LoadTime
from deployments.services.deleting import delete_deployment
from providers.contract.starts import PodStart
from providers.testing.memory.cluster import MemoryCluster
from tests.web.deployments.seen_pages import HTMX, path_of, shown


@pytest.mark.parametrize(("ready", "seconds"), [(2, 30), (1, 5)])
def test_it_asks_again_soon_while_it_moves_and_seldom_at_rest(
    viewer: Client, deployment: Deployment, runtime: MemoryCluster, ready: int, seconds: int
) -> None:
    runtime.ready[deployment.runtime_name] = ready
    page = shown(viewer, path_of(deployment))
    assert f'hx-trigger="every {seconds}s, visibilitychange from:document"' in page


def test_htmx_gets_the_part_that_lives_and_is_told_only_what_is_news(
    viewer: Client, deployment: Deployment, runtime: MemoryCluster
) -> None:
    page = shown(viewer, path_of(deployment))
    address = re.findall(r'hx-get="(/deployments/[^"]*)"', page)[0]
    again = shown(viewer, address, **HTMX)
    assert again.lstrip().startswith('<div class="overview" id="overview" data-poll')
    assert "announcement" not in again
    runtime.ready[deployment.runtime_name] = 1
    news = shown(viewer, address, **HTMX)
    assert 'id="announcement" hx-swap-oob="innerHTML">Degraded: 1 of 2 replicas ready' in news
    assert "HX-Request" in viewer.get(address).headers["Vary"]


def test_a_page_that_polls_after_its_session_ended_loads_anew(
    anonymous: Client, deployment: Deployment
) -> None:
    answer = anonymous.get(path_of(deployment), headers=HTMX)
    assert (answer.status_code, answer.headers["HX-Refresh"]) == (200, "true")
    assert anonymous.get(path_of(deployment)).status_code == 302


def test_what_ends_while_somebody_looks_becomes_a_page_of_history(
    viewer: Client, deployment: Deployment
) -> None:
    delete_deployment(deployment, user=User.objects.get(username="olga"))
    assert deployment.is_closed
    assert viewer.get(path_of(deployment), headers=HTMX).headers["HX-Refresh"] == "true"
    page = shown(viewer, path_of(deployment))
    assert re.search(r"Closed \d+ s ago\.", page)
    for gone in ("data-poll", '<h2 id="endpoint-title">', "/delete", "Next step"):
        assert gone not in page
    assert "What stands here is its history." in page


def test_what_came_up_while_somebody_looked_is_learnt_from(
    viewer: Client, launch: Callable[..., Deployment], runtime: MemoryCluster
) -> None:
    deployment, now = launch(), timezone.now()
    start = PodStart(pod_uid="b", scheduled_at=now - timedelta(seconds=70), ready_at=now)
    runtime.starts[deployment.runtime_name] = (start,)
    for _ in range(2):
        assert "On its node" not in shown(viewer, path_of(deployment))
    assert [load.seconds for load in LoadTime.objects.all()] == [70]
