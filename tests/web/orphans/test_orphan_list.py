"""The list of what has no record: whom it is for, what it says, what it never lets through."""

from collections.abc import Callable

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from deployments.models import Cluster
from providers.testing.memory.cluster import MemoryCluster
from tests.orphaned import close_only
from tests.web.orphans.asked import HOSTILE, Launch, address, fields, text


def test_only_an_admin_is_led_there_and_let_in(
    anonymous: Client,
    stranger: Client,
    viewer: Client,
    curator: Client,
    admin: Client,
    cluster: Cluster,
    launch: Launch,
    lose: Callable[..., None],
) -> None:
    lose(launch())
    for end in ("", "/remove", "/adopt"):
        assert anonymous.get(address(cluster, end)).status_code == 302
        assert stranger.get(address(cluster, end)).status_code == 404
        for one in (viewer, curator):
            assert one.get(address(cluster, end)).status_code == 403
            assert one.post(address(cluster, end)).status_code in {403, 405}
    link = f'<a href="{address(cluster)}">2 objects without a record</a>'
    assert link in text(admin, "/clusters")
    assert link not in text(viewer, "/clusters")
    assert "2 objects without a record" in text(viewer, "/clusters")
    assert admin.get("/clusters/4711/orphans").status_code == 404


def test_the_list_tells_what_where_whose_and_what_can_be_done(
    admin: Client, cluster: Cluster, launch: Launch, lose: Callable[..., None]
) -> None:
    forgotten, closed = launch("chat"), launch("search")
    lose(forgotten)
    lose(closed, how=close_only)
    page = text(admin, address(cluster))
    assert (
        "Launched by olga from the template mock-cpu 1.0.0 of qwen3-8b; there is no record of it."
        in page
    )
    assert "Launched by olga; its record is closed." in page
    for word in (str(forgotten.pk), str(closed.pk), forgotten.runtime_name, "MemoryService"):
        assert word in page
    assert f'href="/deployments/{closed.pk}"' in page
    assert page.count("can be adopted") == 2
    assert "Is another console using this cluster?" in page


def test_nothing_is_said_to_be_nothing(admin: Client, cluster: Cluster) -> None:
    assert "Everything of ours on lab belongs to a deployment." in text(admin, address(cluster))


def test_what_objects_say_is_never_markup(
    admin: Client,
    cluster: Cluster,
    memory: MemoryCluster,
    launch: Launch,
    lose: Callable[..., None],
) -> None:
    deployment = launch()
    for stored in memory.objects.values():
        annotations = stored.manifest["metadata"]["annotations"]
        annotations["slipway.dev/display-name"] = HOSTILE
        if "slipway.dev/launch" in annotations:
            told = annotations["slipway.dev/launch"]
            annotations["slipway.dev/launch"] = told.replace("olga", "<img src=x>")
    lose(deployment)
    page = admin.get(address(cluster)).content.decode()
    key = fields(page, "group")[0]
    for end in ("/remove", "/adopt"):
        page += admin.get(address(cluster, end), {"group": key}).content.decode()
    assert "<img" not in page
    assert page.count("&lt;img") >= 6


@pytest.mark.parametrize("count", [1, 25])
def test_the_list_costs_the_same_however_many_there_are(
    admin: Client,
    cluster: Cluster,
    launch: Launch,
    lose: Callable[..., None],
    count: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    lose(*(launch(f"d{number}") for number in range(count)))
    with django_assert_num_queries(9):
        admin.get(address(cluster))
