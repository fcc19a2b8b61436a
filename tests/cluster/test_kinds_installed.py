"""A kind whose schema a cluster lacks is said to be missing, and may be had once it is there."""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from knox.models import AuthToken
from pytest_django import Settings
from rest_framework.test import APIClient

from console.environment import KubernetesEnvironment
from deployments.models import Cluster, Deployment
from deployments.services.clusters import synchronise_default_cluster
from deployments.services.refreshing import refresh_cluster
from providers import registry
from templates_app.models import ModelDeploymentTemplate
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.installing import install, remove, schemas
from tests.cluster.waiting import read_until, wait_for

pytestmark = pytest.mark.django_db(transaction=True)

SECONDS = 90.0
NO_PROBLEMS: tuple[str, ...] = ()
RUNS = re.compile(r"<dt>Runs</dt><dd>[^<]*AIBrix StormService")


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
    """Tell whether the kind is known as of a pass that read all: a busy machine breaks some off."""
    cluster = Cluster.objects.get()
    assert (
        read_until(lambda: refresh_cluster(cluster).problems, NO_PROBLEMS, SECONDS) == NO_PROBLEMS
    )
    cluster.refresh_from_db()
    return bool(cluster.kinds["stormservice"])


def verdict() -> tuple[str, str]:
    """Return how the one deployment stands as of such a pass."""
    known()
    found = Deployment.objects.get()
    return found.phase, found.reason


def place_step(client: Client, template: ModelDeploymentTemplate) -> str:
    """Return the step of a launch in which place and implementation are chosen."""
    chosen = {"model": template.model_id, "template": str(template.pk)}
    answer = client.get(f"{reverse('launch-place')}?{urlencode(chosen)}")
    assert answer.status_code == 200, answer.headers
    return " ".join(answer.content.decode().split())


def api_of(user: User) -> APIClient:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {AuthToken.objects.create(user)[1]}")
    return client


def available(user: User) -> tuple[bool, str]:
    """Return what the API says of StormServices."""
    told = api_of(user).get("/api/v1/implementations").json()["implementations"]
    return next((one["available"], one["reason"]) for one in told if one["kind"] == "stormservice")


def launch(user: User, template: ModelDeploymentTemplate, name: str) -> tuple[int, dict[str, Any]]:
    """Return what the API answers to a launch as a StormService."""
    order = {
        "name": name,
        "template": {"template_id": str(template.pk)},
        "implementation": {"kind": "stormservice"},
    }
    answer = api_of(user).post("/api/v1/deployments", order, format="json")
    return answer.status_code, answer.json()


def test_it_is_offered_within_a_minute_of_being_installed_and_missed_after_it_went(
    control_plane: ControlPlane,
    client: Client,
    owner: User,
    mock_template: ModelDeploymentTemplate,
) -> None:
    client.force_login(owner)
    assert not known()
    assert not RUNS.search(client.get(reverse("clusters")).content.decode())
    assert "Not installed on default" in place_step(client, mock_template)
    assert available(owner) == (False, "not installed on default")
    status, told = launch(owner, mock_template, "too early")
    assert (status, "StormService" in told["message"]) == (422, True)

    definitions = schemas("aibrix.ai")
    install(control_plane, definitions)
    try:
        wait_for(known, SECONDS, "a pass that knows the kind")
        assert RUNS.search(client.get(reverse("clusters")).content.decode())
        assert "Not installed on default" not in place_step(client, mock_template)
        assert available(owner) == (True, "")
        status, told = launch(owner, mock_template, "in time")
        assert (status, told.get("implementation_kind")) == (201, "stormservice"), told
    finally:
        remove(control_plane, definitions)
    wait_for(lambda: not known(), SECONDS, "a pass that misses the kind")
    assert "Not installed on default" in place_step(client, mock_template)
    assert available(owner) == (False, "not installed on default")
    assert not RUNS.search(client.get(reverse("clusters")).content.decode())
    lost = ("Failed", "ProviderNotInstalled")
    wait_for(lambda: verdict() == lost, SECONDS, "what was launched is told to be lost")
