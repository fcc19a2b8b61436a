"""One control plane whose node really runs the llama.cpp server, and a console in front of it."""

import os
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest
from django.contrib.auth.models import Group, User
from knox.models import AuthToken
from pytest_django import Settings
from rest_framework.test import APIClient

from console.environment import KubernetesEnvironment
from deployments.services.clusters import synchronise_default_cluster
from providers import registry
from templates_app import services
from templates_app.entries import parse_model
from tests.cluster.controlplane.build import Missing, find_or_build
from tests.cluster.harness.api import namespaced
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.kubelet.nodes import NodeSpec
from tests.cluster.kubelet.processes.images import LocalImage
from tests.cluster.kubelet.processes.network import why_not
from tests.cluster.kubelet.processes.runtime import ProcessRuntime
from tests.cluster.kubelet.standin import TEST_PACE
from tests.engine.installing import Engine, find
from tests.engine.journey import CLAIM, Journey

HERE = Path(__file__).parent
REPOSITORY = "ghcr.io/ggml-org/llama.cpp"
DID_NOT_RUN = pytest.StashKey[str]()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.engine)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    reason = config.stash.get(DID_NOT_RUN, None)
    if reason:
        terminalreporter.write_line(f"NO REAL ENGINE RAN: {reason}", red=True, bold=True)


@pytest.fixture(scope="session")
def engine(pytestconfig: pytest.Config) -> Engine:
    found = find()
    if found is None:
        _do_without("the engine is not installed; run make test-engine", pytestconfig)
    if reason := why_not():
        _do_without(reason, pytestconfig)
    return found


def _do_without(reason: str, config: pytest.Config) -> NoReturn:
    config.stash[DID_NOT_RUN] = reason
    if os.environ.get("CI") == "true":
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def plane(engine: Engine, pytestconfig: pytest.Config) -> Iterator[ControlPlane]:
    binaries = find_or_build()
    if isinstance(binaries, Missing):
        _do_without(binaries.reason, pytestconfig)
    image = LocalImage(
        repository=REPOSITORY,
        folder=engine.programs,
        mounted_at="/app",
        entrypoint=("/app/llama-server",),
        env={"LLAMA_ARG_HOST": "0.0.0.0"},  # noqa: S104 - as the image has it
    )
    with ControlPlane(binaries) as plane:
        plane.kubelet.runtime = ProcessRuntime(plane.api, [image], pace=TEST_PACE)
        plane.kubelet.add_node(NodeSpec(name="cpu-1"))
        yield plane


@pytest.fixture
def namespace(plane: ControlPlane, engine: Engine) -> Iterator[str]:
    """A namespace with a claim on the folder of models."""
    name = f"test-{uuid.uuid4().hex[:8]}"
    plane.api.create(
        "/api/v1/namespaces", {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
    )
    size, modes = {"storage": "1Gi"}, ["ReadOnlyMany"]
    volume = {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {"name": name},
        "spec": {
            "capacity": size,
            "accessModes": modes,
            "hostPath": {"path": str(engine.models)},
            "claimRef": {"namespace": name, "name": CLAIM},
        },
    }
    plane.api.create("/api/v1/persistentvolumes", volume)
    claim = {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": CLAIM},
        "spec": {
            "accessModes": modes,
            "storageClassName": "",
            "volumeName": name,
            "resources": {"requests": size},
        },
    }
    plane.api.create(namespaced(name, "persistentvolumeclaims"), claim)
    yield name
    plane.api.delete(f"/api/v1/namespaces/{name}")
    plane.api.delete(f"/api/v1/persistentvolumes/{name}")


@pytest.fixture
def journey(
    transactional_db: None, settings: Settings, plane: ControlPlane, namespace: str
) -> Iterator[Journey]:
    """A deployer with a console for that namespace."""
    settings.K8S = KubernetesEnvironment(kubeconfig=str(plane.kubeconfig), namespace=namespace)
    settings.SLIPWAY_PROVIDERS = ["providers.kubernetes"]
    registry.forget()
    synchronise_default_cluster()
    user = User.objects.create_user("olga")
    user.groups.add(Group.objects.get_or_create(name="deployer")[0])
    _, token = AuthToken.objects.create(user)
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {token}")
    model = services.create_model(parse_model({"id": "gemma", "name": "Gemma"}), by=None)
    yield Journey(client=client, plane=plane, namespace=namespace, model=model)
    registry.forget()
