"""What others changed, made a part of what is wanted."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User

from deployments.drift_errors import DriftChanged, NotExpressible
from deployments.exceptions import InvalidOrder, NotAllowed
from deployments.models import AuditEntry, Cluster, Deployment
from deployments.services.changing import Changed
from deployments.services.drifting import drift_of
from deployments.services.refreshing import refresh_cluster
from deployments.services.taking_over import preview_take_over, take_over_drift
from providers.testing.memory.cluster import MemoryCluster
from templates_app.models import ModelDeploymentTemplate
from tests.unit.deployments.changed import again, outcomes, workload

Launch = Callable[..., Deployment]
MakeTemplate = Callable[..., ModelDeploymentTemplate]
Meddle = Callable[..., None]


def take_over(deployment: Deployment, user: User, reason: str = "") -> Changed:
    digest = drift_of(deployment).digest
    return take_over_drift(deployment, user=user, digest=digest, reason=reason)


def test_a_number_of_replicas_becomes_an_override_of_the_next_revision(
    running: Deployment, meddle: Meddle, memory: MemoryCluster, owner: User
) -> None:
    meddle(replicas=3)

    assert take_over(running, owner, "it was too slow").is_change

    stored = again(running)
    assert stored.overrides == {"min_replicas": 3}
    assert outcomes(stored) == [(1, "create", "applied"), (2, "update", "applied")]
    assert workload(memory)["spec"]["replicas"] == 3
    assert drift_of(stored).fields == ()
    first = AuditEntry.objects.filter(action="deployment.update").order_by("id").first()
    assert first is not None
    assert first.reason == ("Taken over: spec.replicas = 3 (unknown manager). it was too slow")


def test_no_replicas_are_taken_over_as_a_stop_and_some_as_a_start(
    running: Deployment, meddle: Meddle, owner: User, cluster: Cluster
) -> None:
    meddle(replicas=0)
    take_over(running, owner)
    refresh_cluster(cluster)
    stopped = again(running)
    assert (stopped.intent, stopped.phase) == ("stopped", "Stopped")

    meddle(replicas=4)
    take_over(stopped, owner)

    started = again(running)
    assert (started.intent, started.overrides) == ("running", {"min_replicas": 4})


def test_what_no_override_says_names_what_to_do_instead(
    running: Deployment, meddle: Meddle, owner: User
) -> None:
    meddle(max_replicas=9)

    with pytest.raises(NotExpressible) as refused:
        take_over(running, owner)

    assert "it can only be put back" in refused.value.message
    assert again(running).revision == 1


def test_a_number_that_nobody_may_ask_for_is_not_taken_over(
    running: Deployment, meddle: Meddle, owner: User
) -> None:
    meddle(replicas=1001)
    with pytest.raises(NotExpressible):
        take_over(running, owner)


def test_what_changed_since_somebody_looked_is_not_taken_over(
    running: Deployment, meddle: Meddle, owner: User
) -> None:
    meddle(replicas=3)
    digest = drift_of(running).digest
    meddle(replicas=4)

    with pytest.raises(DriftChanged):
        take_over_drift(running, user=owner, digest=digest)

    assert again(running).revision == 1


def test_where_nothing_differs_nothing_is_changed(running: Deployment, owner: User) -> None:
    assert not take_over(running, owner).is_change
    assert again(running).revision == 1


def test_only_who_may_change_a_deployment_takes_over(
    running: Deployment, meddle: Meddle, member: User
) -> None:
    meddle(replicas=3)

    with pytest.raises(NotAllowed):
        take_over(running, member)


def test_a_preview_says_what_is_taken_over_and_what_the_change_puts_back_by_the_way(
    running: Deployment, meddle: Meddle, memory: MemoryCluster, owner: User
) -> None:
    meddle(replicas=3, max_replicas=9)
    drift = drift_of(running)

    shown = preview_take_over(running, drift, user=owner)

    assert [one.path for one in shown.fields] == ["spec.replicas"]
    assert [one.path for one in shown.undone] == ["spec.max_replicas"]
    assert [word.after for word in shown.preview.comparison.words] != []
    assert workload(memory)["spec"]["replicas"] == 3
    assert again(running).revision == 1


def test_a_bound_of_the_template_holds_for_what_is_taken_over_too(
    launch: Launch, make_template: MakeTemplate, meddle: Meddle, owner: User, cluster: Cluster
) -> None:
    template = make_template("bounded", overridable={"min_replicas": {"max": 2}})
    chosen = {"model_id": template.model_id, "template_id": str(template.pk)}
    deployment = launch(template=chosen)
    refresh_cluster(cluster)
    meddle(replicas=3)

    with pytest.raises(InvalidOrder) as refused:
        take_over(again(deployment), owner)

    assert "overrides.min_replicas" in refused.value.fields
