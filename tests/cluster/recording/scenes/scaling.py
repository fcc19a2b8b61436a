"""Rows 7, 16, 17 and 20 to 22: replicas that come and go, rollouts that stop or drag on."""

from providers.contract.manifest import Manifest
from providers.contract.request import Intent, Rollout
from providers.contract.status import Phase
from tests.cluster.harness.api import namespaced
from tests.cluster.launching import eventually
from tests.cluster.recording.nodes import bound_pods, newest_bound, own_node, quiet_node
from tests.cluster.recording.pen import running
from tests.cluster.recording.scenes.scene import Scene
from tests.cluster.recording.stage import OWN, Stage

APPS = "apis/apps/v1"
AUTOSCALED = {"enable_auto_scaling": True, "min_replicas": 1, "max_replicas": 3}
SIMULATE = "SLIPWAY_SIMULATE"
PAST_THE_DEADLINE = 700
LONG = 3600


def a_stop(stage: Stage) -> None:
    stage.create(word="slow-stop:6")
    stage.ready()
    stage.ask_for(Intent.STOPPED)
    stage.update(stage.launch.rescaled(min_replicas=0))
    stage.record("07-stopping", "stopped, its pod still stops", Phase.SCALING, "ScalingDown")
    stage.record("07-stopped", "stopped, nothing is left", Phase.STOPPED, "ScaledToZero")


def zero_beside_an_autoscaler(stage: Stage) -> None:
    stage.create(overrides=AUTOSCALED)
    stage.ready()
    stage.patch("deployments", {"spec": {"replicas": 0}}, api=APPS)
    stage.record(
        "07-zero-under-an-autoscaler",
        "somebody scaled to 0, where the autoscaler cannot act",
        Phase.DEGRADED,
        "AutoscalerDisabled",
    )


def up_and_down(stage: Stage) -> None:
    pen = quiet_node(stage)
    stage.create(**OWN)
    [first] = bound_pods(stage)
    pen.write(first, running(ready=True, since=1))
    stage.ready()
    stage.update(stage.launch.rescaled(min_replicas=2))
    second = newest_bound(stage, beside=first)
    pen.write(second, running(since=1))
    stage.record("18-scaling-up-once-full", "the second replica loads", Phase.SCALING, "ScalingUp")
    pen.write(second, running(ready=True, since=2))
    stage.ready()
    stage.reachable()
    stage.update(stage.launch.rescaled(min_replicas=1))
    stage.record("22-scaling-down", "one replica stops", Phase.SCALING, "ScalingDown")
    stage.later(
        "22-a-pod-that-hangs-in-termination-is-no-scaling",
        "22-scaling-down",
        "it should have stopped long ago",
        seconds=LONG,
        phase=Phase.READY,
        reason="Available",
    )


def a_replica_cannot_be_made_yet(stage: Stage) -> None:
    """The controllers stand still between seeing the change and making the pod."""
    stage.create()
    stage.ready()
    controllers = stage.plane.controllers
    path = namespaced(stage.namespace, "pods")
    [pod] = stage.pods()
    controllers.freeze()
    stage.after.callback(controllers.resume)
    stage.plane.api.delete(f"{path}/{pod['metadata']['name']}", {"gracePeriodSeconds": 0})
    stage.record("22-scaling-up", "a pod is gone, none in its place", Phase.SCALING, "ScalingUp")


def the_first_pod_is_not_made_yet(stage: Stage) -> None:
    controllers = stage.plane.controllers
    stage.create(word="unschedulable")
    stage.until(Phase.DEPLOYING, "Starting")
    [pod] = stage.pods()
    controllers.freeze()
    stage.after.callback(controllers.resume)
    path = namespaced(stage.namespace, "pods", pod["metadata"]["name"])
    stage.plane.api.delete(path, {"gracePeriodSeconds": 0})
    stage.record("18-no-pod-yet", "no pod is there yet", Phase.DEPLOYING, "Starting")
    stage.later(
        "18-no-pod-past-the-deadline",
        "18-no-pod-yet",
        "no pod was made until the progress deadline",
        seconds=PAST_THE_DEADLINE,
        phase=Phase.FAILED,
        reason="Starting",
    )


def a_rollout_is_paused(stage: Stage) -> None:
    stage.create()
    stage.ready()
    stage.patch("deployments", {"spec": {"paused": True}}, api=APPS)
    stage.record(
        "17-paused-and-fully-out", "paused, with nothing to roll out", Phase.READY, "Available"
    )
    template = {"metadata": {"annotations": {"example.com/changed": "by hand"}}}
    stage.patch("deployments", {"spec": {"template": template}}, api=APPS)
    stage.record(
        "17-paused-with-a-change",
        "paused, with a change to roll out",
        Phase.DEPLOYING,
        "RolloutPaused",
    )


