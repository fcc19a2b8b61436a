"""What runs without a record: a list for admins, and pages that ask before anything is done."""

import re
from collections.abc import Callable, Iterator
from html import unescape

import pytest
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from deployments.models import AuditEntry, Cluster, Deployment, Orphan
from deployments.services.launching import create_deployment
from deployments.services.orders import read_order
from deployments.services.refreshing import refresh_cluster
from providers import registry
from providers.contract.errors import Unavailable
from providers.testing.memory.cluster import MemoryCluster, cluster_of, forget_clusters
from providers.testing.samples import MOCK_SPEC
from templates_app.entries import parse_model, parse_template
from templates_app.models import ModelDeploymentTemplate
from templates_app.services import activate_template, create_model, create_template
from tests.orphaned import close_only, forget_record, let_time_pass

HOSTILE = '<img src=x onerror="alert(1)">'
Launch = Callable[..., Deployment]


@pytest.fixture(autouse=True)
def _only_memory(settings: LazySettings) -> Iterator[None]:
    settings.SLIPWAY_PROVIDERS = ["providers.testing.memory"]
    registry.forget()
    forget_clusters()
    yield
    registry.forget()
    forget_clusters()


@pytest.fixture
def cluster(db: None) -> Cluster:
    return Cluster.objects.create(name="lab", default_namespace="models")


@pytest.fixture
def memory(cluster: Cluster) -> MemoryCluster:
    return cluster_of(str(cluster.pk))


@pytest.fixture
def template(db: None) -> ModelDeploymentTemplate:
    model = create_model(parse_model({"id": "qwen3-8b", "name": "Qwen3 8B"}), by=None)
    entry = parse_template(name="mock-cpu", version="1.0.0", spec=MOCK_SPEC)
    return activate_template(create_template(model, entry, by=None), by=None)


@pytest.fixture
def launch(template: ModelDeploymentTemplate, memory: MemoryCluster, owner: Client) -> Launch:
    def run(name: str = "demo") -> Deployment:
        order = {
            "name": name,
            "template": {"template_id": str(template.pk)},
            "implementation": {"kind": "memory"},
        }
        memory.clock = None
        return create_deployment(read_order(order), user=User.objects.get(username="olga"))

    return run


@pytest.fixture
def lose(cluster: Cluster, memory: MemoryCluster) -> Callable[..., None]:
    """Let deployments lose their record, by default as with an older database."""

    def run(*deployments: Deployment, how: Callable[[Deployment], None] = forget_record) -> None:
        for deployment in deployments:
            how(deployment)
        let_time_pass(memory)
        refresh_cluster(cluster)

    return run


def address(cluster: Cluster, end: str = "") -> str:
    return f"/clusters/{cluster.pk}/orphans{end}"


def text(client: Client, path: str, **query: str | list[str]) -> str:
    answer = client.get(path, query)
    assert answer.status_code == 200
    return unescape(answer.content.decode())


def fields(page: str, name: str) -> list[str]:
    """Return the values of the form's fields of a name, as a browser would send them."""
    inputs = re.findall(r"<input[^>]*>", page)
    return [
        value[1]
        for one in inputs
        if re.search(rf'name="{re.escape(name)}"', one)
        and (value := re.search(r'value="([^"]*)"', one))
    ]


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
