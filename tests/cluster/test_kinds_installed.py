"""A kind whose schema a cluster lacks is said to be missing, and may be had once it is there."""

from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from console.environment import KubernetesEnvironment
from deployments.models import Cluster
from deployments.services.clusters import synchronise_default_cluster
from deployments.services.refreshing import refresh_cluster
from providers import registry
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.installing import install, remove, schemas
from tests.cluster.waiting import wait_for

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _real_cluster(
    settings: Settings, control_plane: ControlPlane, namespace: str
) -> Iterator[None]:
    settings.K8S = KubernetesEnvironment(
        kubeconfig=str(control_plane.kubeconfig), namespace=namespace
    )
    settings.SLIPWAY_PROVIDERS = ["providers.kubernetes", "providers.stormservice"]
    registry.forget()
    synchronise_default_cluster()
    yield
    registry.forget()


def known() -> bool:
    cluster = Cluster.objects.get()
    assert refresh_cluster(cluster).problems == ()
    cluster.refresh_from_db()
    return bool(cluster.kinds["stormservice"])


def test_it_is_known_within_a_minute_of_being_installed_and_missed_after_it_went(
    control_plane: ControlPlane, client: Client
) -> None:
    client.force_login(User.objects.create_superuser("ada"))
    page = reverse("clusters")
    assert not known()
    assert "Not installed" in client.get(page).content.decode()

    definitions = schemas("aibrix.ai")
    install(control_plane, definitions)
    try:
        wait_for(known, 60, "a pass that knows the kind")
        assert "stormservice" in client.get(page).content.decode()
    finally:
        remove(control_plane, definitions)
    wait_for(lambda: not known(), 60, "a pass that misses the kind")
