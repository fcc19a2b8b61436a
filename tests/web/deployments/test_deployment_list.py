"""The list shows what is stored; it never asks a cluster and never asks the database row by row."""

import re
from collections.abc import Callable
from datetime import timedelta
from html import unescape

import pytest
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from console.environment import KubernetesEnvironment
from deployments.models import Cluster, Deployment
from providers import registry
from providers.contract.status import PHASES, Phase
from templates_app.models import Model, ModelDeploymentTemplate

Launch = Callable[..., Deployment]


@pytest.fixture(autouse=True)
def _no_environment(settings: LazySettings) -> None:
    settings.K8S = KubernetesEnvironment()


@pytest.fixture(autouse=True)
def _two_kinds(_only_memory: None, settings: LazySettings) -> None:
    settings.SLIPWAY_PROVIDERS = ["providers.testing.memory", "providers.kubernetes"]
    registry.forget()


@pytest.fixture
def cluster(db: None) -> Cluster:
    return Cluster.objects.create(name="fra-h100", reachable=True)


@pytest.fixture
def template(db: None) -> ModelDeploymentTemplate:
    model = Model.objects.create(id="qwen3-8b", name="Qwen3 8B", serving_name="qwen3-8b")
    return ModelDeploymentTemplate.objects.create(
        model=model, name="chat", version="v3", status="active", spec={}
    )


@pytest.fixture
def launch(cluster: Cluster, template: ModelDeploymentTemplate) -> Launch:
    def make(name: str, **fields: object) -> Deployment:
        now = timezone.now()
        phase = Phase(str(fields.get("phase", Phase.READY)))
        defaults: dict[str, object] = {
            "name": name,
            "name_key": name,
            "runtime_name": name,
            "kind": "k8s-deployment",
            "cluster": cluster,
            "namespace": "chat",
            "model": template.model,
            "template": template,
            "template_version": template.version,
            "serving_name": "qwen3-8b",
            "accelerator_type": "H100",
            "intent_since": now,
            "created_by_name": "vera",
            "created_at": now,
            "updated_at": now,
            "rank": PHASES[phase].rank,
        }
        return Deployment.objects.create(**(defaults | fields))

    return make


def shown(client: Client, path: str = "/deployments") -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


def test_without_a_cluster_the_page_says_what_to_set(viewer: Client) -> None:
    page = shown(viewer)
    assert "No cluster is configured." in page
    assert "K8S_KUBECONFIG" in page
    assert "K8S_NAMESPACE" in page


def test_with_the_environment_s_cluster_the_page_says_that_nothing_is_launched(
    viewer: Client, settings: LazySettings
) -> None:
    settings.K8S = KubernetesEnvironment(kubeconfig="/x")
    page = shown(viewer)
    assert "Nothing is launched yet" in page
    assert "No cluster is configured" not in page


def test_a_disabled_cluster_counts_for_nothing(viewer: Client, cluster: Cluster) -> None:
    Cluster.objects.update(enabled=False)
    assert "No cluster is configured" in shown(viewer)


def test_a_row_says_what_is_wrong_with_word_reason_sentence_and_counts(
    viewer: Client, launch: Launch
) -> None:
    launch(
        "support-chat",
        phase="Failed",
        reason="ImageNotFound",
        message="0 of 2 replicas ready; image x:1 not found",
        desired_replicas=2,
        observed_at=timezone.now() - timedelta(seconds=90),
    )
    page = shown(viewer)
    for fact in (
        "support-chat",
        "Qwen3 8B",
        "<b>Failed</b> <code>ImageNotFound</code>",
        "0 of 2 replicas ready; image x:1 not found",
        "fra-h100 / chat",
        "Kubernetes Deployment",
        "by vera",
        ">1 min</time> ago",
    ):
        assert fact in page
    assert 'data-status="failed" data-tone="fail"' in page


def test_a_row_says_how_many_accelerators_of_which_type_each_replica_holds(
    viewer: Client, launch: Launch
) -> None:
    launch("alike", accelerator_count=2)
    launch("by-roles", accelerator_count=8, accelerator_type="4 × H100 + 4 × L40S")
    page = shown(viewer)
    assert "2 × H100 each" in page
    assert ">4\xa0×\xa0H100 + 4\xa0×\xa0L40S each" in page


