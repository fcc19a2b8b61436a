"""Models by their format pass the contract suite on the simulated cluster, with a stand-in."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from providers.contract.manifest import Manifest
from providers.contract.request import DeployRequest
from providers.contract.target import Connection
from providers.kserve.provider import provider as kserve
from providers.sandbox.cluster import Cluster
from providers.testing.controllers.running import Kserve, working
from providers.testing.samples import MOCK_SPEC
from providers.testing.sandbox_contract import SandboxContract
from providers.testing.stage import Stage

RUNTIME: Manifest = {
    "kind": "ServingRuntime",
    "spec": {
        "supportedModelFormats": [{"name": "mock", "autoSelect": True}],
        "containers": [
            {
                "name": "kserve-container",
                "image": "registry.example/mock:1",
                "args": ["--port=8080", "--model=/mnt/models"],
            }
        ],
    },
}


class StageOfModels(Stage):
    """Asks for a model by its format, unless a test leaves out the image or names a runtime."""

    def request(self, **changes: Any) -> DeployRequest:
        spec = changes.get("spec", MOCK_SPEC)
        if spec["engine"].get("image"):
            spec = {"serving_runtime": {"format": "mock"}, **spec}
        return super().request(**{**changes, "spec": spec})


class TestModelsOnTheSandbox(SandboxContract):
    provider = kserve
    has_scale = False
    stage_of = StageOfModels

    @pytest.fixture(scope="class", autouse=True)
    def controllers(self, kubeconfig: Path) -> Iterator[None]:
        with working(Kserve(Connection(kubeconfig=str(kubeconfig)))):
            yield

    @pytest.fixture(autouse=True)
    def _runtime(self, stage: Stage, cluster: Cluster) -> None:
        metadata = {"name": "mock-server", "namespace": stage.namespace}
        cluster.create({**RUNTIME, "metadata": metadata})
