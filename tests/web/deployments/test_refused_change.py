"""A change that the cluster refused after its request had been answered is told on the page."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client

from deployments.models import Deployment
from deployments.services.change_orders import read_change
from deployments.services.changing import change_deployment
from deployments.services.refreshing import refresh_cluster
from providers.contract.errors import Rejected, Unavailable
from providers.testing.memory.cluster import MemoryCluster

Change = Callable[..., None]
TOLD = "The last change was refused."


@pytest.fixture
def change(deployment: Deployment) -> Change:
    def run(**overrides: object) -> None:
        order = read_change({"overrides": overrides})
        olga = User.objects.get(username="olga")
        change_deployment(order, deployment=deployment, user=olga)

    return run


def page_of(client: Client, deployment: Deployment) -> str:
    return client.get(f"/deployments/{deployment.pk}").content.decode()


def test_it_is_told_until_the_next_change(
    viewer: Client, deployment: Deployment, change: Change, runtime: MemoryCluster
) -> None:
    assert TOLD not in page_of(viewer, deployment)
    runtime.faults["update"] = Unavailable("no answer")
    change(min_replicas=3)
    runtime.faults.clear()
    runtime.refusals["MemoryService"] = Rejected("a policy wants < 3 replicas")

    refresh_cluster(deployment.cluster)
    runtime.refusals.clear()

    page = page_of(viewer, deployment)
    assert TOLD in page
    assert "The cluster refused revision 2: a policy wants &lt; 3 replicas" in page
    assert f"/deployments/{deployment.pk}/revisions" in page
    change(min_replicas=1)
    assert TOLD not in page_of(viewer, deployment)
