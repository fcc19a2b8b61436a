"""What runs without a record is removed or adopted only after a page has asked."""

from collections.abc import Callable
from html import unescape

import pytest
from django.test import Client

from deployments.models import AuditEntry, Cluster, Deployment, Orphan
from deployments.services.refreshing import refresh_cluster
from providers.contract.errors import Unavailable
from providers.testing.memory.cluster import MemoryCluster
from templates_app.models import ModelDeploymentTemplate
from tests.web.orphans.asked import Launch, address, fields, text


def test_removing_asks_first_and_removes_what_was_shown(
    admin: Client,
    cluster: Cluster,
    memory: MemoryCluster,
    launch: Launch,
    lose: Callable[..., None],
) -> None:
    doomed, kept = launch("doomed"), launch("kept")
    lose(doomed, kept)
    group = next(
        key for key in fields(text(admin, address(cluster)), "group") if str(doomed.pk) in key
    )

    page = text(admin, address(cluster, "/remove"), group=group)
    assert "Remove 2 objects from lab?" in page
    assert kept.runtime_name not in page
    assert len(memory.objects) == 4

    sent = {"uid": fields(page, "uid"), "group": fields(page, "group"), "reason": "left over"}
    answer = admin.post(address(cluster, "/remove"), sent, follow=True)
    assert f"Removed: MemoryWorkload {doomed.runtime_name}" in unescape(answer.content.decode())
    assert {key.name for key in memory.objects} == {kept.runtime_name}
    entry = AuditEntry.objects.filter(action="cluster.remove_orphans").earliest("id")
    assert (entry.actor_name, entry.reason, entry.source) == ("ada", "left over", "page")


def test_what_came_under_the_same_name_while_one_looked_stays(
    admin: Client,
    cluster: Cluster,
    memory: MemoryCluster,
    launch: Launch,
    lose: Callable[..., None],
) -> None:
    lose(launch())
    uids = list(Orphan.objects.values_list("uid", flat=True))
    for stored in memory.objects.values():
        stored.uid = f"new-{stored.uid}"
    refresh_cluster(cluster)

    answer = admin.post(address(cluster, "/remove"), {"uid": uids}, follow=True)
    assert "Not removed." in answer.content.decode()
    assert len(memory.objects) == 2


def test_what_a_finalizer_holds_is_named(
    admin: Client,
    cluster: Cluster,
    memory: MemoryCluster,
    launch: Launch,
    lose: Callable[..., None],
) -> None:
    lose(launch())
    for stored in memory.objects.values():
        stored.held_by = ("example.com/keep",)
    uids = list(Orphan.objects.values_list("uid", flat=True))
    page = admin.post(address(cluster, "/remove"), {"uid": uids}, follow=True).content.decode()
    assert "Held by example.com/keep." in page
    assert "being removed" in page


def test_adopting_asks_first_and_leads_back(
    admin: Client,
    cluster: Cluster,
    launch: Launch,
    lose: Callable[..., None],
) -> None:
    deployments = [launch("chat"), launch("search")]
    lose(*deployments)
    groups = fields(text(admin, address(cluster)), "group")

    page = text(admin, address(cluster, "/adopt"), group=groups)
    assert "Adopt 2 deployments?" in page
    assert page.count("A record is written from what the workload says of itself") == 2
    assert page.count("It belongs to olga.") == 2
    assert not Deployment.objects.exists()

    sent = {"group": fields(page, "group"), "reason": "restored"}
    sent |= {f"name:{key}": fields(page, f"name:{key}")[0] for key in groups}
    answer = admin.post(address(cluster, "/adopt"), sent, follow=True)
    told = answer.content.decode()
    assert "chat is managed again." in told
    assert "search is managed again." in told
    assert set(Deployment.objects.open().values_list("phase", flat=True)) == {"Ready"}
    assert AuditEntry.objects.filter(action="deployment.adopt", reason="restored").count() == 2


def test_a_name_that_is_taken_is_told_beside_its_field_with_one_that_is_free(
    admin: Client, cluster: Cluster, launch: Launch, lose: Callable[..., None]
) -> None:
    lost = launch("chat")
    lose(lost)
    launch("chat")
    key = fields(text(admin, address(cluster)), "group")[0]

    page = text(admin, address(cluster, "/adopt"), group=key)
    assert "chat is taken in the namespace models; choose another name." in page
    assert fields(page, f"name:{key}") == [f"chat-{str(lost.pk)[:8]}"]

    refused = admin.post(address(cluster, "/adopt"), {"group": key, f"name:{key}": "CHAT"})
    assert refused.status_code == 422
    assert 'aria-invalid="true"' in refused.content.decode()
    sent = {"group": key, f"name:{key}": fields(page, f"name:{key}")[0]}
    assert admin.post(address(cluster, "/adopt"), sent).status_code == 302
    assert Deployment.objects.get(pk=lost.pk).name == f"chat-{str(lost.pk)[:8]}"


def test_what_cannot_be_adopted_says_why_and_has_no_field(
    admin: Client, cluster: Cluster, launch: Launch, lose: Callable[..., None]
) -> None:
    lose(launch())
    ModelDeploymentTemplate.objects.update(name="renamed")
    key = fields(text(admin, address(cluster)), "group")[0]
    page = text(admin, address(cluster, "/adopt"), group=key)
    assert "Cannot be adopted." in page
    assert "which the catalogue has not; import that, then adopt" in page
    assert fields(page, f"name:{key}") == []
    assert 'data-kind="primary"' not in page
    assert admin.post(address(cluster, "/adopt"), {"group": key}).status_code == 422


def test_a_silent_cluster_is_told_and_leaves_the_page_to_try_again(
    admin: Client,
    cluster: Cluster,
    memory: MemoryCluster,
    launch: Launch,
    lose: Callable[..., None],
) -> None:
    lose(launch())
    key = fields(text(admin, address(cluster)), "group")[0]
    memory.faults["*"] = Unavailable("nobody answers")
    answer = admin.post(address(cluster, "/adopt"), {"group": key, f"name:{key}": "demo"})
    assert answer.status_code == 422
    assert "Not adopted.</b> Nobody answers." in answer.content.decode()
    memory.faults.clear()
    assert admin.post(address(cluster, "/adopt"), {"group": key}).status_code == 302


@pytest.mark.parametrize("end", ["/remove", "/adopt"])
@pytest.mark.parametrize("group", [None, "nonsense", "a/b/c", "/".join("abcd")])
def test_choosing_nothing_leads_back_with_a_word(
    admin: Client, cluster: Cluster, end: str, group: str | None
) -> None:
    query = {} if group is None else {"group": group}
    answer = admin.get(address(cluster, end), query, follow=True)
    assert answer.redirect_chain == [(address(cluster), 302)]
    assert "Choose at least one deployment first" in answer.content.decode()


@pytest.mark.parametrize("end", ["/remove", "/adopt"])
def test_a_reason_that_is_too_long_is_told_beside_its_field(
    admin: Client, cluster: Cluster, launch: Launch, lose: Callable[..., None], end: str
) -> None:
    lose(launch())
    page = text(admin, address(cluster))
    sent = {"group": fields(page, "group"), "reason": "x" * 501}
    answer = admin.post(address(cluster, end), sent)
    assert answer.status_code == 422
    assert "Say it in at most 500 characters." in answer.content.decode()
    assert Orphan.objects.count() == 2
