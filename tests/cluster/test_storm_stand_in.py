"""The stand-in for AIBrix's controllers leaves what the real ones were recorded to leave."""

from collections.abc import Callable, Mapping, Sequence

import pytest

from providers.contract.manifest import Manifest
from providers.simulation.simulate import Word
from providers.testing.controllers.objects import has
from tests.beside import beside
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.playing import Chronicle, Course, Stage, left, passed, play
from tests.cluster.recorded import accelerator_quota, recorded

OLD = "vllm/vllm-openai:v0.11.0"
STORM = "orchestration.aibrix.ai/v1alpha1"
KINDS: tuple[Manifest, ...] = (
    {"apiVersion": STORM, "kind": "StormService"},
    {"apiVersion": STORM, "kind": "RoleSet"},
    {"apiVersion": STORM, "kind": "PodSet"},
    {"apiVersion": "v1", "kind": "Pod"},
    {"apiVersion": "v1", "kind": "Event"},
)


def is_settled(there: Sequence[Manifest]) -> bool:
    (storm,) = (one for one in there if one["kind"] == "StormService")
    observed = (storm.get("status") or {}).get("observedGeneration")
    return observed == storm["metadata"]["generation"] and has(storm, "Ready")


def roles_of(storm: Manifest) -> list[Manifest]:
    roles: list[Manifest] = storm["spec"]["template"]["spec"]["roles"]
    return roles


def with_replicas(number: int) -> Callable[[Manifest], None]:
    return lambda storm: storm["spec"].update(replicas=number)


def with_old_image(storm: Manifest) -> None:
    storm["spec"]["paused"] = False
    for role in roles_of(storm):
        (engine,) = role["template"]["spec"]["containers"]
        env = [one for one in engine["env"] if one["value"] != Word.IMAGE_NOT_FOUND]
        engine |= {"image": OLD, "env": env}


def with_fewer_of_its_last_role(storm: Manifest) -> None:
    roles_of(storm)[-1]["replicas"] -= 1


def with_another_role(storm: Manifest) -> None:
    roles_of(storm).append({**roles_of(storm)[0], "name": "decode"})


def launched(stage: Stage) -> None:
    stage.launch()


def over_quota(stage: Stage) -> None:
    stage.create(accelerator_quota(stage.namespace))
    stage.launch()


def changed_from(
    before: Callable[[Manifest], None], *, word: str = "", later: str = ""
) -> Callable[[Stage], None]:
    """Return a course: at first it was another, and what is made later is of a word of its own."""

    def course(stage: Stage) -> None:
        stage.launch(before, word=word)
        stage.settle()
        stage.simulate(later)
        stage.become(word=word)

    return course


def without_a_pod(stage: Stage) -> None:
    """Let the last pod be lost, and none be ready again."""
    stage.launch()
    stage.settle()
    stage.simulate("never-ready")
    stage.lose({"apiVersion": "v1", "kind": "Pod"})


def deleted(policy: str) -> Callable[[Stage], None]:
    def course(stage: Stage) -> None:
        stage.launch(word="slow-stop:20")
        stage.settle()
        stage.delete(policy)

    return course


def scaled_by_another(stage: Stage) -> None:
    stage.launch(with_replicas(1))
    stage.settle()
    stage.create_recorded("HorizontalPodAutoscaler")


SLOWLY = "slow-load:8"
LEFT: Mapping[str, Callable[[Stage], None]] = {
    "standard-ready": launched,
    "disaggregated-ready": launched,
    "multi-node-ready": launched,
    "image-not-found": launched,
    "insufficient-accelerator": launched,
    "crash-loop": launched,
    "disaggregated-decode-out-of-memory": launched,
    "quota-exceeded": launched,
    "roleset-refused-by-quota": launched,
    "name-too-long": launched,
    "replicas-absent": launched,
    "service-name-taken": launched,
    "multi-node-quota-exceeded": over_quota,
    "scaled-to-zero": changed_from(with_replicas(1)),
    "paused-with-new-image": changed_from(with_old_image),
    "rolling-update-surge-image-not-found": changed_from(with_old_image),
    "ready-though-update-failed": changed_from(with_old_image),
    "role-removed-inplace": changed_from(with_another_role),
    "disaggregated-role-scale-up-half": changed_from(
        with_fewer_of_its_last_role, later="never-ready"
    ),
    "pod-deleted-by-hand": without_a_pod,
    "multi-node-rank-lost": without_a_pod,
    # What made the autoscaler, or wrote for one, has no stand-in.
    "hpa-native-no-metrics": scaled_by_another,
    "podautoscaler-hpa": scaled_by_another,
    "podautoscaler-apa-minimum": changed_from(with_replicas(1)),
    "podautoscaler-role-decode": changed_from(with_fewer_of_its_last_role),
}
# Recorded half way, each object at another moment: each of them stood so at some time.
PASSED: Mapping[str, Callable[[Stage], None]] = {
    "rolling-update-half-replace": changed_from(with_old_image, word=SLOWLY),
    "rolling-update-half-surge": changed_from(with_old_image, word=SLOWLY),
    "disaggregated-inplace-image-half": changed_from(with_old_image, word=SLOWLY),
    "inplace-update-ready-too-early": changed_from(with_old_image, word=SLOWLY),
    "role-replicas-changed-replaces": changed_from(with_fewer_of_its_last_role, word=SLOWLY),
    "podautoscaler-apa-unreadable-metric": changed_from(with_replicas(3)),
    "deleting-background": deleted("Background"),
    "deleting-foreground": deleted("Foreground"),
}
EXCUSED = {"controller-stopped": "no controller acted, so that there is nothing to stand in for"}


def test_it_leaves_what_was_recorded(
    foreign_plane: ControlPlane, subtests: pytest.Subtests
) -> None:
    chronicle = Chronicle(kinds=KINDS)
    courses = {
        **{case: Course(steps=steps, differences=left) for case, steps in LEFT.items()},
        **{case: Course(steps=steps, differences=passed) for case, steps in PASSED.items()},
    }

    def stage_of(case: str, namespace: str) -> Stage:
        told = recorded("stormservice", case)
        return Stage(
            plane=foreign_plane,
            chronicle=chronicle,
            namespace=namespace,
            told=told,
            is_settled=is_settled,
        )

    for case, found in play(foreign_plane, chronicle, courses, stage_of).items():
        with subtests.test(case=case):
            differences = found.result()
            assert not differences, "\n".join(differences)


def test_every_recording_is_held_or_excused() -> None:
    files = {path.stem for path in (beside("recorded") / "stormservice").glob("*.yaml")}
    assert sorted([*LEFT, *PASSED, *EXCUSED]) == sorted(files)
