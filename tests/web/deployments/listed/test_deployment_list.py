"""The list shows what is stored; it never asks a cluster and never asks the database row by row."""

from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from console.environment import KubernetesEnvironment
from deployments.models import Cluster, Deployment
from providers.contract.status import Phase
from tests.web.deployments.listed.rows import Launch, shown


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


def test_a_row_of_a_cluster_that_is_switched_off_says_so(viewer: Client, launch: Launch) -> None:
    launch("docs", phase="Ready")
    Cluster.objects.update(enabled=False)
    assert "Last known: fra-h100 is switched off." in shown(viewer)


def test_a_row_whose_kind_alone_could_not_be_read_says_so_until_it_is_read(
    viewer: Client, launch: Launch
) -> None:
    docs, now = launch("docs", phase="Ready"), timezone.now()
    unread = {docs.kind: {"why": "its webhook is down", "read_at": ""}}
    Cluster.objects.update(unread_kinds=unread, last_pass_at=now)
    Deployment.objects.update(observed_at=now - timedelta(minutes=2))
    assert "Last known: Kubernetes Deployment could not be read on fra-h100." in shown(viewer)

    Deployment.objects.update(observed_at=now + timedelta(seconds=1))
    assert "Last known" not in shown(viewer)


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


def test_a_full_page_of_long_sentences_stays_light(viewer: Client, launch: Launch) -> None:
    for number in range(60):
        launch(f"{number:03}-{'long-name-' * 5}", phase="Failed", message="what is wrong " * 20)
    assert len(viewer.get("/deployments").content) < 120_000


def test_each_row_leads_to_its_deployment(viewer: Client, launch: Launch) -> None:
    deployment = launch("one")
    assert f'href="/deployments/{deployment.pk}" id="open-{deployment.pk}">one</a>' in shown(viewer)
