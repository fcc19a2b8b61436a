"""How a deployment ends in the browser: what goes and stays, forgetting, applying again."""

import re
from collections.abc import Callable
from html import unescape

import pytest
from django.test import Client
from django.utils import timezone

from deployments.models import AuditEntry, Cluster, Deployment
from deployments.services.refreshing import refresh_cluster
from providers.contract.errors import Rejected, Unavailable
from providers.testing.memory.cluster import MemoryCluster

WHY = "the cluster was pulled down"


def path_of(deployment: Deployment, rest: str = "") -> str:
    return f"/deployments/{deployment.pk}{rest}"


def text(client: Client, path: str, *, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status
    return unescape(answer.content.decode())


@pytest.fixture
def removed(deployment: Deployment, runtime: MemoryCluster) -> Deployment:
    """Return a deployment whose workload somebody has removed."""
    runtime.objects.pop(next(key for key in runtime.objects if key.kind == "MemoryWorkload"))
    return deployment


@pytest.fixture
def away(deployment: Deployment, runtime: MemoryCluster, cluster: Cluster) -> Deployment:
    """Return a deployment whose cluster does not answer any more."""
    runtime.faults["*"] = Unavailable("the cluster is away")
    refresh_cluster(cluster)
    return deployment


def test_the_page_of_a_deletion_says_what_is_there_what_holds_it_and_what_stays(
    owner: Client, deployment: Deployment, runtime: MemoryCluster
) -> None:
    service = next(key for key in runtime.objects if key.kind == "MemoryService")
    del runtime.objects[service]
    for stored in runtime.objects.values():
        stored.held_by = ("example.com/guard",)
    page = text(owner, path_of(deployment, "/delete"))
    assert "<b>MemoryWorkload</b>" in page
    assert "MemoryService" not in page
    assert "Held by a finalizer" in page
    assert "example.com/guard" in page
    assert "<b>Namespace</b> <code>models</code>" in page


def test_where_the_cluster_is_away_it_says_what_was_applied_last(
    owner: Client, away: Deployment
) -> None:
    page = text(owner, path_of(away, "/delete"))
    assert "This is what was applied last." in page
    assert "The cluster is away" in page
    assert "<b>MemoryWorkload</b>" in page
    assert "<b>MemoryService</b>" in page


def test_a_deletion_that_waits_says_since_when_by_whom_and_why_on_page_and_list(
    owner: Client, viewer: Client, away: Deployment
) -> None:
    owner.post(path_of(away, "/delete"), {"reason": "no longer used"})
    page = text(viewer, path_of(away))
    assert "ago</time> by olga: no longer used." in page
    assert "the console tries again by itself" in page
    assert "Forget" not in page
    assert re.search(r"Deletion asked for \d+ s ago\.", text(viewer, "/deployments"))


def test_an_admin_forgets_by_typing_the_name(
    admin: Client, owner: Client, away: Deployment, runtime: MemoryCluster
) -> None:
    assert f'href="{path_of(away, "/forget")}"' in text(admin, path_of(away))
    asked = text(admin, path_of(away, "/forget"))
    assert "<b>MemoryWorkload</b>" in asked
    assert "<b>MemoryService</b>" in asked
    calls = len(runtime.calls)

    answer = admin.post(path_of(away, "/forget"), {"reason": WHY, "name": away.name})

    assert (answer.status_code, answer.headers["Location"]) == (302, path_of(away))
    away.refresh_from_db()
    assert (away.is_closed, away.reason) == (True, "Forgotten")
    assert len(runtime.calls) == calls
    page = text(owner, path_of(away))
    assert f"Forgotten by ada: {WHY}" in page
    assert "It may have left behind: MemoryWorkload" in page
    assert "Forgetting done" in text(owner, path_of(away, "/history"))
    assert AuditEntry.objects.get(action="deployment.forget").source == "page"


def test_what_somebody_removed_is_told_once_with_its_ways_or_as_a_next_step(
    owner: Client, viewer: Client, removed: Deployment
) -> None:
    told = text(owner, path_of(removed))
    assert "What now?" in told
    assert "Next step." not in told
    told = text(viewer, path_of(removed))
    assert "What now?" not in told
    assert "Next step." in told


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"reason": "", "name": "support-chat"}, "Say why"),
        ({"reason": WHY, "name": ""}, "Type the name of the deployment."),
        ({"reason": WHY, "name": "another"}, "This is not its name; type support-chat."),
        ({}, "Say why"),
    ],
)
@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_a_reason_and_the_very_name_are_needed_and_what_was_typed_is_kept(
    admin: Client, away: Deployment, sent: dict[str, str], said: str, headers: dict[str, str]
) -> None:
    answer = admin.post(path_of(away, "/forget"), sent, headers=headers)
    page = unescape(answer.content.decode())
    assert answer.status_code == 422
    assert said in page
    assert all(f'value="{value}"' in page for value in sent.values())
    away.refresh_from_db()
    assert not away.is_closed


def test_what_can_be_deleted_is_not_forgotten(admin: Client, deployment: Deployment) -> None:
    assert "/forget" not in text(admin, path_of(deployment))
    page = text(admin, path_of(deployment, "/forget"), status=409)
    assert "delete it instead" in page
    answer = admin.post(path_of(deployment, "/forget"), {"reason": WHY, "name": deployment.name})
    assert answer.status_code == 409
    deployment.refresh_from_db()
    assert not deployment.is_closed


