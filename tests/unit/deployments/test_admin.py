"""Django's admin: clusters for admins only, never a kubeconfig's contents; history to look at."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from deployments.models import AuditEntry, Cluster, Deployment

Launch = Callable[..., Deployment]


@pytest.fixture
def curator(person: Callable[..., User]) -> User:
    return person("kurt", "curator")


def test_only_admins_come_to_clusters_and_the_audit_trail(
    client: Client, cluster: Cluster, curator: User, admin: User
) -> None:
    pages = [
        reverse("admin:deployments_cluster_change", args=[cluster.pk]),
        reverse("admin:deployments_auditentry_changelist"),
    ]
    client.force_login(curator)
    assert [client.get(page).status_code for page in pages] == [403, 403]
    client.force_login(admin)
    assert [client.get(page).status_code for page in pages] == [200, 200]


def test_an_admin_adds_a_cluster_by_path_and_the_trail_tells_it(
    client: Client, admin: User
) -> None:
    client.force_login(admin)
    form = {
        "name": "lab",
        "enabled": "on",
        "kubeconfig": "/etc/kube/lab",
        "default_namespace": "models",
        "namespaces": "[]",
        "accelerators": "{}",
        "image_pull_secrets": "[]",
        "pod_env": "{}",
    }

    answer = client.post(reverse("admin:deployments_cluster_add"), form)

    assert answer.status_code == 302
    assert Cluster.objects.get().kubeconfig == "/etc/kube/lab"
    assert AuditEntry.objects.get().action == "cluster.create"


def test_the_row_of_the_environment_cannot_be_pointed_elsewhere(
    client: Client, admin: User
) -> None:
    row = Cluster.objects.create(name="default", kubeconfig="/etc/kube/config")
    client.force_login(admin)

    page = client.get(reverse("admin:deployments_cluster_change", args=[row.pk]))

    assert b'name="kubeconfig"' not in page.content
    assert b'name="accelerators"' in page.content
    assert b'name="region"' in page.content


def test_records_and_revisions_can_be_looked_at_but_not_changed(
    client: Client, launch: Launch, admin: User
) -> None:
    deployment = launch()
    client.force_login(admin)

    for name in ("deployment", "revision"):
        listing = client.get(reverse(f"admin:deployments_{name}_changelist"))
        assert listing.status_code == 200
        assert client.get(reverse(f"admin:deployments_{name}_add")).status_code == 403
    page = client.get(reverse("admin:deployments_deployment_change", args=[deployment.pk]))
    assert page.status_code == 200
    assert b'name="_save"' not in page.content


def test_a_cluster_goes_only_while_nothing_was_launched_on_it(
    client: Client, launch: Launch, cluster: Cluster, admin: User
) -> None:
    launch()
    empty = Cluster.objects.create(name="empty")
    client.force_login(admin)

    answers = [
        client.post(reverse("admin:deployments_cluster_delete", args=[row.pk]), {"post": "yes"})
        for row in (empty, cluster)
    ]

    assert [answer.status_code for answer in answers] == [302, 403]
    assert list(Cluster.objects.values_list("name", flat=True)) == ["lab"]
    assert AuditEntry.objects.filter(action="cluster.delete", object_name="empty").exists()
