"""A cluster followed as it changes, for real: no pass is made here, and yet everything is known."""

import threading
from collections.abc import Callable
from time import monotonic

import pytest
from django.contrib.auth.models import User

from deployments.models import Cluster, Deployment, Watch
from deployments.services.deleting import delete_deployment
from deployments.services.following import follow_cluster
from deployments.services.launching import create_deployment
from deployments.services.leasing import take_lease
from deployments.services.orders import LaunchOrder
from providers.kubernetes.render import KIND
from providers.simulation.simulate import NAMESPACE_ANNOTATION
from tests.cluster.harness.api import namespaced
from tests.cluster.harness.control_plane import ControlPlane

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("cluster_nodes", "console_here")]

SECONDS = 90.0


class Until(threading.Event):
    """Stops those who follow when something has come true; fails when it does not."""

    def __init__(self, predicate: Callable[[], bool]) -> None:
        super().__init__()
        self._predicate, self._end = predicate, monotonic() + SECONDS

    def is_set(self) -> bool:
        assert monotonic() < self._end, f"not after {SECONDS:g} s; {told()}"
        return self._predicate()


def told() -> list[tuple[str, str, str]]:
    return list(Deployment.objects.values_list("phase", "reason", "message"))


def follow(predicate: Callable[[], bool]) -> bool:
    return follow_cluster(Cluster.objects.get(), KIND, Until(predicate))


def is_ready() -> bool:
    return Deployment.objects.get().phase == "Ready"


def fails_for(*reasons: str) -> Callable[[], bool]:
    return lambda: Deployment.objects.get().reason in reasons


@pytest.fixture
def break_pods(control_plane: ControlPlane, namespace: str) -> Callable[[str], None]:
    """Return what lets every pod be made anew, and fail as a word says."""

    def act(word: str) -> None:
        api = control_plane.api
        annotated = {"metadata": {"annotations": {NAMESPACE_ANNOTATION: word}}}
        api.merge(f"/api/v1/namespaces/{namespace}", annotated)
        for pod in api.get(namespaced(namespace, "pods"))["items"]:
            api.delete(namespaced(namespace, "pods", pod["metadata"]["name"]))

    return act


def test_a_launch_its_failure_and_its_end_are_known_without_any_pass(
    order: LaunchOrder, owner: User, break_pods: Callable[[str], None]
) -> None:
    deployment = create_deployment(order, user=owner)
    assert follow(is_ready)

    break_pods("image-not-found")
    assert follow(fails_for("ImageNotFound"))

    delete_deployment(Deployment.objects.get(pk=deployment.pk), user=owner)
    assert follow(lambda: Deployment.objects.get().is_closed)
    assert Cluster.objects.get().last_pass_at is None


def test_a_crash_is_known_with_its_cause(
    order: LaunchOrder, owner: User, break_pods: Callable[[str], None]
) -> None:
    create_deployment(order, user=owner)
    follow(is_ready)
    break_pods("crash")

    assert follow(lambda: Deployment.objects.get().phase == "Failed")


def test_what_changed_while_nobody_followed_is_known_at_the_beginning(
    order: LaunchOrder, owner: User, break_pods: Callable[[str], None]
) -> None:
    create_deployment(order, user=owner)
    follow(is_ready)
    break_pods("image-not-found")

    assert follow(fails_for("ImageNotFound"))
    assert Watch.objects.get().lease_owner == ""


def test_of_two_only_one_follows(order: LaunchOrder, owner: User) -> None:
    create_deployment(order, user=owner)
    row = Watch.objects.create(cluster=Cluster.objects.get(), kind=KIND)
    assert take_lease(Watch.objects.all(), row.pk, seconds=60)

    assert not follow(is_ready)
    assert not is_ready()


def test_what_is_written_by_others_wakes_nobody_who_has_no_record(
    order: LaunchOrder, owner: User, control_plane: ControlPlane, namespace: str
) -> None:
    create_deployment(order, user=owner)
    strange = {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {
            "name": "strange",
            "labels": {
                "app.kubernetes.io/managed-by": "slipway",
                "slipway.dev/implementation": KIND,
                "slipway.dev/id": "no-uuid",
            },
        },
        "spec": {"ports": [{"port": 80}]},
    }
    control_plane.api.create(namespaced(namespace, "services"), strange)

    assert follow(is_ready)
