"""Changing what runs: the next revision, what it keeps, and what is left when it is refused."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User

from deployments.models import AuditEntry, Cluster, Deployment
from deployments.services.change_orders import read_change
from deployments.services.changing import Changed, ChangePreview, change_deployment, preview_change
from deployments.services.refreshing import refresh_cluster
from providers.contract.manifest import Manifest
from providers.testing.memory.cluster import MemoryCluster
from templates_app.models import ModelDeploymentTemplate

Launch = Callable[..., Deployment]
MakeTemplate = Callable[..., ModelDeploymentTemplate]


@pytest.fixture
def running(launch: Launch, cluster: Cluster) -> Deployment:
    """A deployment of two replicas that has been seen ready."""
    deployment = launch(overrides={"min_replicas": 2})
    refresh_cluster(cluster)
    return again(deployment)


@pytest.fixture
def change(owner: User) -> Callable[..., Changed]:
    def run(deployment: Deployment, *, expected: int | None = None, **body: object) -> Changed:
        order = read_change(body, expected=expected)
        return change_deployment(order, deployment=deployment, user=owner)

    return run


@pytest.fixture
def preview(owner: User) -> Callable[..., ChangePreview]:
    def run(deployment: Deployment, **body: object) -> ChangePreview:
        return preview_change(read_change(body), deployment=deployment, user=owner)

    return run


Change = Callable[..., Changed]
Preview = Callable[..., ChangePreview]


def again(deployment: Deployment) -> Deployment:
    return Deployment.objects.get(pk=deployment.pk)


def workload(memory: MemoryCluster) -> Manifest:
    return next(m.manifest for key, m in memory.objects.items() if key.kind == "MemoryWorkload")


def outcomes(deployment: Deployment) -> list[tuple[int, str, str]]:
    rows = deployment.revisions.order_by("number")
    return [(row.number, row.verb, row.outcome) for row in rows]


def test_a_change_is_the_next_revision_and_is_applied(
    running: Deployment, change: Change, memory: MemoryCluster, owner: User
) -> None:
    changed = change(running, overrides={"min_replicas": 3}, reason="more of it")

    assert changed.is_change
    stored = again(running)
    assert (stored.revision, stored.applied_revision) == (2, 2)
    assert (stored.phase, stored.reason) == ("Scaling", "WaitingForController")
    assert stored.replicas_text == "3"
    assert stored.lease_until is None
    assert outcomes(stored) == [(1, "create", "applied"), (2, "update", "applied")]
    assert workload(memory)["spec"]["replicas"] == 3
    told = AuditEntry.objects.filter(action="deployment.update").order_by("id")
    assert [(row.outcome, row.actor_name, row.reason) for row in told] == [
        ("accepted", "olga", "more of it"),
        ("succeeded", "olga", ""),
    ]
    assert told[0].before == {"overrides": {"min_replicas": 2}, "revision": 1}
    assert told[0].after == {"overrides": {"min_replicas": 3}, "revision": 2}
