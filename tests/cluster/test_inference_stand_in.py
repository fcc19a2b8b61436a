"""The stand-in for KServe's controller leaves what the real one was recorded to leave."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import pytest

from providers.contract.manifest import Manifest
from providers.simulation.simulate import ENVIRONMENT_VARIABLE
from providers.testing.controllers import inference
from providers.testing.controllers.objects import has
from tests.beside import beside
from tests.cluster.harness.api import path_of
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.playing import Chronicle, Course, Stage, at_last, left, passed, play
from tests.cluster.recorded import accelerator_quota, essence, recorded, runtime_of, seen

OLD = "vllm/vllm-openai:v0.10.0"
STOP = "serving.kserve.io/stop"
RUNTIMES = "/apis/serving.kserve.io/v1alpha1/clusterservingruntimes"
KINDS = (
    {"apiVersion": "serving.kserve.io/v1beta1", "kind": "InferenceService"},
    {"apiVersion": "apps/v1", "kind": "Deployment"},
    {"apiVersion": "v1", "kind": "Service"},
    {"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler"},
    {"apiVersion": "v1", "kind": "Event"},
)
Change = Callable[[Manifest], None]


def is_settled(there: Sequence[Manifest]) -> bool:
    """Tell whether a Deployment has made all pods of what the predictor says, and all serve."""
    kinds = {one["kind"]: one for one in there}
    service, deployment = kinds["InferenceService"], kinds.get("Deployment", {})
    status = deployment.get("status") or {}
    wanted = max(1, predictor_of(service).get("minReplicas", 1))
    is_full = status.get("updatedReplicas") == status.get("readyReplicas") == wanted
    is_seen = status.get("observedGeneration") == deployment.get("metadata", {}).get("generation")
    return is_full and is_seen and status.get("replicas") == wanted and _runs(service, deployment)


def _runs(service: Manifest, deployment: Manifest) -> bool:
    """Tell whether the Deployment is of the present spec, and the status of that."""
    pod = deployment["spec"]["template"]["spec"]
    images = [one["image"] for one in predictor_of(service).get("containers") or ()]
    seen = (service.get("status") or {}).get("observedGeneration")
    is_told = seen == deployment["metadata"]["generation"] and has(service, "Ready")
    return is_told and images in ([], [one["image"] for one in pod["containers"]])


def predictor_of(service: Manifest) -> Manifest:
    predictor: Manifest = service["spec"]["predictor"]
    return predictor


def with_image(image: str) -> Change:
    def change(service: Manifest) -> None:
        predictor_of(service)["containers"][0] |= {"image": image, "env": []}

    return change


def with_replicas(number: int) -> Change:
    return lambda service: predictor_of(service).update(minReplicas=number)


def with_one_accelerator(service: Manifest) -> None:
    for amounts in predictor_of(service)["containers"][0]["resources"].values():
        amounts["nvidia.com/gpu"] = "1"


def with_its_format(service: Manifest) -> None:
    predictor_of(service)["model"]["modelFormat"]["name"] = "vLLM"


def looked_at_each_second_with(replicas: int) -> Change:
    def change(service: Manifest) -> None:
        (engine,) = predictor_of(service)["containers"]
        for probe in ("startupProbe", "readinessProbe"):
            engine[probe]["periodSeconds"] = 1
        with_replicas(replicas)(service)

    return change


def running(service: Manifest) -> None:
    service["metadata"]["annotations"].pop(STOP, None)


def with_a_failing_download(service: Manifest) -> None:
    """A download of its own is left as it is, and so can be made to fail."""
    env = [{"name": ENVIRONMENT_VARIABLE, "value": "crash"}]
    image = "kserve/storage-initializer:v0.20.0"
    own = {"name": "storage-initializer", "image": image, "env": env}
    predictor_of(service)["initContainers"] = [own]


def launched(*, before: Change | None = None, word: str = "") -> Callable[[Stage], None]:
    return lambda stage: stage.launch(before, word=word)


def changed_from(*before: Change, later: str = "") -> Callable[[Stage], None]:
    """Return a course: it was these others before, and what is made last is of its own word."""

    def course(stage: Stage) -> None:
        first, *others = before
        stage.launch(first)
        stage.settle()
        for other in others:
            stage.become(other)
            stage.settle()
        stage.simulate(later)
        stage.become()

    return course


def over_quota(*before: Change) -> Callable[[Stage], None]:
    def course(stage: Stage) -> None:
        for index, change in enumerate(before):
            (stage.become if index else stage.launch)(change)
            stage.settle()
        stage.create(accelerator_quota(stage.namespace))
        if before:
            stage.become()
        else:
            stage.launch()

    return course


def scaled_up_once_ready(stage: Stage) -> None:
    """Let its autoscaler add a pod that takes a while.

    It has nothing to add before: it would not wait for the first pod to be ready.
    """
    stage.launch(looked_at_each_second_with(1))
    stage.settle()
    stage.simulate("slow-load:10")
    stage.become(looked_at_each_second_with(2))


def replaced_by_one_that_fails(stage: Stage) -> None:
    stage.launch()
    stage.settle()
    stage.simulate("oom")
    stage.lose({"apiVersion": "v1", "kind": "Pod"})


def without_its_deployment(stage: Stage) -> None:
    stage.launch(word="slow-stop:20")
    deployments = partial(seen, stage.plane.api, stage.namespace, KINDS[1:2])
    stage.wait(deployments, "a Deployment is there")
    path = path_of(deployments()[0])
    stage.plane.api.merge(f"{path}/scale", {"spec": {"replicas": 3}})
    stage.settle()
    stage.lose(KINDS[1])


def deleted(stage: Stage) -> None:
    stage.launch(word="slow-stop:20")
    stage.settle()
    stage.delete("Foreground")


LEFT: Mapping[str, Callable[[Stage], None]] = {
    "custom-ready": scaled_up_once_ready,
    "autoscaler-none-ready": launched(),
    "autoscaler-none-zero": changed_from(with_replicas(1), with_replicas(2)),
    "image-not-found-create": launched(),
    "image-not-found-update": changed_from(with_image(OLD), with_image("vllm:v1")),
    "crashloop-create": launched(word="oom"),
    "oom-after-ready": replaced_by_one_that_fails,
    "one-of-two-crashing": changed_from(with_replicas(1), later="oom"),
    "insufficient-gpu-create": launched(),
    "insufficient-gpu-update": changed_from(with_one_accelerator),
    "rollout-in-progress": changed_from(with_image(OLD), later="never-ready"),
    "ready-without-pods": launched(word="never-ready"),
    "name-too-long": launched(),
    "resource-default-invalid": launched(),
    "quota-create": over_quota(),
    "quota-update": over_quota(with_image("vllm:v1"), with_image(OLD)),
    "stopped": changed_from(running),
    "stopping": changed_from(running),
    "model-hf-ready": launched(),
    "model-pvc-missing": launched(),
    "storage-initializer-crashloop": launched(before=with_a_failing_download),
    "model-format-unsupported": launched(),
    "runtime-missing": launched(),
    "invalid-spec-update": changed_from(with_its_format),
}
# Recorded within a moment: each object stood so at some time.
PASSED: Mapping[str, Callable[[Stage], None]] = {
    "deployment-deleted": without_its_deployment,
    "deleting-foreground": deleted,
}
# Past the 600 s that none may change, or in the first moment of all: held to its words alone.
SAID = {
    "crashloop-deadline",
    "image-not-found-deadline",
    "image-not-found-update-deadline",
    "slow-start-deadline",
    "custom-starting",
}
EXCUSED = {
    "controller-down-created": "no controller acted",
    "controller-down-spec-changed": "no controller acted",
    "deleting-controller-down": "no controller acted",
    "webhook-down-pod-refused": "no controller acted, nor is a webhook of KServe served",
}


def test_it_leaves_what_was_recorded(
    foreign_plane: ControlPlane, subtests: pytest.Subtests
) -> None:
    runtime = runtime_of(recorded("kserve", "model-hf-ready"))
    foreign_plane.api.create(RUNTIMES, runtime)
    chronicle = Chronicle(kinds=KINDS)
    courses = {
        **{case: Course(steps=steps, differences=left) for case, steps in LEFT.items()},
        **{case: Course(steps=steps, differences=passed) for case, steps in PASSED.items()},
    }

    def stage_of(case: str, namespace: str) -> Stage:
        told = recorded("kserve", case)
        return Stage(
            plane=foreign_plane,
            chronicle=chronicle,
            namespace=namespace,
            told=told,
            is_settled=is_settled,
        )

    played = play(foreign_plane, chronicle, courses, stage_of)
    foreign_plane.api.delete(f"{RUNTIMES}/{runtime['metadata']['name']}")
    for case, found in played.items():
        with subtests.test(case=case):
            differences = found.result()
            assert not differences, "\n".join(differences)


@pytest.mark.parametrize("case", sorted(SAID))
def test_it_says_what_was_recorded_of_the_same_deployment(case: str) -> None:
    objects = recorded("kserve", case)
    (service,) = (one for one in objects if one["kind"] == "InferenceService")
    (deployment,) = (one for one in objects if one["kind"] == "Deployment")
    pods = [one for one in objects if one["kind"] == "Pod" and case != "custom-starting"]
    said = {**service, "status": inference.running(service, deployment, pods, {})}
    assert essence([said]) == essence([service])


def test_starting_again_makes_everything_below_anew(
    foreign_plane: ControlPlane, foreign_namespace: str
) -> None:
    chronicle = Chronicle(kinds=KINDS)
    stage = Stage(
        plane=foreign_plane,
        chronicle=chronicle,
        namespace=foreign_namespace,
        told=recorded("kserve", "autoscaler-none-ready"),
        is_settled=is_settled,
    )
    with chronicle.followed(foreign_plane):
        stage.launch(lambda service: service["metadata"]["annotations"].update({STOP: "true"}))
        stage.wait(lambda: has_stopped(stage), "it has stopped")
        stage.plane.api.merge(stage.path, {"metadata": {"annotations": {STOP: None}}})
        assert at_last(stage, left) == []


def has_stopped(stage: Stage) -> bool:
    return any(has(one, "Stopped") for one in stage.there())


def test_every_recording_is_held_or_excused() -> None:
    files = {path.stem for path in (beside("recorded") / "kserve").glob("*.yaml")}
    assert sorted([*LEFT, *PASSED, *SAID, *EXCUSED]) == sorted(files)
