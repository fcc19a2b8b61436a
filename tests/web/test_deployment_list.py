"""The list shows what is stored; it never asks a cluster and never asks the database row by row."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from console.environment import KubernetesEnvironment
from deployments.models import Cluster, Deployment
from providers.contract.status import PHASES, Phase
from templates_app.models import Model, ModelDeploymentTemplate

Launch = Callable[..., Deployment]


@pytest.fixture(autouse=True)
def _no_environment(settings: LazySettings) -> None:
    settings.K8S = KubernetesEnvironment()


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
        "k8s-deployment",
        "by vera",
        ">1 min</time> ago",
    ):
        assert fact in page
    assert 'data-status="failed" data-tone="fail"' in page


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
    assert "<b>over</b>" not in page


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
        8
    ):  # session, person, role, counts, clusters, banner, choices, rows
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
