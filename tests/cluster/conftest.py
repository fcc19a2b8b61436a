"""One real control plane for the whole run, its usual nodes, a fresh namespace for each test."""

import os
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.cluster.cast import USUAL_NODES
from tests.cluster.controlplane.build import Binaries, Missing, find_or_build
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.kubelet.nodes import NodeSpec

HERE = Path(__file__).parent
NO_CONTROL_PLANE = pytest.StashKey[str]()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.cluster)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    reason = config.stash.get(NO_CONTROL_PLANE, None)
    if reason:
        terminalreporter.write_line(f"CLUSTER TESTS DID NOT RUN: {reason}", red=True, bold=True)


@pytest.fixture(scope="session")
def binaries(pytestconfig: pytest.Config) -> Binaries:
    # A first build takes minutes: what it says must be seen while it runs.
    capture = pytestconfig.pluginmanager.getplugin("capturemanager")
    with capture.global_and_fixture_disabled():
        found = find_or_build()
    if isinstance(found, Binaries):
        return found
    return _do_without(found, pytestconfig)


def _do_without(missing: Missing, config: pytest.Config) -> Binaries:
    config.stash[NO_CONTROL_PLANE] = missing.reason
    if os.environ.get("CI") == "true":
        pytest.fail(missing.reason, pytrace=False)
    pytest.skip(missing.reason)


@pytest.fixture(scope="session")
def control_plane(binaries: Binaries) -> Iterator[ControlPlane]:
    with ControlPlane(binaries) as plane:
        yield plane


@pytest.fixture(scope="session")
def cluster_nodes(control_plane: ControlPlane) -> Sequence[NodeSpec]:
    for node in USUAL_NODES:
        control_plane.kubelet.add_node(node)
    return USUAL_NODES


@pytest.fixture
def namespace(control_plane: ControlPlane) -> Iterator[str]:
    name = f"test-{uuid.uuid4().hex[:8]}"
    body = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
    control_plane.api.create("/api/v1/namespaces", body)
    yield name
    control_plane.api.delete(f"/api/v1/namespaces/{name}")