def test_every_phase_has_a_word_and_an_icon(viewer: Client, launch: Launch) -> None:
    for phase in Phase:
        launch(f"in-{phase.value.lower()}", phase=phase.value)
    page = shown(viewer)
    assert [f"<b>{phase}</b>" for phase in Phase if f"</svg><b>{phase}</b>" not in page] == []


def test_what_needs_attention_comes_first_and_what_is_closed_is_gone(
    viewer: Client, launch: Launch
) -> None:
    launch("broken", phase="Failed")
    launch("fine", phase="Ready")
    launch("over", phase="Deleted", closed_at=timezone.now())
    page = shown(viewer)
    assert page.index("broken") < page.index("fine")
    assert "over</a>" not in page


def test_a_row_of_a_silent_cluster_says_that_it_is_only_remembered(
    viewer: Client, launch: Launch
) -> None:
    launch("docs", phase="Ready")
    Cluster.objects.update(reachable=False)
    page = shown(viewer)
    assert "Last known: fra-h100 does not answer." in page
    assert 'data-status="stale">' in page


def test_names_and_messages_are_text_never_markup(viewer: Client, launch: Launch) -> None:
    launch("<script>name</script>", message="<img src=x onerror=y>")
    page = shown(viewer)
    assert "<script>name" not in page
    assert "<img" not in page


@pytest.mark.parametrize("rows", [1, 200])
def test_the_list_takes_as_many_queries_for_many_rows_as_for_one(
    viewer: Client, launch: Launch, rows: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(rows):
        launch(f"chat-{number}")
    with django_assert_num_queries(
        9
    ):  # session, person, role, counts, clusters, banners (two), choices, rows
        page = shown(viewer)
    assert page.count('<tr role="row" data-status="deploying">') == min(rows, 50)


@pytest.mark.parametrize(
    ("asked", "first"), [("2", "51–51 of 51"), ("99", "51–51 of 51"), ("x", "1–50 of 51")]
)
def test_pages_that_are_not_there_show_the_nearest_one(
    viewer: Client, launch: Launch, asked: str, first: str
) -> None:
    for number in range(51):
        launch(f"chat-{number}")
    assert first in shown(viewer, f"/deployments?page={asked}")


def names_in(page: str) -> list[str]:
    return re.findall(r'id="open-[^"]+">([^<]*)</a>', page)


def test_the_counts_are_links_that_narrow_the_list(viewer: Client, launch: Launch) -> None:
    for name, phase in (("a", "Failed"), ("b", "Failed"), ("c", "Ready")):
        launch(name, phase=phase)
    page = shown(viewer)
    counts = re.findall(
        r'href="(\S+)" id="count-(\w+)"(?:(?!</a>).)*?<b>(\d+)</b>', page, re.DOTALL
    )
    assert {word: int(count) for _, word, count in counts if count != "0"} == {
        "all": 3,
        "failed": 2,
        "ready": 1,
    }
    address = next(unescape(address) for address, word, _ in counts if word == "failed")
    assert sorted(names_in(shown(viewer, address))) == ["a", "b"]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("search=CHAT", ["chat-one"]),
        ("namespace=search", ["embed"]),
        ("cluster=fra-h100", ["chat-one", "embed"]),
        ("cluster=elsewhere", []),
        ("model_id=qwen3-8b&namespace=chat", ["chat-one"]),
        ("implementation_kind=memory", ["embed"]),
        ("created_by=vera", ["chat-one"]),
        ("created_by=me", ["embed"]),
        ("search=&cluster=&status=", ["chat-one", "embed"]),
        ("status=Ready&namespace=search", ["embed"]),
    ],
)
def test_each_filter_keeps_what_it_names(
    owner: Client, launch: Launch, asked: str, found: list[str]
) -> None:
    olga = User.objects.get(username="olga")
    launch("chat-one")
    launch(
        "embed",
        phase="Ready",
        namespace="search",
        kind="memory",
        created_by=olga,
        created_by_name="olga",
    )
    assert sorted(names_in(shown(owner, f"/deployments?{asked}"))) == found


