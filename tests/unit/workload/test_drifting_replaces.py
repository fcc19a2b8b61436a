"""What putting a field back does to the pods that run: each kind makes them from other fields."""

from typing import Any

import pytest

from providers.contract.manifest import Manifest
from providers.workload.drifting.paths import Path

from .drifted import CONTAINER, MANIFEST, change, drift_of, live_of

STOP = "serving.kserve.io/stop"
STOPPING: Path = ("metadata", "annotations", STOP)
PREDICTOR: Path = ("spec", "predictor")


def inference_service(*, stop: str = "false") -> Manifest:
    predictor = {
        "annotations": {"slipway.dev/pod-digest": "abc"},
        "minReplicas": 2,
        "maxReplicas": 2,
        "deploymentStrategy": {"type": "RollingUpdate"},
        **MANIFEST["spec"]["template"]["spec"],
    }
    metadata = MANIFEST["metadata"]
    return {
        "apiVersion": "serving.kserve.io/v1beta1",
        "kind": "InferenceService",
        "metadata": {**metadata, "annotations": {**metadata["annotations"], STOP: stop}},
        "spec": {"predictor": predictor},
    }


def restarts(manifest: Manifest, path: Path, value: Any) -> bool:
    (found,) = drift_of(change(live_of(manifest), path, value, manager="kubectl-edit"), manifest)
    return found.restarts


@pytest.mark.parametrize(
    ("path", "value", "replaced"),
    [
        ((*CONTAINER, "image"), "mock:2", True),
        (("spec", "template", "metadata", "labels", "slipway.dev/id"), "2", True),
        (("spec", "strategy", "type"), "Recreate", False),
        (("metadata", "labels", "slipway.dev/id"), "2", False),
        (("metadata", "annotations", "slipway.dev/display-name"), "Mine", False),
    ],
)
def test_the_pods_of_a_deployment_are_made_from_its_template(
    path: Path, value: Any, *, replaced: bool
) -> None:
    assert restarts(MANIFEST, path, value) is replaced


@pytest.mark.parametrize(
    ("path", "value", "replaced"),
    [
        ((*PREDICTOR, *CONTAINER[3:], "image"), "mock:2", True),
        ((*PREDICTOR, "annotations", "slipway.dev/pod-digest"), "theirs", True),
        ((*PREDICTOR, "tolerations"), [], True),
        ((*PREDICTOR, "terminationGracePeriodSeconds"), 5, True),
        (("metadata", "labels", "slipway.dev/id"), "2", True),
        (("metadata", "annotations", "slipway.dev/display-name"), "Mine", True),
        ((*PREDICTOR, "minReplicas"), 1, False),
        ((*PREDICTOR, "maxReplicas"), 9, False),
        ((*PREDICTOR, "scaleTarget"), 50, False),
        ((*PREDICTOR, "deploymentStrategy", "type"), "Recreate", False),
    ],
)
def test_the_pods_of_an_inference_service_are_made_from_all_that_it_says_of_itself(
    path: Path, value: Any, *, replaced: bool
) -> None:
    assert restarts(inference_service(), path, value) is replaced


@pytest.mark.parametrize(
    ("ours", "theirs", "replaced"),
    [
        ("false", "True", False),
        ("true", "false", False),
        ("true", None, False),
        ("false", None, True),
        ("false", "no", True),
    ],
)
def test_an_order_to_stop_is_copied_to_pods_as_long_as_there_are_any(
    ours: str, theirs: str | None, *, replaced: bool
) -> None:
    assert restarts(inference_service(stop=ours), STOPPING, theirs) is replaced
