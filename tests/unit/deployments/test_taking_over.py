"""What others changed, made a part of what is wanted."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User

from deployments.drift_errors import DriftChanged, NotExpressible
from deployments.exceptions import InvalidOrder, NotAllowed
from deployments.models import AuditEntry, Cluster, Deployment
from deployments.services.changing import Changed
from deployments.services.drifting import drift_of
from deployments.services.meddling import Meddling, meddling_with
from deployments.services.refreshing import refresh_cluster
from deployments.services.taking_over import take_over_drift
from providers.contract.errors import Unavailable
from providers.testing.memory.cluster import MemoryCluster
from templates_app.models import ModelDeploymentTemplate
from tests.unit.deployments.changed import Preview, again, outcomes, workload

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


@pytest.mark.parametrize(
    ("overrides", "undone"),
    [
        ({"min_replicas": 3}, ["spec.max_replicas"]),
        ({"min_replicas": 4}, ["spec.replicas", "spec.max_replicas"]),
    ],
)
def test_a_review_says_what_of_theirs_a_change_puts_back_by_the_way(
    running: Deployment,
    meddle: Meddle,
    preview: Preview,
    overrides: dict[str, object],
    undone: list[str],
) -> None:
    meddle(replicas=3, max_replicas=9)

    found = meddling_with(running, preview(running, overrides=overrides))

    assert [one.path for one in found.undone] == undone


def test_a_stop_takes_over_that_others_stopped_it(
    running: Deployment, meddle: Meddle, preview: Preview
) -> None:
    meddle(replicas=0)

    assert meddling_with(running, preview(running, stopped=True)) == Meddling()


def test_a_review_is_shown_all_the_same_where_nobody_can_look(
    running: Deployment, preview: Preview, memory: MemoryCluster
) -> None:
    shown = preview(running, overrides={"min_replicas": 3})
    memory.faults["drift"] = Unavailable("the cluster is silent")

    assert meddling_with(running, shown) == Meddling()


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
