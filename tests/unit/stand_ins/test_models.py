"""The stand-in for KServe makes the pod of a model as the real one was recorded to."""

from collections.abc import Sequence

import pytest

from providers.contract.manifest import Manifest
from providers.testing.controllers import models, predictor
from tests.cluster.recorded import recorded, runtime_of

HF = "model-hf-ready"
CONTAINER = ("name", "image", "command", "args", "resources")


def of_kind(objects: Sequence[Manifest], kind: str) -> Manifest:
    (found,) = (one for one in objects if one["kind"] == kind)
    return found


def told(pod: Manifest) -> list[object]:
    """Return what a reader would: the token of the service account is the API server's."""
    volumes = [one for one in pod["volumes"] if not one["name"].startswith("kube-api")]
    containers = [*(pod.get("initContainers") or ()), *pod["containers"]]
    return [sorted(volumes, key=lambda one: one["name"]), *map(_container, containers)]


def _container(one: Manifest) -> list[object]:
    mounts = [each for each in one["volumeMounts"] if not each["name"].startswith("kube-api")]
    env = one.get("env") if one["name"] == models.CONTAINER else []
    return [*map(one.get, CONTAINER), sorted(mounts, key=lambda each: each["name"]), env]


@pytest.mark.parametrize("case", [HF, "storage-initializer-crashloop", "model-pvc-missing"])
def test_runtime_model_and_weights_make_one_pod(case: str) -> None:
    objects = recorded("kserve", case)
    service = of_kind(objects, "InferenceService")
    pod = predictor.pod_spec(service, runtime_of(objects))
    assert told(pod) == told(of_kind(objects, "Pod")["spec"])


@pytest.mark.parametrize("change", [{"image": "ours:1"}, {"env": [{"name": "HF_HOME"}]}])
def test_what_a_model_says_itself_wins_over_its_runtime(change: Manifest) -> None:
    objects = recorded("kserve", HF)
    service = of_kind(objects, "InferenceService")
    service["spec"]["predictor"]["model"] |= change
    (container,) = predictor.pod_spec(service, runtime_of(objects))["containers"]
    assert (change.get("image") or "vllm/vllm-openai:v0.11.0") == container["image"]
    values = [one.get("value") for one in container["env"] if one["name"] == "HF_HOME"]
    assert values == [None if "env" in change else "/tmp"]  # noqa: S108 - as recorded


def test_a_download_of_its_own_is_left_as_it_is() -> None:
    objects = recorded("kserve", HF)
    service = of_kind(objects, "InferenceService")
    own = {"name": models.INITIALIZER, "image": "ours:1"}
    service["spec"]["predictor"]["initContainers"] = [own]
    assert predictor.pod_spec(service, runtime_of(objects))["initContainers"] == [own]


@pytest.mark.parametrize(
    ("model", "runtime", "expected"),
    [
        ({}, {}, "kserve-vllmserver"),
        ({"runtime": "other"}, {}, "RuntimeNotRecognized"),
        ({"runtime": "kserve-vllmserver"}, {"disabled": True}, "RuntimeDisabled"),
        ({}, {"disabled": True}, "NoSupportingRuntime"),
        ({}, {"multiModel": True}, "NoSupportingRuntime"),
        ({}, {"workerSpec": {}}, "NoSupportingRuntime"),
        ({"runtime": "kserve-vllmserver"}, {"workerSpec": {}}, "kserve-vllmserver"),
        ({"modelFormat": {"name": "sklearn"}}, {}, "NoSupportingRuntime"),
        ({"modelFormat": {"name": "vLLM", "version": "2"}}, {}, "NoSupportingRuntime"),
        ({}, {"supportedModelFormats": [{"name": "vLLM"}]}, "NoSupportingRuntime"),
    ],
)
def test_a_runtime_is_found_by_name_or_by_format(
    model: Manifest, runtime: Manifest, expected: str
) -> None:
    objects = recorded("kserve", HF)
    there = runtime_of(objects)
    there["spec"] |= runtime
    service = of_kind(objects, "InferenceService")
    wanted = {"modelFormat": {"name": "vLLM"}, **model}
    service["spec"]["predictor"]["model"] = wanted
    found = models.runtime_for(service, [there])
    name = found.reason if isinstance(found, models.Refused) else found["metadata"]["name"]
    assert name == expected