def _soaking(stage: Stage, **spec: object) -> None:
    """Roll out a second revision, whose ready pod counts as available only much later."""
    stage.create()
    stage.ready()
    stage.patch("deployments", {"spec": {"minReadySeconds": LONG // 10, **spec}}, api=APPS)
    template = {"metadata": {"annotations": {"example.com/changed": "by hand"}}}
    stage.patch("deployments", {"spec": {"template": template}}, api=APPS)


def a_rollout_goes_on(stage: Stage) -> None:
    _soaking(stage)
    stage.record(
        "21-rollout-in-progress",
        "the new pod is ready, the old one is not gone",
        Phase.DEPLOYING,
        "RolloutInProgress",
    )
    stage.later(
        "20-our-own-deadline",
        "21-rollout-in-progress",
        "the old pod is still there past the progress deadline",
        seconds=PAST_THE_DEADLINE,
        phase=Phase.DEGRADED,
        reason="RolloutTimedOut",
    )


def a_controller_gives_up(stage: Stage) -> None:
    """Its own deadline must be longer than the time in which a ready pod proves itself."""
    stage.create()
    stage.ready()
    stage.patch("deployments", {"spec": {"progressDeadlineSeconds": 3}}, api=APPS)
    stage.patch_template(nodeSelector={"pool": "nowhere"})
    stage.record(
        "10-controller-gave-up-and-the-cause-is-told",
        "the controller gave up, since no node takes the pod",
        Phase.DEGRADED,
        "NodeSelectorMismatch",
    )


def a_late_rollout_is_ready(stage: Stage) -> None:
    stage.create(word="slow-load:8")
    stage.patch("deployments", {"spec": {"progressDeadlineSeconds": 2}}, api=APPS)
    stage.record(
        "20-controller-gave-up-while-it-loads",
        "the controller gave up, our own deadline has not passed",
        Phase.DEPLOYING,
        "LoadingModel",
    )
    stage.record("20-late-but-ready", "late, and ready", Phase.READY, "Available")


def an_old_pod_only_stops(stage: Stage) -> None:
    stage.create(word="slow-stop:10")
    stage.ready()
    stage.update(stage.launch.with_env(**{SIMULATE: "slow-stop:1"}))
    stage.record(
        "21-old-pod-only-terminates",
        "the new pod is ready, the old one stops",
        Phase.READY,
        "Available",
    )


def pods_are_restarted_by_kubectl(stage: Stage) -> None:
    stage.create(word="slow-load:3")
    stage.ready()
    mark = {"kubectl.kubernetes.io/restartedAt": "2026-11-30T12:00:00Z"}
    template = {"metadata": {"annotations": mark}}
    stage.patch("deployments", {"spec": {"template": template}}, api=APPS)
    stage.record(
        "21-restarted-by-kubectl-new-pod-loads",
        "somebody restarted the pods, the new one loads",
        Phase.DEPLOYING,
        "LoadingModel",
    )


def _urgent(stage: Stage) -> Manifest:
    """Return a pod of higher priority that wants the node's one accelerator."""
    container = {
        "name": "c",
        "image": "docker.io/library/none:none",
        "resources": {"limits": {"nvidia.com/gpu": "1"}},
    }
    tolerated = {"key": "pool", "operator": "Exists", "effect": "NoSchedule"}
    spec = {
        "priorityClassName": stage.namespace,
        "nodeSelector": {"pool": stage.namespace},
        "tolerations": [tolerated],
        "automountServiceAccountToken": False,
        "containers": [container],
    }
    return {"metadata": {"name": "urgent"}, "spec": spec}


def a_pod_makes_room(stage: Stage) -> None:
    api, group = stage.plane.api, "/apis/scheduling.k8s.io/v1/priorityclasses"
    own_node(stage)
    stage.create(**OWN)
    stage.ready()
    api.create(group, {"metadata": {"name": stage.namespace}, "value": 1000})
    stage.after.callback(api.delete, f"{group}/{stage.namespace}")
    stage.make("pods", _urgent(stage))
    stage.record(
        "16-preempted",
        "a pod of higher priority took the accelerator",
        Phase.DEGRADED,
        "Preempted",
    )
    stage.record(
        "10-preempted-and-no-room-since",
        "a pod of higher priority holds the accelerator",
        Phase.DEPLOYING,
        "InsufficientAccelerator",
    )


def a_node_is_lost(stage: Stage) -> None:
    """Nobody renews the node's lease: its controller gives it up after 40 s or so."""
    pen = quiet_node(stage)
    stage.create(**OWN)
    [pod] = bound_pods(stage)
    pen.write(pod, running(ready=True, since=1))
    stage.ready()
    stage.record("16-node-lost", "the node is silent", Phase.DEGRADED, "NodeLost", within=120.0)


def a_replacement(stage: Stage) -> None:
    stage.create(word="slow-load:3", rollout=Rollout.REPLACE)
    stage.until(Phase.DEPLOYING, "LoadingModel")
    stage.record(
        "18-available-without-pods",
        "the Deployment counts as available with none ready",
        Phase.DEPLOYING,
        "LoadingModel",
    )


def a_replaced_workload(stage: Stage) -> None:
    stage.create()
    stage.ready()
    api, path = stage.plane.api, stage.path("deployments", api=APPS)
    found = api.get(path)
    api.delete(path, {"propagationPolicy": "Orphan"})
    eventually("it is gone", lambda: api.find(path) is None)
    kept = {name: found["metadata"][name] for name in ("name", "labels", "annotations")}
    stage.make("deployments", {"metadata": kept, "spec": found["spec"]}, api=APPS)
    stage.record(
        "26-ready-and-replaced-outside",
        "somebody made another Deployment of the same name",
        Phase.READY,
        "Available",
    )


SCENES = (
    *(
        Scene(play=play)
        for play in (
            a_stop,
            zero_beside_an_autoscaler,
            up_and_down,
            a_rollout_is_paused,
            a_rollout_goes_on,
            a_controller_gives_up,
            a_late_rollout_is_ready,
            an_old_pod_only_stops,
            pods_are_restarted_by_kubectl,
            a_pod_makes_room,
            a_node_is_lost,
            a_replacement,
            a_replaced_workload,
        )
    ),
    Scene(play=a_replica_cannot_be_made_yet, alone=True),
    Scene(play=the_first_pod_is_not_made_yet, alone=True),
)
