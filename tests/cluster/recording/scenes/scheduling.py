"""Rows 10 and 11: pods that no node takes, that are held back, or that only wait a moment."""

from providers.contract.manifest import Manifest
from providers.contract.request import Rollout
from providers.contract.status import Phase
from providers.contract.target import AcceleratorMapping
from tests.cluster.harness.api import namespaced
from tests.cluster.recording.nodes import own_node
from tests.cluster.recording.scenes.scene import Scene
from tests.cluster.recording.stage import OWN, Stage

PAST_THE_DEADLINE = 700
GATE = "example.com/budget"
LACKING = (Phase.DEPLOYING, "InsufficientAccelerator")


def _cache(claim: str) -> Manifest:
    cache = {"claim": claim, "mount_path": "/models"}
    return {"type": "huggingface", "uri": "Qwen/Qwen3-0.6B", "cache": cache}


def no_accelerator_is_free(stage: Stage) -> None:
    stage.create(word="unschedulable")
    stage.record(
        "10-scheduler-has-just-begun",
        "unschedulable for less than 15 s",
        Phase.DEPLOYING,
        "Starting",
    )
    stage.record("10-no-accelerator-free", "no node has as many accelerators", *LACKING)
    stage.later(
        "10-no-accelerator-free-past-the-deadline",
        "10-no-accelerator-free",
        "the same past the progress deadline",
        seconds=PAST_THE_DEADLINE,
        phase=Phase.FAILED,
        reason="InsufficientAccelerator",
    )


def no_cpu_is_free(stage: Stage) -> None:
    stage.create(resources={"cpu": "900", "memory": "64Mi"})
    stage.record("10-no-cpu", "no node has as much CPU", Phase.DEPLOYING, "InsufficientCpu")


def no_memory_is_free(stage: Stage) -> None:
    stage.create(resources={"cpu": "100m", "memory": "9Ti"})
    stage.record(
        "10-no-memory", "no node has as much memory", Phase.DEPLOYING, "InsufficientMemory"
    )


def a_claim_is_missing(stage: Stage) -> None:
    stage.create(model_source=_cache("models"))
    stage.record(
        "10-claim-missing", "the volume claim does not exist", Phase.DEPLOYING, "VolumeUnbound"
    )


def a_claim_is_unbound(stage: Stage) -> None:
    storage = {"requests": {"storage": "1Gi"}}
    spec = {"accessModes": ["ReadWriteOnce"], "resources": storage, "storageClassName": ""}
    stage.make("persistentvolumeclaims", {"metadata": {"name": "models"}, "spec": spec})
    stage.create(model_source=_cache("models"))
    stage.record("10-volume-unbound", "no volume for the claim", Phase.DEPLOYING, "VolumeUnbound")


def the_old_copy_still_stops(stage: Stage) -> None:
    own_node(stage)
    stage.create(word="slow-stop:25", rollout=Rollout.REPLACE, **OWN)
    stage.ready()
    stage.update(stage.launch.with_env(SLIPWAY_SIMULATE="slow-load:5"))
    stage.pass_by(17)
    stage.record(
        "10-old-copy-is-still-stopping",
        "unschedulable for 15 s, while the old copy that holds the accelerator stops",
        Phase.DEPLOYING,
        "Starting",
    )


def a_rollout_needs_a_spare_accelerator(stage: Stage) -> None:
    own_node(stage)
    stage.create(**OWN)
    stage.ready()
    stage.update(stage.launch.with_env(COLOUR="blue"))
    stage.record(
        "10-rollout-needs-a-spare-accelerator",
        "the old copy holds what the new one waits for",
        Phase.DEGRADED,
        "RolloutNeedsSpareAccelerator",
    )


def a_second_replica_finds_no_accelerator(stage: Stage) -> None:
    own_node(stage)
    stage.create(**OWN)
    stage.ready()
    stage.update(stage.launch.rescaled(min_replicas=2))
    stage.record(
        "10-scale-up-finds-no-accelerator",
        "one replica serves, no accelerator for the second",
        Phase.DEGRADED,
        "InsufficientAccelerator",
    )


def an_old_pod_finds_no_node(stage: Stage) -> None:
    stage.create(word="unschedulable")
    stage.until(*LACKING)
    stage.update(stage.launch.with_env(SLIPWAY_SIMULATE="slow-load:20"))
    stage.record(
        "10-unschedulable-old-pod-decides-nothing",
        "the pod that no node takes is of the old revision",
        Phase.DEPLOYING,
        "LoadingModel",
    )


def pods_are_gated(stage: Stage) -> None:
    stage.create(word="slow-load:600")
    stage.until(Phase.DEPLOYING, "LoadingModel")
    stage.patch_template(schedulingGates=[{"name": GATE}])
    stage.record(
        "11-scheduling-gated", "the new pod is held back", Phase.DEPLOYING, "SchedulingGated"
    )
    stage.later(
        "11-gated-past-the-deadline",
        "11-scheduling-gated",
        "held back past the progress deadline",
        seconds=PAST_THE_DEADLINE,
        phase=Phase.FAILED,
        reason="SchedulingGated",
    )
    [gated] = [pod for pod in stage.pods() if pod["spec"].get("schedulingGates")]
    path = namespaced(stage.namespace, "pods", gated["metadata"]["name"])
    stage.plane.api.merge(path, {"spec": {"schedulingGates": None}})
    stage.record(
        "11-gates-removed", "nothing holds the pod back any more", Phase.DEPLOYING, "LoadingModel"
    )


def all_nodes_are_tainted(stage: Stage) -> None:
    api = stage.plane.api
    taint = {"key": "maintenance", "value": "now", "effect": "NoSchedule"}
    stage.create()
    stage.ready()
    for node in api.get("/api/v1/nodes")["items"]:
        path = f"/api/v1/nodes/{node['metadata']['name']}"
        before = node["spec"].get("taints")
        api.merge(path, {"spec": {"taints": [*(before or ()), taint]}})
        stage.after.callback(api.merge, path, {"spec": {"taints": before}})
    stage.record(
        "10-taint-where-a-pod-runs",
        "all nodes are tainted, and the pod has its node",
        Phase.READY,
        "Available",
    )
    [pod] = stage.pods()
    api.delete(namespaced(stage.namespace, "pods", pod["metadata"]["name"]))
    stage.record("10-taint", "all nodes are tainted", Phase.DEPLOYING, "UntoleratedTaint")


def no_node_is_selected(stage: Stage) -> None:
    mapping = AcceleratorMapping(node_selector={"pool": "nowhere"})
    stage.changes = {"accelerators": {"OWN": mapping}}
    stage.create(**OWN)
    stage.record(
        "10-node-selector",
        "no node has the labels that the mapping selects",
        Phase.DEPLOYING,
        "NodeSelectorMismatch",
    )


SCENES = (
    *(
        Scene(play=play)
        for play in (
            no_accelerator_is_free,
            no_cpu_is_free,
            no_memory_is_free,
            a_claim_is_missing,
            a_claim_is_unbound,
            the_old_copy_still_stops,
            a_rollout_needs_a_spare_accelerator,
            a_second_replica_finds_no_accelerator,
            an_old_pod_finds_no_node,
            pods_are_gated,
        )
    ),
    Scene(play=all_nodes_are_tainted, alone=True),
    Scene(play=no_node_is_selected, alone=True),
)
