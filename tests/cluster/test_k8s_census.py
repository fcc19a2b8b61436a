"""No replica is dropped by any change: eight of them, each number that was ever stored counted.

Made once through the provider alone and once over the API, by which people change things.
"""

import copy
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from django.contrib.auth.models import User
from pytest_django import Settings
from rest_framework.test import APIClient

from console.environment import KubernetesEnvironment
from deployments.services.clusters import synchronise_default_cluster
from providers import registry
from providers.kubernetes.provider import provider
from providers.testing.samples import spec_with
from templates_app import services
from templates_app.entries import parse_model, parse_template
from tests.cluster.census import Census, place_of
from tests.cluster.driving import Call, over_the_api, through_the_provider
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.launching import eventually, launch_in
from tests.cluster.transitions import (
    TRANSITIONS,
    Counted,
    Transition,
    count_transition,
    scale_outside,
    table_of,
)

pytestmark = pytest.mark.usefixtures("cluster_nodes")

SPEC = spec_with(
    scaling_defaults={"min_replicas": 1}, overridable={"engine_args.max_model_len": {"max": 8192}}
)


@pytest.fixture(scope="module")
def counted(pytestconfig: pytest.Config) -> Iterator[list[Counted]]:
    """Keep what was seen, and print it at the end of the module whatever the verdict."""
    seen: list[Counted] = []
    yield seen
    capture = pytestconfig.pluginmanager.getplugin("capturemanager")
    with capture.global_and_fixture_disabled():
        print("", *table_of(seen), sep="\n")


@pytest.fixture
def order(
    db: None, settings: Settings, control_plane: ControlPlane, namespace: str, unhurried: None
) -> Iterator[Mapping[str, Any]]:
    """Let the console know the cluster and a template; returns what launches it."""
    settings.K8S = KubernetesEnvironment(
        kubeconfig=str(control_plane.kubeconfig), namespace=namespace
    )
    settings.SLIPWAY_PROVIDERS = ["providers.kubernetes"]
    registry.forget()
    synchronise_default_cluster()
    model = services.create_model(parse_model({"id": "qwen", "name": "Qwen"}), by=None)
    entry = parse_template(name="mock", version="1.0.0", spec=SPEC)
    template = services.create_template(model, entry, by=None)
    services.activate_template(template, by=None)
    yield {"name": "demo", "template": {"model_id": "qwen", "template_id": str(template.pk)}}
    registry.forget()


@pytest.fixture
def call(db: None) -> Call:
    client = APIClient()
    client.force_authenticate(User.objects.create_superuser("olga"))

    def called(method: str, path: str, body: object) -> Any:
        send = getattr(client, method.lower())
        answer = send(f"/api/v1/{path}", body, format="json")
        assert answer.status_code < 400, answer.content
        return answer.json()

    return called


@pytest.mark.parametrize("transition", TRANSITIONS, ids=lambda one: one.name)
def test_no_change_through_the_provider_falls_short_of_both_its_ends(
    control_plane: ControlPlane,
    namespace: str,
    counted: list[Counted],
    transition: Transition,
) -> None:
    driver = through_the_provider(control_plane, namespace, transition.start)
    found = count_transition(driver, transition)
    counted.append(found)
    check(found)


@pytest.mark.parametrize("transition", TRANSITIONS, ids=lambda one: one.name)
def test_no_change_over_the_api_falls_short_of_both_its_ends(
    control_plane: ControlPlane,
    order: Mapping[str, Any],
    call: Call,
    counted: list[Counted],
    transition: Transition,
) -> None:
    whole = {**order, "overrides": dict(transition.start)}
    found = count_transition(over_the_api(call, control_plane.api, whole), transition)
    counted.append(found)
    check(found)


def check(found: Counted) -> None:
    census, transition = found.census, found.transition
    assert found.dropped == 0
    assert max(census.wanted) <= max(transition.before, transition.after)
    assert census.steps[-1] == transition.after
    assert transition.made is None or found.made == transition.made


def test_a_replica_that_is_dropped_for_a_moment_is_counted(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = launch_in(control_plane, namespace, overrides={"min_replicas": 3})
    launch.create()
    launch.wait_until_ready(3)
    without = copy.deepcopy(provider.render(launch.request, launch.target)[0])
    del without["spec"]["replicas"]
    place = place_of(launch)

    with Census(place=place) as census:
        launch.api.apply(launch.deployment_path, without, manager="slipway")
        # Its controllers act on the last number alone, so they are given time for each.
        eventually("two pods go", lambda: census.fewest_ready == 1)
        scale_outside(place, 3)
        launch.wait_until_ready(3)
        census.linger()

    assert census.steps == (3, 1, 3)
    assert census.fewest_ready == 1
