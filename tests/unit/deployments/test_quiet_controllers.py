"""A controller that leaves others waiting is warned of before a launch, until it acts again."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from deployments.models import Cluster, Deployment, StatusChange
from deployments.services.launching import preview_launch
from deployments.services.orders import LaunchOrder
from deployments.services.refreshing import refresh_cluster
from providers.contract.checks import Result

MakeOrder = Callable[..., LaunchOrder]
Launch = Callable[..., Deployment]

CODE = "ControllerNotResponding"
WARNING = "the controller of In memory may be away on lab: it has not acted on waiting"


def tell(deployment: Deployment, phase: str, reason: str, *, minutes_ago: int) -> None:
    """Let a verdict be what a pass found so long ago, and since."""
    Deployment.objects.filter(pk=deployment.pk).update(phase=phase, reason=reason)
    at = timezone.now() - timedelta(minutes=minutes_ago)
    StatusChange.objects.create(deployment=deployment, phase=phase, reason=reason, at=at)


@pytest.fixture
def waiting(launch: Launch) -> Deployment:
    """Return a deployment whose controller was found not to act ten minutes ago."""
    deployment = launch(name="waiting")
    tell(deployment, "Deploying", CODE, minutes_ago=10)
    return deployment


@pytest.fixture
def warned(order: MakeOrder, owner: User) -> Callable[[], list[str]]:
    """Return what a launch of another one is warned of."""

    def ask() -> list[str]:
        checks = preview_launch(order(name="another"), user=owner).checks
        return [one.message for one in checks if (one.code, one.result) == (CODE, Result.WARN)]

    return ask


def test_nobody_is_warned_where_nothing_waits(
    launch: Launch, warned: Callable[[], list[str]]
) -> None:
    launch(name="fine")
    assert warned() == []


def test_who_launches_beside_what_waits_is_told_so(
    waiting: Deployment, warned: Callable[[], list[str]]
) -> None:
    [told] = warned()
    assert told.startswith(WARNING)


def test_what_became_ready_before_is_no_sign_of_life_and_what_did_since_is(
    waiting: Deployment, launch: Launch, warned: Callable[[], list[str]]
) -> None:
    other = launch(name="other")
    tell(other, "Ready", "Available", minutes_ago=20)
    assert len(warned()) == 1
    tell(other, "Ready", "Available", minutes_ago=5)
    assert warned() == []


@pytest.mark.parametrize("column", ["kind", "cluster"])
def test_other_kinds_and_other_clusters_have_controllers_of_their_own(
    waiting: Deployment, warned: Callable[[], list[str]], column: str
) -> None:
    elsewhere = Cluster.objects.create(name="zoo")
    value = "k8s-deployment" if column == "kind" else elsewhere
    Deployment.objects.filter(pk=waiting.pk).update(**{column: value})
    assert warned() == []


def test_the_warning_goes_when_a_pass_sees_the_controller_act(
    waiting: Deployment, cluster: Cluster, warned: Callable[[], list[str]]
) -> None:
    refresh_cluster(cluster)
    assert warned() == []