@pytest.mark.parametrize(("role", "status"), [("owner", 403), ("viewer", 403), ("stranger", 404)])
@pytest.mark.parametrize("method", ["get", "post"])
def test_only_an_admin_forgets(
    request: pytest.FixtureRequest, away: Deployment, role: str, status: int, method: str
) -> None:
    client: Client = request.getfixturevalue(role)
    assert getattr(client, method)(path_of(away, "/forget")).status_code == status


def test_what_was_removed_is_applied_again_or_closed(
    owner: Client, removed: Deployment, runtime: MemoryCluster
) -> None:
    page = text(owner, path_of(removed))
    assert f'href="{path_of(removed, "/apply-again")}"' in page
    assert f'href="{path_of(removed, "/delete")}"' in page
    assert "<b>MemoryWorkload</b>" in text(owner, path_of(removed, "/apply-again"))

    answer = owner.post(path_of(removed, "/apply-again"), {"reason": "by mistake"}, follow=True)

    assert "<b>Ready</b>" in answer.content.decode()
    assert {key.kind for key in runtime.objects} == {"MemoryWorkload", "MemoryService"}
    begun = AuditEntry.objects.filter(action="deployment.reapply").earliest("id")
    assert (begun.source, begun.reason) == ("page", "by mistake")
    assert "Applying again" in text(owner, path_of(removed, "/history"))


@pytest.mark.parametrize("tab", ["", "/history", "/revisions"])
def test_what_was_removed_is_not_offered_to_be_changed(
    owner: Client, removed: Deployment, tab: str
) -> None:
    text(owner, path_of(removed))  # so that it is known to be removed
    assert path_of(removed, "/change") not in text(owner, path_of(removed, tab))
    owner.post(path_of(removed, "/apply-again"), {"reason": "by mistake"})
    text(owner, path_of(removed))
    assert path_of(removed, "/change") in text(owner, path_of(removed, tab))


def test_closing_what_was_removed_says_what_is_left_and_takes_it_along(
    owner: Client, removed: Deployment, runtime: MemoryCluster
) -> None:
    text(owner, path_of(removed))  # so that it is known to be removed
    page = text(owner, path_of(removed, "/delete"))
    assert "<h1>Close support-chat?</h1>" in page
    assert "<b>MemoryService</b>" in page
    assert "MemoryWorkload" not in page
    owner.post(path_of(removed, "/delete"), {"reason": "meant to"})
    removed.refresh_from_db()
    assert removed.is_closed
    assert not runtime.objects


@pytest.mark.parametrize(
    ("fault", "status", "said"),
    [
        (Unavailable("no answer"), 503, "No answer"),
        (Rejected("may not look", code="Forbidden"), 503, "May not look"),
    ],
)
def test_what_stands_against_applying_again_is_said_and_nothing_is_stored(
    owner: Client,
    removed: Deployment,
    runtime: MemoryCluster,
    fault: Unavailable | Rejected,
    status: int,
    said: str,
) -> None:
    runtime.faults["*"] = fault
    answer = owner.post(path_of(removed, "/apply-again"), {"reason": "by mistake"})
    page = unescape(answer.content.decode())
    assert answer.status_code == status
    assert "Not applied again." in page
    assert said in page
    assert 'value="by mistake"' in page
    assert not AuditEntry.objects.filter(action="deployment.reapply").exists()


@pytest.mark.parametrize("method", ["get", "post"])
def test_what_is_there_is_not_applied_again_and_is_led_back_to(
    owner: Client, deployment: Deployment, method: str
) -> None:
    assert "/apply-again" not in text(owner, path_of(deployment))
    answer = getattr(owner, method)(path_of(deployment, "/apply-again"))
    page = unescape(answer.content.decode())
    assert answer.status_code == 409
    assert "There is nothing to apply again." in page
    assert "support-chat cannot be applied again" in page
    assert "<form class" not in page
    assert f'<a class="button" href="{path_of(deployment)}"' in page


def test_while_the_cluster_is_away_it_can_be_asked_for(owner: Client, away: Deployment) -> None:
    assert "<b>MemoryWorkload</b>" in text(owner, path_of(away, "/apply-again"))


@pytest.mark.parametrize("role", ["viewer", "member"])
def test_who_may_not_change_it_is_offered_nothing(
    request: pytest.FixtureRequest, removed: Deployment, role: str
) -> None:
    client: Client = request.getfixturevalue(role)
    page = text(client, path_of(removed))
    assert "/apply-again" not in page
    assert client.get(path_of(removed, "/apply-again")).status_code == 403


@pytest.mark.parametrize("rest", ["/forget", "/apply-again"])
def test_of_what_is_closed_only_its_history_is_left(
    admin: Client, deployment: Deployment, rest: str
) -> None:
    Deployment.objects.update(closed_at=timezone.now())
    assert admin.get(path_of(deployment, rest)).headers["Location"] == path_of(deployment)


def test_names_are_text_never_markup(
    admin: Client, launch: Callable[..., Deployment], runtime: MemoryCluster, cluster: Cluster
) -> None:
    made = launch("support-chat")
    Deployment.objects.update(name="<script>alert(1)</script>")
    runtime.faults["*"] = Unavailable("<script>alert(2)</script>")
    refresh_cluster(cluster)
    for rest in ("", "/delete", "/forget", "/apply-again"):
        assert "<script>alert" not in admin.get(path_of(made, rest)).content.decode()
