"""Cluster rows: the environment's own, what a provider is told, and who may change one."""

from types import SimpleNamespace

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError

from deployments.exceptions import NotAllowed
from deployments.models import AuditEntry, Cluster
from deployments.services.clusters import synchronise_default_cluster, target_of
from deployments.services.curating import confirm_identity, save_cluster
from providers.contract.target import AcceleratorMapping, Connection


@pytest.fixture
def environment(settings: SimpleNamespace) -> SimpleNamespace:
    settings.K8S = SimpleNamespace(
        kubeconfig="/etc/kube/config",
        context="lab",
        namespace="models",
        service_type="NodePort",
        container_port=9000,
        service_port=None,
        hpa_target_cpu_utilization=70,
        in_cluster=False,
        is_configured=True,
    )
    return settings


@pytest.mark.django_db
def test_the_environment_gives_the_row_default(environment: SimpleNamespace) -> None:
    synchronise_default_cluster()

    row = Cluster.objects.get()
    assert (row.name, row.enabled, row.kubeconfig) == ("default", True, "/etc/kube/config")
    target = target_of(row)
    assert target.connection == Connection(kubeconfig="/etc/kube/config", context="lab")
    assert target.creatable_namespace == target.default_namespace == "models"
    assert target.namespaces == ("models",)
    assert target.accelerators == {}
    assert (target.service_type, target.container_port, target.hpa_target) == ("NodePort", 9000, 70)
    assert environment.K8S.is_configured


@pytest.mark.django_db
def test_the_row_follows_the_environment_and_keeps_what_that_does_not_say(
    environment: SimpleNamespace,
) -> None:
    synchronise_default_cluster()
    Cluster.objects.update(region="eu", uid="seen")
    environment.K8S.context = "other"

    synchronise_default_cluster()

    row = Cluster.objects.get()
    assert (row.context, row.region, row.uid) == ("other", "eu", "seen")


@pytest.mark.django_db
def test_without_a_cluster_in_the_environment_the_row_is_disabled(
    environment: SimpleNamespace,
) -> None:
    synchronise_default_cluster()
    environment.K8S.is_configured = False

    synchronise_default_cluster()

    assert not Cluster.objects.get().enabled


@pytest.mark.django_db
def test_nothing_is_made_up_where_no_cluster_is_configured() -> None:
    synchronise_default_cluster()

    assert not Cluster.objects.exists()


@pytest.mark.django_db
def test_a_row_comes_before_the_environment(environment: SimpleNamespace) -> None:
    row = Cluster(
        name="lab",
        default_namespace="research",
        namespaces=["models", "research"],
        service_type="ClusterIP",
        container_port=8080,
        hpa_target=50,
        accelerators={"H100": {"node_selector": {"gpu": "h100"}, "tolerations": [{"key": "gpu"}]}},
    )

    target = target_of(row)

    assert environment.K8S.service_type == "NodePort"
    assert (target.service_type, target.container_port, target.hpa_target) == (
        "ClusterIP",
        8080,
        50,
    )
    assert target.namespaces == ("research", "models")
    assert target.creatable_namespace == ""
    assert target.accelerator("h100") == AcceleratorMapping(
        resource="nvidia.com/gpu",
        node_selector={"gpu": "h100"},
        tolerations=({"key": "gpu"},),
    )


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", "Not A Name"),
        ("namespaces", "models"),
        ("namespaces", ["No Good"]),
        ("accelerators", ["H100"]),
        ("accelerators", {"H100": {"colour": "red"}}),
        ("accelerators", {"H100": {"node_selector": {"gpu": 1}}}),
        ("accelerators", {"H100": {"tolerations": "all"}}),
        ("accelerators", {"H100": {"resource": 7}}),
        ("pod_env", {"A": 1}),
        ("container_port", 70000),
        ("service_type", "Carrier pigeon"),
    ],
)
@pytest.mark.django_db
def test_a_row_that_cannot_work_is_refused_by_field(field: str, value: object) -> None:
    row = Cluster(name="lab", default_namespace="models")
    setattr(row, field, value)

    with pytest.raises(ValidationError) as refusal:
        row.full_clean()
    assert list(refusal.value.message_dict) == [field]


def test_only_an_admin_changes_clusters_and_the_trail_tells_it(
    cluster: Cluster, admin: User, owner: User
) -> None:
    cluster.region = "eu"
    with pytest.raises(NotAllowed):
        save_cluster(cluster, user=owner)
    Cluster.objects.update(reachable=True)

    save_cluster(cluster, user=admin)

    stored = Cluster.objects.get()
    assert (stored.region, stored.reachable) == ("eu", True), "what a pass wrote is kept"
    entry = AuditEntry.objects.get(object_type="cluster")
    assert (entry.action, entry.actor_name, entry.role) == ("cluster.change", "ada", "admin")
    assert entry.before is not None
    assert entry.after is not None
    assert (entry.before["region"], entry.after["region"]) == ("", "eu")


def test_an_admin_confirms_another_cluster_behind_the_same_address(
    cluster: Cluster, admin: User, owner: User
) -> None:
    Cluster.objects.update(uid="old")
    with pytest.raises(NotAllowed):
        confirm_identity(cluster, user=owner)

    confirm_identity(cluster, user=admin)

    assert Cluster.objects.get().uid == ""
