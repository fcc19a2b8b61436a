"""Several people at once: one of two equal names wins, one of two equal launches is made."""

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from django.contrib.auth.models import Group, User
from django.db import connection

from deployments.change_errors import RevisionConflict
from deployments.exceptions import NameTaken
from deployments.models import Cluster, Deployment, Operation
from deployments.services.change_orders import ChangeOrder, read_change
from deployments.services.changing import change_deployment
from deployments.services.launching import create_deployment, preview_launch
from deployments.services.leasing import take_lease
from deployments.services.orders import LaunchOrder
from deployments.services.refreshing import refresh_cluster
from providers.testing.memory.cluster import MemoryCluster
from templates_app.access import GROUPS
from tests.unit.deployments.changed import workload

MakeOrder = Callable[..., LaunchOrder]

# Real transactions, so that the threads see each other's rows.
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def person(transactional_db: None) -> Callable[..., User]:
    """Make people where the groups of the migrations have been flushed away."""

    def make(name: str, *groups: str) -> User:
        for group in GROUPS:
            Group.objects.get_or_create(name=group)
        user = User.objects.create_user(name)
        user.groups.set(Group.objects.filter(name__in=groups))
        return user

    return make


def at_once(acts: Sequence[Callable[[], object]]) -> Counter[str]:
    """Run everything in threads of their own; count results and errors by their type."""

    def run(act: Callable[[], object]) -> str:
        try:
            return type(act()).__name__
        except Exception as error:  # noqa: BLE001 - counted, whatever it is
            return type(error).__name__
        finally:
            connection.close()

    with ThreadPoolExecutor(max_workers=len(acts)) as pool:
        return Counter(pool.map(run, acts))


def test_of_equal_names_one_wins(order: MakeOrder, owner: User, memory: MemoryCluster) -> None:
    wish = order()

    outcome = at_once([lambda: create_deployment(wish, user=owner)] * 4)

    assert outcome == {"Deployment": 1, NameTaken.__name__: 3}
    assert Deployment.objects.count() == Operation.objects.count() == 1
    assert len(memory.objects) == 2


def test_different_names_all_succeed(order: MakeOrder, owner: User, memory: MemoryCluster) -> None:
    wishes = [order(name=f"demo {number}") for number in range(8)]

    assert at_once([partial(create_deployment, wish, user=owner) for wish in wishes]) == {
        "Deployment": 8
    }
    assert len(memory.objects) == 16
    assert not Operation.objects.unfinished().exists()


def test_a_launch_sent_twice_at_once_is_made_once(
    order: MakeOrder, owner: User, memory: MemoryCluster
) -> None:
    wish = order(launch=preview_launch(order(), user=owner).launch)

    outcome = at_once([lambda: create_deployment(wish, user=owner)] * 4)

    assert outcome == {"Deployment": 4}
    assert Deployment.objects.count() == 1
    assert memory.calls.count("create") == 1


def test_one_of_many_takes_a_lease(cluster: Cluster) -> None:
    outcome = at_once([lambda: take_lease(Cluster.objects.all(), cluster.pk, seconds=60)] * 6)

    assert outcome == {"Lease": 1, "NoneType": 5}


def test_passes_at_once_do_not_disturb_each_other(
    order: MakeOrder, owner: User, cluster: Cluster
) -> None:
    create_deployment(order(), user=owner)

    at_once([lambda: refresh_cluster(Cluster.objects.get(pk=cluster.pk))] * 4)

    assert Deployment.objects.get().phase == "Ready"
    assert Cluster.objects.get().lease_until is None


def test_scalings_and_a_stop_at_once_end_in_one_of_them(
    order: MakeOrder, owner: User, cluster: Cluster, memory: MemoryCluster
) -> None:
    deployment = create_deployment(order(), user=owner)
    wishes = [
        read_change({"overrides": {"min_replicas": 2, "max_replicas": 2}}, expected=1),
        read_change({"overrides": {"min_replicas": 3, "max_replicas": 3}}, expected=1),
        read_change({"stopped": True}, expected=1),
    ]

    def carry_out(wish: ChangeOrder) -> object:
        row = Deployment.objects.select_related("cluster").get(pk=deployment.pk)
        return change_deployment(wish, deployment=row, user=owner)

    outcome = at_once([partial(carry_out, wish) for wish in wishes])

    assert outcome == {"Changed": 1, RevisionConflict.__name__: 2}
    refresh_cluster(Cluster.objects.get(pk=cluster.pk))
    stored = Deployment.objects.get()
    assert (stored.revision, stored.applied_revision) == (2, 2)
    wanted = 0 if stored.intent == "stopped" else stored.min_replicas
    assert workload(memory)["spec"]["replicas"] == wanted
    assert not Operation.objects.unfinished().exists()