def test_the_form_shows_what_the_list_is_narrowed_by(viewer: Client, launch: Launch) -> None:
    launch("one")
    launch("two", namespace="search")
    page = shown(viewer, "/deployments?search=o&namespace=search&status=Ready&created_by=vera")
    assert 'name="search" value="o"' in page
    assert '<option value="search" selected>search</option>' in page
    assert '<option value="vera" selected>vera</option>' in page
    assert '<input type="hidden" name="status" value="Ready" form="filters">' in page
    assert '<option value="fra-h100"' not in page  # a choice of one narrows nothing


def test_a_status_that_there_is_not_is_said_and_narrows_nothing(
    viewer: Client, launch: Launch
) -> None:
    launch("one")
    page = shown(viewer, "/deployments?status=<script>")
    assert "There is no status “&lt;script&gt;”." in page
    assert names_in(page) == ["one"]


def test_the_next_page_stays_as_narrow(viewer: Client, launch: Launch) -> None:
    for number in range(51):
        launch(f"chat-{number}", phase="Ready")
    page = shown(viewer, "/deployments?search=chat&status=Ready")
    link = re.search(r'href="(\S+)" id="page-next"', page)
    assert link
    assert unescape(link[1]) == "/deployments?search=chat&status=Ready&page=2"
    assert "51–51 of 51" in shown(viewer, unescape(link[1]))


def test_what_is_closed_is_a_list_of_its_own_that_does_not_ask_again(
    viewer: Client, launch: Launch
) -> None:
    launch("runs")
    launch("over", phase="Deleted", closed_at=timezone.now())
    page = shown(viewer, "/deployments?scope=closed")
    assert names_in(page) == ["over"]
    assert "Closed deployments" in page
    assert "data-poll" not in page


def test_nothing_that_matches_is_not_the_same_as_nothing_at_all(
    viewer: Client, launch: Launch
) -> None:
    launch("one")
    assert "No deployment matches" in shown(viewer, "/deployments?search=zzz")
    assert "Nothing is closed yet" in shown(viewer, "/deployments?scope=closed")


@pytest.mark.parametrize(("phase", "seconds"), [("Deploying", 5), ("Ready", 30)])
def test_the_list_asks_again_soon_while_anything_on_it_moves(
    viewer: Client, launch: Launch, phase: str, seconds: int
) -> None:
    launch("at-rest", phase="Ready")
    launch("other", phase=phase)
    page = shown(viewer, "/deployments?search=t")
    assert f'hx-get="/deployments?search=t" hx-trigger="every {seconds}s,' in page


def test_a_filter_gets_the_results_alone_and_its_plain_address(
    viewer: Client, launch: Launch
) -> None:
    launch("one")
    answer = viewer.get(
        "/deployments?search=one&cluster=", headers={"HX-Request": "true", "HX-Trigger": "filters"}
    )
    page = answer.content.decode()
    assert page.lstrip().startswith('<div class="results" id="results"')
    assert answer.headers["HX-Push-Url"] == "/deployments?search=one"
    assert 'hx-swap-oob="innerHTML">1 deployment found</p>' in page
    assert "HX-Request" in answer.headers["Vary"]


def test_a_list_that_polls_says_nothing_and_moves_no_address(
    viewer: Client, launch: Launch
) -> None:
    launch("one")
    answer = viewer.get("/deployments", headers={"HX-Request": "true", "HX-Trigger": "results"})
    assert "HX-Push-Url" not in answer.headers
    assert "announcement" not in answer.content.decode()
    assert names_in(answer.content.decode()) == ["one"]


def test_a_full_page_of_long_sentences_stays_light(viewer: Client, launch: Launch) -> None:
    for number in range(60):
        launch(f"{number:03}-{'long-name-' * 5}", phase="Failed", message="what is wrong " * 20)
    assert len(viewer.get("/deployments").content) < 120_000


def test_each_row_leads_to_its_deployment(viewer: Client, launch: Launch) -> None:
    deployment = launch("one")
    assert f'href="/deployments/{deployment.pk}" id="open-{deployment.pk}">one</a>' in shown(viewer)
