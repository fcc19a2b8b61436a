"""A model by its format on a real control plane: begun, changed, and what it may lack."""

from dataclasses import replace

import pytest

from providers.contract.checks import Result
from providers.contract.manifest import Manifest
from providers.contract.request import DeployRequest
from providers.contract.status import Phase
from providers.kserve.provider import provider
from providers.testing.samples import make_request, spec_with
from tests.cluster.harness.api import namespaced
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.inference_services import Cast
from tests.cluster.waiting import wait_for

ALPHA = "apis/serving.kserve.io/v1alpha1"
NAME = "mock-server"
RUNTIME: Manifest = {
    "apiVersion": "serving.kserve.io/v1alpha1",
    "kind": "ServingRuntime",
    "metadata": {"name": NAME},
    "spec": {
        "supportedModelFormats": [{"name": "mock", "version": "1", "autoSelect": True}],
        "containers": [
            {
                "name": "kserve-container",
                "image": "registry.example/mock:1",
                "args": ["--port=8080", "--served-model-name={{.Name}}", "--model=/mnt/models"],
                "env": [{"name": "HOME", "value": "/root"}, {"name": "THEIRS", "value": "1"}],
                "volumeMounts": [{"name": "theirs", "mountPath": "/cache"}],
            }
        ],
        "volumes": [{"name": "theirs", "emptyDir": {}}],
    },
}


class Scene(Cast):
    """A namespace that may have a runtime, and requests for models of its format."""

    def add_runtime(self) -> None:
        path = namespaced(self.namespace, "servingruntimes", api=ALPHA)
        self.plane.api.create(path, RUNTIME)

    def by_format(self, runtime: Manifest | None = None, **parts: object) -> DeployRequest:
        asked = runtime or {"format": "mock", "name": NAME}
        spec = spec_with(engine={"image": ""}, serving_runtime=asked, **parts)
        return make_request(provider, namespace=self.namespace, spec=spec)

    def forms(self) -> set[str]:
        """Return how it says what its pods run."""
        predictor = self.plane.api.get(self.path)["spec"]["predictor"]
        return {"containers", "model"}.intersection(predictor)

    def container(self) -> Manifest:
        [container] = self.deployment()["spec"]["template"]["spec"]["containers"]
        found: Manifest = container
        return found


@pytest.fixture
def scene(foreign_plane: ControlPlane, foreign_namespace: str) -> Scene:
    return Scene(foreign_plane, foreign_namespace)


@pytest.mark.parametrize(
    "runtime", [{"format": "mock", "name": NAME}, {"format": "mock", "version": "1"}]
)
def test_it_is_ready_by_the_runtime_that_is_named_or_picked(
    scene: Scene, runtime: Manifest
) -> None:
    scene.add_runtime()
    scene.request = scene.by_format(runtime)
    scene.launch(min_replicas=2)
    scene.until(Phase.READY, 2)
    container = scene.container()
    assert container["image"] == "registry.example/mock:1"
    assert container["args"][:3] == [
        "--port=8080",
        f"--served-model-name={scene.request.runtime_name}",
        "--model=/mnt/models",
    ]
    assert container["args"][-1].startswith("--served-model-name=")
    variables = {one["name"]: one.get("value") for one in container["env"]}
    assert (variables["HOME"], variables["THEIRS"]) == ("/cache", "1")


def test_before_a_launch_the_runtime_is_found_and_the_pod_is_not_tried(scene: Scene) -> None:
    scene.add_runtime()
    found = scene.checked(scene.by_format())
    assert found["RuntimeFound"].result is Result.PASS
    assert found["PodUntried"].result is Result.UNKNOWN
    assert not [check for check in found.values() if check.result is Result.FAIL]


def test_a_runtime_that_is_missing_is_told_before_and_after(scene: Scene) -> None:
    request = scene.by_format()
    assert scene.checked(request)["RuntimeMissing"].field == "spec.serving_runtime.name"
    scene.request = request
    scene.launch()
    scene.until(Phase.FAILED, 0)
    assert scene.status().reason == "RuntimeMissing"


def test_a_format_that_the_runtime_does_not_take_is_told_before_and_after(scene: Scene) -> None:
    scene.add_runtime()
    request = scene.by_format({"format": "sklearn", "name": NAME})
    assert scene.checked(request)["ModelFormatUnsupported"].result is Result.FAIL
    scene.request = request
    scene.launch()
    scene.until(Phase.FAILED, 0)
    assert scene.status().reason == "ModelFormatUnsupported"


def test_a_claim_that_is_missing_is_told_before_a_launch(scene: Scene) -> None:
    scene.add_runtime()
    cache = {"claim": "weights", "mount_path": "/models"}
    source = {"type": "local", "uri": "/models/qwen", "cache": cache}
    found = scene.checked(scene.by_format(model_source=source))
    assert found["VolumeClaimMissing"].field == "spec.model_source.cache.claim"


def test_another_revision_of_the_files_makes_other_pods(scene: Scene) -> None:
    scene.add_runtime()
    scene.request = scene.by_format()
    scene.launch()
    scene.until(Phase.READY, 1)
    before = scene.pods()
    source = {"type": "huggingface", "uri": "Qwen/Qwen3-0.6B", "revision": "v2"}
    other = scene.by_format(model_source=source)
    scene.change(replace(scene.request, spec=other.spec, source=other.source, revision=2))
    wait_for(lambda: not scene.pods() & before, 90.0, "other pods")
    scene.until(Phase.READY, 1)


def test_a_way_from_a_container_to_a_model_and_back_leaves_nothing_of_either(scene: Scene) -> None:
    scene.add_runtime()
    scene.launch()
    scene.until(Phase.READY, 1)
    by_image, by_format = scene.request, scene.by_format()
    spec, source = by_format.spec, by_format.source
    scene.change(replace(by_image, spec=spec, source=source, revision=2))
    scene.until(Phase.READY, 1)
    assert scene.forms() == {"model"}
    assert scene.container()["image"] == "registry.example/mock:1"
    scene.change(replace(by_image, revision=3))
    scene.until(Phase.READY, 1)
    assert scene.forms() == {"containers"}
    assert "initContainers" not in scene.deployment()["spec"]["template"]["spec"]
    assert scene.drifted() == ()


def test_scaling_it_restarts_nothing(scene: Scene) -> None:
    scene.add_runtime()
    scene.request = scene.by_format()
    scene.launch()
    scene.until(Phase.READY, 1)
    before = scene.pods()
    scene.rescale(min_replicas=2)
    scene.until(Phase.READY, 2)
    assert before < scene.pods()
