"""The clusters as last seen: sentences, cells, quotas; never a call, never a credential."""

from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from console.environment import KubernetesEnvironment
from deployments.models import AuditEntry, Cluster
from providers import registry
from providers.contract.errors import Unavailable
from providers.testing.memory.cluster import cluster_of, forget_clusters

HOSTILE = '<img src=x onerror="alert(1)">'


@pytest.fixture(autouse=True)
def _no_environment(settings: LazySettings) -> None:
    settings.K8S = KubernetesEnvironment()


def capacity(**fields: object) -> dict[str, object]:
    one = {"type": "H100", "resource": "nvidia.com/gpu", "total": 8, "free": 3}
    return {
        "observed_at": timezone.now().isoformat(),
        "accelerators": [one | {"largest_free_on_one_node": 2}],
        "namespaces": [],
        "unknown_because": "",
    } | fields


def add_cluster(name: str = "fra-h100", **fields: Any) -> Cluster:
    return Cluster.objects.create(name=name, kubeconfig="/secret/path/kubeconfig", **fields)


def text(client: Client, path: str = "/clusters", **headers: str) -> str:
    answer = client.get(path, headers=headers)
    assert answer.status_code == 200
    return unescape(answer.content.decode())


def test_only_who_has_a_role_sees_clusters(
    anonymous: Client, stranger: Client, viewer: Client
) -> None:
    assert anonymous.get("/clusters").status_code == 302
    assert stranger.get("/clusters").status_code == 404
    assert viewer.get("/clusters").status_code == 200


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"reachable": True, "seen": 120}, ("Answers", "Seen 2 min ago.")),
        ({"reachable": True, "seen": 360}, ("Not asked lately", "is the worker running?")),
        (
            {"reachable": False, "seen": 360},
            ("Does not answer", "It answered last 6 min ago; the next pass asks again."),
        ),
        (
            {"reachable": False, "failed_passes": 4, "again_in": 75},
            ("It has never answered; after 4 failed passes it is asked again in 1 min.",),
        ),
        ({}, ("Not asked yet",)),
        ({"enabled": False, "reachable": True}, ("Switched off",)),
    ],
)
def test_one_sentence_tells_whether_a_cluster_answers(
    viewer: Client, fields: dict[str, Any], words: tuple[str, ...]
) -> None:
    seen, again = fields.pop("seen", None), fields.pop("again_in", None)
    if again:
        fields["next_try_at"] = timezone.now() + timedelta(seconds=again)
    at = timezone.now() - timedelta(seconds=seen, milliseconds=200) if seen else None
    add_cluster(last_seen_at=at, **fields)
    page = text(viewer)
    for word in words:
        assert word in page


def test_free_accelerators_can_be_counted_and_their_count_has_an_age(viewer: Client) -> None:
    add_cluster(capacity=capacity(), capacity_at=timezone.now() - timedelta(minutes=2))
    page = text(viewer)
    assert "3 of 8 free, at most 2 on one node" in page
    assert (page.count('<rect class="used"'), page.count('<rect class="free"')) == (5, 3)
    assert ">2 min</time> ago" in page


def test_more_accelerators_than_anybody_counts_share_cells(viewer: Client) -> None:
    many = {"type": "L4", "resource": "r", "total": 100_000, "free": 781}
    add_cluster(capacity=capacity(accelerators=[many | {"largest_free_on_one_node": 8}]))
    page = text(viewer)
    assert "Each cell is 782 of them." in page
    assert page.count('<rect class="used"') == 128
    # Fewer than one cell stands for are free, so no cell claims to be.
    assert '<rect class="free"' not in page


@pytest.mark.parametrize(
    ("stored", "words"),
    [
        (None, "Nobody has counted its accelerators yet."),
        ({"nonsense": 1}, "Nobody has counted its accelerators yet."),
        (
            capacity(accelerators=[], unknown_because="nodes may not be read"),
            "Its accelerators cannot be counted: nodes may not be read.",
        ),
        (capacity(accelerators=[]), "It has no accelerators of a type that is mapped."),
    ],
)
def test_what_is_not_counted_says_why(viewer: Client, stored: Any, words: str) -> None:
    add_cluster(capacity=stored)
    assert words in text(viewer)


def test_quotas_tell_by_namespace_what_is_left(viewer: Client) -> None:
    quotas = [
        {"quota": "team", "resource": "requests.memory", "hard": str(2**39), "used": str(2**37)},
        {"quota": "team", "resource": "requests.nvidia.com/gpu", "hard": "8", "used": "9"},
    ]
    add_cluster(capacity=capacity(namespaces=[{"name": "research", "quotas": quotas}]))
    page = text(viewer)
    for words in ("research", "128 Gi of 512 Gi", "384 Gi", "9 of 8", "<b>none</b>"):
        assert words in page


def test_kinds_and_the_last_error_are_told(viewer: Client) -> None:
    add_cluster(
        kinds={"k8s-deployment": True, "stormservice": False},
        reachable=False,
        last_error="It did not answer within 5 seconds.",
        last_error_code="ClusterUnreachable",
    )
    page = text(viewer)
    assert "Kubernetes Deployment" in page.split("Not installed")[0]
    assert "AIBrix StormService" in page.split("Not installed")[1]
    assert "It did not answer within 5 seconds." in page
    assert "ClusterUnreachable" in page


def test_a_kind_that_may_not_be_read_is_not_said_to_be_missing_but_what_right_to_ask_for(
    viewer: Client,
) -> None:
    add_cluster(kinds={"k8s-deployment": True}, last_pass_at=timezone.now())
    page = text(viewer)
    assert "Not installed" not in page
    assert "AIBrix StormService" in page.split("<dt>Not seen</dt>")[1]
    assert "ask an admin of the cluster for the right to get and list their objects" in page


