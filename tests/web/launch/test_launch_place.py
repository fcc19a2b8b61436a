"""The third step: where there is room, what quotas leave, and which implementations fit."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest
from django.conf import LazySettings
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from deployments.models import Cluster
from deployments.services.capacity import store_capacity
from providers import registry
from providers.contract.capacity import Capacity, NamespaceQuotas, Quota
from providers.contract.errors import Unavailable
from providers.testing.memory.cluster import MemoryCluster
from tests.web.launch.flow import Flow, MakeTemplate


def test_every_enabled_cluster_and_namespace_is_offered_with_what_is_free(flow: Flow) -> None:
    Cluster.objects.create(name="closed", enabled=False)
    Cluster.objects.create(name="alone", default_namespace="ml", reachable=False)
    page = flow.entering(place=None, kind=None).page("place")
    for fact in ("harbour/models", "harbour/chat", "alone/ml", "9 of 16 H100", "Does not answer"):
        assert fact in page
    assert "closed" not in page.replace("disclosed", "")
    assert 'value="harbour/models" required checked' in page
    assert 'value="memory" required checked' in page


def test_a_namespace_says_what_its_quotas_leave(flow: Flow, cluster: Cluster) -> None:
    quota = Quota(
        quota="team", resource="requests.nvidia.com/gpu", hard=Decimal(12), used=Decimal(10)
    )
    counted = Capacity(
        observed_at=datetime.now(UTC),
        namespaces=(NamespaceQuotas(name="chat", quotas=(quota,)),),
    )
    store_capacity(cluster, counted)
    assert "2 of 12 requests.nvidia.com/gpu left" in flow.page("place")


def test_a_cluster_that_cannot_be_counted_still_stands_there(
    flow: Flow, runtime: MemoryCluster
) -> None:
    runtime.faults["*"] = Unavailable("no route to host", code="Unreachable")
    page = flow.page("place")
    assert "not counted yet" in page
    assert "harbour/models" in page


def test_an_implementation_that_cannot_carry_the_template_says_why(
    flow: Flow, settings: LazySettings, make_template: MakeTemplate
) -> None:
    settings.SLIPWAY_PROVIDERS = [
        "providers.testing.memory",
        "providers.kubernetes",
        "providers.nothing_there",
    ]
    registry.forget()
    only = make_template("only", compatibility={"implementation_kinds": ["memory"]})
    page = flow.entering(template=str(only.pk)).page("place")
    assert "The template allows only memory." in page
    assert "It does not load: ModuleNotFoundError" in page
    assert "Not available</span>" in page
    assert 'value="memory" required checked' in page
    refused = flow.entering(template=str(only.pk), kind="k8s-deployment").page("place", status=422)
    assert "k8s-deployment cannot be had: The template allows only memory." in refused


def test_only_a_kind_that_knows_serving_runtimes_may_carry_a_model_by_its_format(
    flow: Flow, settings: LazySettings, make_template: MakeTemplate
) -> None:
    settings.SLIPWAY_PROVIDERS = ["providers.kubernetes", "providers.kserve"]
    registry.forget()
    template = make_template("by-format", engine={"image": ""}, serving_runtime={"format": "vLLM"})
    page = flow.entering(template=str(template.pk), place=None, kind=None).page("place")
    assert 'value="kserve-inferenceservice" required checked' in page
    assert "It cannot run a model by its format." in page


@pytest.mark.parametrize(
    ("place", "kind", "reason"),
    [
        ("gone/models", "memory", "Cluster gone is not there (any more) or is switched off."),
        ("harbour/secret", "memory", "secret may not be launched into on harbour."),
        ("harbour", "memory", " may not be launched into on harbour."),
        ("harbour/models", "kserve", "There is no implementation kserve (any more)"),
        (None, "memory", "Choose a place and an implementation first."),
        ("harbour/models", None, "Choose a place and an implementation first."),
    ],
)
def test_a_wrong_place_is_sent_back_with_the_reason(
    flow: Flow, place: str | None, kind: str | None, reason: str
) -> None:
    where, page = flow.entering(place=place, kind=kind).sent_back("overrides")
    assert where == "/launch/place"
    assert reason in page


def test_a_kind_of_which_nobody_could_see_whether_it_is_installed_is_offered_with_what_to_ask_for(
    flow: Flow,
) -> None:
    Cluster.objects.update(kinds={}, last_pass_at=timezone.now())
    page = flow.entering(place=None, kind=None).page("place")
    assert "Whether it is installed on harbour could not be read; ask an admin there" in page
    assert 'value="memory" required' in page
    assert "Not installed" not in page


def test_a_kind_that_is_not_installed_there_is_refused(flow: Flow) -> None:
    Cluster.objects.update(kinds={"memory": False})
    where, page = flow.sent_back("review")
    assert where == "/launch/place"
    assert "memory cannot be had: It is not installed on harbour." in page
    assert "Not installed</span>" in page
    assert "Not installed on harbour; whoever runs clusters here can install it." in page


def test_a_kind_that_only_some_clusters_have_can_be_chosen_and_says_where_not(
    flow: Flow, cluster: Cluster
) -> None:
    Cluster.objects.create(name="islet", kinds={"memory": False}, namespaces=["models"])
    page = flow.page("place")
    assert 'value="memory" required aria-describedby="kind-1-why" checked' in page
    assert "Not installed on islet; it can be chosen elsewhere." in page


def test_without_a_cluster_the_page_says_so(flow: Flow) -> None:
    Cluster.objects.update(enabled=False)
    page = flow.entering(place=None, kind=None).page("place")
    assert "No cluster can be launched on" in page
    assert 'data-kind="primary"' not in page


def test_htmx_gets_the_whole_step_since_nothing_on_it_depends(flow: Flow) -> None:
    assert flow.get("place", htmx=True).status_code == 200


@pytest.mark.parametrize("extra", [0, 60])
def test_the_page_takes_as_many_queries_for_many_places_as_for_one(
    flow: Flow, extra: int, cluster: Cluster, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    Cluster.objects.update(namespaces=[f"team-{number}" for number in range(extra)] + ["models"])
    for number in range(extra // 3):
        Cluster.objects.create(name=f"c-{number}", reachable=False)
    flow.page("place")
    # session, person, role, model, template, the K8S_* row, clusters, banner
    with django_assert_num_queries(9):
        page = flow.page("place")
    assert len(page) < 60_000
