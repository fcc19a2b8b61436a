"""Deleting in the browser: asked first, done once, only by who may."""

import re
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client

from deployments.models import AuditEntry, Deployment
from providers.contract.errors import Unavailable
from providers.testing.memory.cluster import MemoryCluster

DELETION = "deployment.delete"


def address(deployment: Deployment) -> str:
    return f"/deployments/{deployment.pk}/delete"


def hold(runtime: MemoryCluster) -> None:
    """Keep every object on the cluster, as a finalizer does."""
    for stored in runtime.objects.values():
        stored.held_by = ("example.com/guard",)


def test_the_page_names_every_object_that_goes(
    owner: Client, deployment: Deployment, runtime: MemoryCluster
) -> None:
    page = owner.get(address(deployment)).content.decode()
    for key in runtime.objects:
        assert f"<b>{key.kind}</b> <code>{key.name}</code>" in page
    assert "<b>2 pods</b>" in page
    assert "harbour / models" in page


def test_looking_at_the_page_deletes_nothing(owner: Client, deployment: Deployment) -> None:
    owner.get(address(deployment))
    owner.head(address(deployment))
    deployment.refresh_from_db()
    assert not deployment.is_deleting
    assert not deployment.is_closed


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_what_the_cluster_still_holds_is_deleting_and_says_what_it_waits_for(
    owner: Client, deployment: Deployment, runtime: MemoryCluster, headers: dict[str, str]
) -> None:
    hold(runtime)
    answer = owner.post(address(deployment), {"reason": "no longer used"}, headers=headers)
    assert (answer.status_code, answer.headers["Location"]) == (
        302,
        f"/deployments/{deployment.pk}",
    )
    page = owner.get(answer.headers["Location"]).content.decode()
    assert "<b>Deleting</b> <code>PendingFinalizer</code>" in page
    assert "every 5s" in page
    entry = AuditEntry.objects.get(action=DELETION)
    assert (entry.reason, entry.source, entry.actor_name) == ("no longer used", "page", "olga")
    assert entry.request_id == answer.headers["X-Request-ID"]


def test_what_is_gone_at_once_reads_as_history(owner: Client, deployment: Deployment) -> None:
    answer = owner.post(address(deployment), follow=True)
    assert re.search(r"Closed \d+ s ago\.", answer.content.decode())
    assert "support-chat" not in owner.get("/deployments").content.decode()
    assert "support-chat" in owner.get("/deployments?scope=closed").content.decode()


def test_sent_twice_it_is_asked_of_the_cluster_once(
    owner: Client, deployment: Deployment, runtime: MemoryCluster
) -> None:
    hold(runtime)
    for _ in range(2):
        answer = owner.post(address(deployment))
        assert answer.headers["Location"] == f"/deployments/{deployment.pk}"
    assert runtime.calls.count("delete") == 1
    assert AuditEntry.objects.filter(action=DELETION).count() == 1
    assert owner.get(address(deployment)).status_code == 302


def test_a_cluster_that_is_away_gets_it_later(
    owner: Client, deployment: Deployment, runtime: MemoryCluster
) -> None:
    runtime.faults["*"] = Unavailable("the cluster is away")
    page = owner.post(address(deployment), follow=True).content.decode()
    assert "<b>Deleting</b>" in page
    assert "the cluster is away" in page


@pytest.mark.parametrize("role", ["viewer", "member", "curator"])
@pytest.mark.parametrize("method", ["get", "post"])
def test_who_may_not_delete_it_is_told_whose_it_is(
    request: pytest.FixtureRequest, deployment: Deployment, role: str, method: str
) -> None:
    client: Client = request.getfixturevalue(role)
    answer = getattr(client, method)(address(deployment))
    assert answer.status_code == 403
    assert "launched by olga" in answer.content.decode()
    deployment.refresh_from_db()
    assert not deployment.is_deleting


def test_an_admin_may_delete_what_others_launched(admin: Client, deployment: Deployment) -> None:
    admin.post(address(deployment))
    deployment.refresh_from_db()
    assert deployment.is_closed


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_a_reason_that_is_too_long_is_said_beside_it_and_kept(
    owner: Client, deployment: Deployment, headers: dict[str, str]
) -> None:
    answer = owner.post(address(deployment), {"reason": "x" * 501}, headers=headers)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "at most 500 characters" in page
    assert "x" * 501 in page
    assert re.search(r'<input[^>]* name="reason"[^>]* autofocus>', page)
    deployment.refresh_from_db()
    assert not deployment.is_deleting


def test_a_form_without_its_token_does_nothing(
    owner: Client, person: Callable[..., User], deployment: Deployment
) -> None:
    careful = Client(enforce_csrf_checks=True)
    careful.force_login(User.objects.get(username="olga"))
    assert careful.post(address(deployment)).status_code == 403
    deployment.refresh_from_db()
    assert not deployment.is_deleting


def test_names_are_text_never_markup(owner: Client, deployment: Deployment) -> None:
    Deployment.objects.update(name="<script>alert(1)</script>")
    assert "<script>alert" not in owner.get(address(deployment)).content.decode()