def test_a_kind_whose_provider_is_not_named_is_neither_there_nor_missing(
    viewer: Client, settings: LazySettings
) -> None:
    settings.SLIPWAY_PROVIDERS = ["providers.kubernetes"]
    registry.forget()
    add_cluster(
        kinds={
            "k8s-deployment": True,
            "stormservice": True,
            "kserve-inferenceservice": False,
        }
    )
    page = text(viewer)
    registry.forget()
    assert "<dd>Kubernetes Deployment</dd>" in page
    assert "Not installed" not in page


@pytest.mark.parametrize(
    ("kinds", "told"),
    [({}, "not known yet"), ({"stormservice": False}, "nothing that this console can launch")],
)
def test_a_cluster_that_runs_nothing_is_told_from_one_that_nobody_asked(
    viewer: Client, kinds: dict[str, bool], told: str
) -> None:
    add_cluster(kinds=kinds)
    assert f"<dt>Runs</dt><dd>{told}</dd>" in text(viewer)


def test_only_admins_are_led_to_the_row_and_nobody_sees_the_kubeconfig(
    curator: Client, admin: Client
) -> None:
    cluster = add_cluster()
    row = f"/admin/deployments/cluster/{cluster.pk}/change/"
    assert row not in text(curator)
    assert row in text(admin)
    assert admin.get(row).status_code == 200
    assert "/secret/path" not in text(admin)


def test_what_clusters_say_is_never_markup(viewer: Client) -> None:
    one = {"type": HOSTILE, "resource": HOSTILE, "total": 1, "free": 1}
    quota = {"quota": HOSTILE, "resource": HOSTILE, "hard": "1", "used": "0"}
    add_cluster(
        region=HOSTILE,
        last_error=HOSTILE,
        capacity=capacity(
            accelerators=[one | {"largest_free_on_one_node": 1}],
            namespaces=[{"name": HOSTILE, "quotas": [quota]}],
        ),
    )
    page = viewer.get("/clusters").content.decode()
    assert "<img" not in page
    assert page.count("&lt;img") >= 5


def test_polling_gets_the_clusters_alone(viewer: Client) -> None:
    add_cluster()
    part = text(viewer, **{"HX-Request": "true"})
    assert part.lstrip().startswith('<div id="clusters"')
    assert "fra-h100" in part
    assert "<html" not in part


@pytest.mark.parametrize("rows", [1, 200])
def test_the_page_costs_the_same_however_many_there_are(
    viewer: Client, rows: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(rows):
        add_cluster(f"c{number}", capacity=capacity())
    with django_assert_num_queries(6):
        viewer.get("/clusters")


@pytest.mark.parametrize("path", ["/deployments", "/models", "/clusters", "/account", "/nothing"])
def test_every_page_tells_that_the_cluster_is_simulated(viewer: Client, path: str) -> None:
    sandbox = add_cluster("sandbox")
    told = "This is a simulated cluster."
    assert told in viewer.get(path).content.decode()
    sandbox.enabled = False
    sandbox.save()
    assert told not in viewer.get(path).content.decode()


def test_a_configured_cluster_takes_the_banner_away(viewer: Client, settings: LazySettings) -> None:
    add_cluster("sandbox")
    settings.K8S = KubernetesEnvironment(kubeconfig="/some/kubeconfig")
    assert "simulated cluster" not in viewer.get("/clusters").content.decode()


def test_an_admin_can_have_a_failing_cluster_tried_at_once(
    admin: Client, member: Client, settings: LazySettings
) -> None:
    settings.SLIPWAY_PROVIDERS = ["providers.testing.memory"]
    registry.forget()
    wait = timezone.now() + timedelta(minutes=5)
    cluster = add_cluster(reachable=False, failed_passes=6, next_try_at=wait)
    path = f"/clusters/{cluster.pk}/try"
    assert path in text(admin)
    assert path not in text(member)

    answer = admin.post(path, follow=True)

    registry.forget()
    assert answer.redirect_chain == [("/clusters", 302)]
    assert "fra-h100 answers; its deployments are read again now." in answer.content.decode()
    cluster.refresh_from_db()
    assert (cluster.reachable, cluster.failed_passes, cluster.next_try_at) == (True, 0, None)
    assert path not in text(admin), "a well cluster needs no trying"
    entry = AuditEntry.objects.get(action="cluster.try")
    assert (entry.actor_name, entry.object_name) == ("ada", "fra-h100")


def test_a_cluster_that_still_fails_says_why_and_is_asked_again_soon(
    admin: Client, settings: LazySettings
) -> None:
    settings.SLIPWAY_PROVIDERS = ["providers.testing.memory"]
    registry.forget()
    wait = timezone.now() + timedelta(minutes=5)
    cluster = add_cluster(reachable=False, failed_passes=6, next_try_at=wait)
    cluster_of(str(cluster.pk)).faults["probe"] = Unavailable("connection refused")

    page = admin.post(f"/clusters/{cluster.pk}/try", follow=True).content.decode()

    registry.forget()
    forget_clusters()
    assert "fra-h100 does not answer: connection refused." in page
    cluster.refresh_from_db()
    assert (cluster.failed_passes, cluster.next_try_at) == (6, None)
    assert cluster.last_error == "connection refused"


def test_only_an_admin_may_have_it_tried_and_only_by_a_form(
    admin: Client, member: Client, stranger: Client
) -> None:
    path = f"/clusters/{add_cluster().pk}/try"
    assert member.post(path).status_code == 403
    assert stranger.post(path).status_code == 404
    assert admin.get(path).status_code == 405
    assert admin.post("/clusters/999/try").status_code == 404
