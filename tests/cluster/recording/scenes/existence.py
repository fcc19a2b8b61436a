"""Rows 2 to 5 and 26: what is there, what is hidden, and what is gone."""

from dataclasses import replace

from providers.contract.request import Intent
from providers.contract.status import Phase
from tests.cluster.launching import delete_launch
from tests.cluster.recording.scenes.scene import Scene
from tests.cluster.recording.stage import Stage
from tests.cluster.recording.strangers import withhold

APPS = "apis/apps/v1"
FINALIZER = "example.com/hold"


def a_whole_life(stage: Stage) -> None:
    stage.create(word="slow-stop:8")
    stage.ready()
    stage.record("26-ready", "one of one replica ready", Phase.READY, "Available")
    stage.patch("deployments", {"spec": {"minReadySeconds": 1}}, api=APPS)
    stage.record(
        "26-ready-and-changed-outside", "somebody changed a field", Phase.READY, "Available"
    )
    stage.ask_for(Intent.DELETED)
    delete_launch(stage.launch)
    stage.record(
        "03-deleting-waits-for-pods",
        "deletion asked for, the pod still stops",
        Phase.DELETING,
        "WaitingForPods",
    )
    stage.record("03-removed", "nothing is left of it", Phase.DELETED, "Removed")


def a_finalizer_holds(stage: Stage) -> None:
    stage.create()
    stage.ready()
    stage.patch("deployments", {"metadata": {"finalizers": [FINALIZER]}}, api=APPS)
    stage.ask_for(Intent.DELETED)
    delete_launch(stage.launch)
    stage.record(
        "03-deleting-held-by-a-finalizer",
        "only the finalizer of somebody else is left",
        Phase.DELETING,
        "PendingFinalizer",
    )
    stage.later(
        "03-deleting-names-finalizer-after-five-minutes",
        "03-deleting-held-by-a-finalizer",
        "it still holds after five minutes",
        seconds=301,
        phase=Phase.DELETING,
        reason="PendingFinalizer",
    )
    stage.patch("deployments", {"metadata": {"finalizers": None}}, api=APPS)


def a_namespace_ends(stage: Stage) -> None:
    stage.create(word="slow-stop:15")
    stage.ready()
    stage.plane.api.delete(f"/api/v1/namespaces/{stage.namespace}")
    stage.record(
        "04-namespace-terminating",
        "somebody deletes the namespace",
        Phase.FAILED,
        "NamespaceTerminating",
    )


def a_workload_is_removed(stage: Stage) -> None:
    stage.create(word="slow-stop:10")
    stage.ready()
    path = stage.path("deployments", api=APPS)
    stage.plane.api.delete(path, {"propagationPolicy": "Foreground"})
    stage.record(
        "05-being-removed-outside",
        "somebody is deleting the Deployment, whose pod still stops",
        Phase.DELETING,
        "RemovedOutside",
    )
    stage.record(
        "05-removed-outside",
        "somebody deleted the Deployment",
        Phase.DELETED,
        "RemovedOutside",
    )


def a_revision_waits(stage: Stage) -> None:
    stage.create()
    stage.ready()
    stage.launch.request = replace(stage.launch.request, revision=2)
    stage.record(
        "05-second-revision-pending",
        "the next revision is not applied yet, the first one serves",
        Phase.DEPLOYING,
        "ApplyPending",
    )


def pods_are_hidden(stage: Stage) -> None:
    stage.create(word="slow-load:2")
    withhold(stage, ["pods"])
    stage.record(
        "02-pods-forbidden-is-unknown",
        "we may not read pods, and never could",
        Phase.DEPLOYING,
        "Unknown",
    )


def the_right_to_read_pods_is_lost(stage: Stage) -> None:
    stage.create()
    stage.ready()
    withhold(stage, ["pods"])
    stage.record(
        "02-pods-forbidden-keeps-the-last-phase",
        "we may no longer read pods, all of which were ready",
        Phase.READY,
        "Forbidden",
    )


def events_are_hidden(stage: Stage) -> None:
    stage.create(word="crash")
    stage.until(Phase.FAILED, "CrashLoop")
    withhold(stage, ["events"])
    stage.record(
        "02-events-forbidden-is-a-note",
        "we may not read events, and pods tell enough",
        Phase.FAILED,
        "CrashLoop",
    )


def workloads_are_hidden(stage: Stage) -> None:
    stage.create()
    stage.ready()
    withhold(stage, ["deployments"])
    stage.record(
        "05-unreadable-is-not-removed",
        "we may no longer read Deployments, so that none is missing",
        Phase.READY,
        "Forbidden",
    )


SCENES = tuple(
    Scene(play=play)
    for play in (
        a_whole_life,
        a_finalizer_holds,
        a_namespace_ends,
        a_workload_is_removed,
        a_revision_waits,
        pods_are_hidden,
        the_right_to_read_pods_is_lost,
        events_are_hidden,
        workloads_are_hidden,
    )
)
