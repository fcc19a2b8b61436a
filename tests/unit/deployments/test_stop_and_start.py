"""Stop, start, scale and redeploy: what is kept, and what a start takes up again."""

from collections.abc import Callable

from deployments.models import Cluster, Deployment
from deployments.services.refreshing import refresh_cluster
from providers.testing.memory.cluster import MemoryCluster
from templates_app.models import ModelDeploymentTemplate
from tests.unit.deployments.changed import Change, Preview, again, outcomes, workload

Launch = Callable[..., Deployment]
MakeTemplate = Callable[..., ModelDeploymentTemplate]


def test_a_stop_keeps_what_ran_and_a_start_takes_it_up_again(
    running: Deployment, change: Change, memory: MemoryCluster, cluster: Cluster
) -> None:
    change(running, stopped=True)

    refresh_cluster(cluster)
    stopped = again(running)
    assert (stopped.phase, stopped.intent) == ("Stopped", "stopped")
    assert stopped.overrides == {"min_replicas": 2}
    assert stopped.replicas_text == "0"
    assert workload(memory)["spec"]["replicas"] == 0
    change(stopped, stopped=False)
    refresh_cluster(cluster)
    started = again(running)
    assert (started.phase, started.intent, started.replicas_text) == ("Ready", "running", "2")
    assert [verb for _, verb, _ in outcomes(started)] == ["create", "stop", "start"]


def test_explicit_zero_is_a_stop_and_a_start_takes_up_what_ran(
    running: Deployment, change: Change
) -> None:
    change(running, overrides={"min_replicas": 0})

    stopped = again(running)
    assert (stopped.intent, stopped.overrides) == ("stopped", {"min_replicas": 0})
    change(stopped, stopped=False)
    assert again(running).overrides == {"min_replicas": 2}
    assert [verb for _, verb, _ in outcomes(running)] == ["create", "stop", "start"]


def test_what_never_ran_starts_with_what_the_template_means(launch: Launch, change: Change) -> None:
    deployment = launch(overrides={"min_replicas": 0})

    change(deployment, stopped=False)

    assert again(deployment).replicas_text == "1"
    assert again(deployment).overrides == {}


def test_what_somebody_else_scaled_to_nothing_is_started_again(
    running: Deployment, change: Change, preview: Preview, memory: MemoryCluster, cluster: Cluster
) -> None:
    workload(memory)["spec"]["replicas"] = 0
    refresh_cluster(cluster)
    assert (again(running).phase, again(running).intent) == ("Stopped", "running")

    shown = preview(running, stopped=False)
    change(running, stopped=False, change=shown.change)

    assert [word.sentence for word in shown.comparison.words] == ["Stopped by others → runs"]
    assert workload(memory)["spec"]["replicas"] == 2
    assert outcomes(running)[-1] == (2, "start", "applied")


def test_what_is_stopped_can_be_changed_and_stays_stopped(
    running: Deployment, change: Change, memory: MemoryCluster
) -> None:
    change(running, stopped=True)

    change(again(running), overrides={"min_replicas": 3})

    assert again(running).intent == "stopped"
    assert workload(memory)["spec"]["replicas"] == 0
    change(again(running), stopped=False)
    assert workload(memory)["spec"]["replicas"] == 3


def test_an_autoscaled_one_remembers_for_its_start_how_many_ran(
    launch: Launch, change: Change, memory: MemoryCluster
) -> None:
    auto = {"min_replicas": 1, "max_replicas": 4, "enable_auto_scaling": True}
    deployment = launch(overrides=auto)
    workload(memory)["spec"]["replicas"] = 3  # as its autoscaler wants it

    change(deployment, stopped=True)
    change(deployment, stopped=False)

    assert list(deployment.revisions.order_by("number").values_list("resume_at", flat=True)) == [
        0,
        3,
        3,
    ]
    assert again(deployment).replicas_text == "1[4]"


def test_switching_the_autoscaler_off_keeps_the_number_that_runs(
    launch: Launch, change: Change, memory: MemoryCluster
) -> None:
    auto = {"min_replicas": 1, "max_replicas": 4, "enable_auto_scaling": True}
    deployment = launch(overrides=auto)
    workload(memory)["spec"]["replicas"] = 3  # as its autoscaler wants it

    change(deployment, overrides={"enable_auto_scaling": False})

    assert again(deployment).replicas_text == "3"


def test_scaling_keeps_the_pods_and_how_they_are_replaced(
    running: Deployment, preview: Preview, memory: MemoryCluster
) -> None:
    shown = preview(running, overrides={"min_replicas": 4})

    assert shown.effects.restarts == 0
    assert shown.effects.writes == "scaling"
    assert [word.sentence for word in shown.comparison.words] == ["Replicas: 2 → 4"]
    assert shown.load_times is None
    assert len(shown.comparison.objects) == 1


def test_a_redeployment_restarts_every_pod_and_changes_nothing_else(
    running: Deployment, change: Change, preview: Preview
) -> None:
    assert preview(running, redeploy=True).effects.restarts == 2

    change(running, redeploy=True)

    stored = again(running)
    assert outcomes(stored)[-1] == (2, "redeploy", "applied")
    assert stored.revisions.get(number=2).restart == "2"
    assert stored.pod_digest != running.pod_digest
    assert not stored.once_full, "the new pods have not been up yet"
    change(stored, overrides={"min_replicas": 3})
    assert again(running).pod_digest == stored.pod_digest, "scaling restarts nothing"
