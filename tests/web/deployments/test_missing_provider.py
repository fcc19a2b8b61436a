"""The pages of a deployment whose implementation is not installed in this console (any more)."""

from html import unescape

import pytest
from django.test import Client
from pytest_django import Settings

from deployments.models import Cluster, Deployment
from deployments.services.refreshing import refresh_cluster
from providers import registry

TOLD = "The implementation memory is not installed in this console"
REMEDY = "An admin can name its app in SLIPWAY_PROVIDERS"
BLAME = ("does not answer", "the cluster can be asked", "Its cluster is away", "never comes back")


@pytest.fixture
def left(deployment: Deployment, cluster: Cluster, settings: Settings) -> Deployment:
    """Return a deployment that runs, and that nothing here carries any more."""
    refresh_cluster(cluster)
    settings.SLIPWAY_PROVIDERS = ["providers.kubernetes"]
    registry.forget()
    return deployment


def path_of(deployment: Deployment, rest: str = "") -> str:
    return f"/deployments/{deployment.pk}{rest}"


def text(client: Client, path: str, *, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status
    page = unescape(answer.content.decode())
    assert not [words for words in BLAME if words in page]
    return page


@pytest.mark.parametrize(
    "rest",
    [
        "",
        "/resources",
        "/events",
        "/logs",
        "/metrics",
        "/drift",
        "/delete",
        "/change/review?base=1&stopped=true",
        "/change/review?base=1&min_replicas=3",
        "/change/review?base=1&deed=rollback&to=1",
    ],
)
def test_every_look_and_every_change_says_that_it_is_not_installed_here(
    owner: Client, left: Deployment, rest: str
) -> None:
    answer = owner.get(path_of(left, rest))
    page = unescape(answer.content.decode())
    assert answer.status_code == (503 if "review" in rest else 200)
    assert TOLD in page
    assert REMEDY in page
    assert not [words for words in BLAME if words in page]


@pytest.mark.parametrize(
    "rest", ["/history", "/manifests", "/manifests.yaml", "/revisions", "/revisions/1"]
)
def test_what_is_kept_here_is_told_as_ever(owner: Client, left: Deployment, rest: str) -> None:
    assert owner.get(path_of(left, rest)).status_code == 200


def test_nothing_is_offered_that_nobody_could_do(owner: Client, left: Deployment) -> None:
    page = text(owner, path_of(left))
    assert path_of(left, "/change") not in page
    assert 'id="scale"' not in page
    assert owner.get(path_of(left, "/change")).url == path_of(left)  # type: ignore[attr-defined]
    assert f'href="{path_of(left, "/delete")}"' in page
    assert f'href="{path_of(left, "/elsewhere")}"' in page


def test_the_list_says_that_the_row_is_what_was_known_last(owner: Client, left: Deployment) -> None:
    page = text(owner, "/deployments")
    assert 'data-status="stale"' in page
    assert "Last known: memory is not installed in this console." in page


def test_the_overview_says_what_is_left_to_do(owner: Client, left: Deployment) -> None:
    assert "an admin can forget the record" in text(owner, path_of(left))


def test_a_deletion_is_kept_and_says_what_it_waits_for(owner: Client, left: Deployment) -> None:
    page = text(owner, path_of(left, "/delete"))
    assert "What runs goes on, until its implementation is installed in this console again." in page
    assert "an admin can forget the record" in page
    assert "/forget" not in page
    owner.post(path_of(left, "/delete"), {"reason": "no longer used"})
    page = text(owner, path_of(left))
    assert "the console goes on with it once its implementation is installed here again" in page
    assert TOLD.replace("The", "the") in page


def test_an_admin_is_led_to_forgetting_it(admin: Client, left: Deployment) -> None:
    for rest in ("", "/delete"):
        page = text(admin, path_of(left, rest))
        assert f'href="{path_of(left, "/forget")}"' in page
    assert "Its implementation is away" in text(admin, path_of(left))
    assert "<b>MemoryWorkload</b>" in text(admin, path_of(left, "/forget"))
    sent = {"reason": "nobody runs it here any more", "name": left.name}
    assert admin.post(path_of(left, "/forget"), sent).status_code == 302
    left.refresh_from_db()
    assert (left.is_closed, left.reason) == (True, "Forgotten")


def test_what_was_removed_cannot_be_applied_again_by_nobody(
    owner: Client, left: Deployment
) -> None:
    assert TOLD in text(owner, path_of(left, "/apply-again"), status=503)


def test_an_app_that_is_named_and_cannot_be_used_is_told(
    owner: Client, left: Deployment, settings: Settings
) -> None:
    settings.SLIPWAY_PROVIDERS = ["providers.kubernetes", "providers.nowhere"]
    registry.forget()
    told = "of those that are named there, providers.nowhere cannot be used"
    assert told in text(owner, path_of(left))
