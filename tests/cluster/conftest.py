"""One real control plane for the whole run, its usual nodes, a fresh namespace for each test.

Of tests that run beside each other, each process has a control plane of its own: what one does to a
node or to the API server, no other sees.
"""

import os
import sys
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NoReturn

import pytest
from django.contrib.auth.models import User
from pytest_django import Settings

from console.environment import KubernetesEnvironment
from deployments.services.clusters import synchronise_default_cluster
from deployments.services.orders import LaunchOrder, read_order
from providers import registry
from providers.contract.target import Connection
from providers.testing.controllers.running import Aibrix, Kserve, working
from providers.testing.samples import spec_with
from templates_app import services
from templates_app.entries import parse_model, parse_template
from templates_app.models import ModelDeploymentTemplate
from tests.cluster.cast import USUAL_NODES
from tests.cluster.controlplane.build import Binaries, Missing, find_or_build
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.installing import install, of_the_whole_cluster, schemas
from tests.cluster.kubelet.nodes import NodeSpec
from tests.cluster.launching import SECONDS
from tests.cluster.namespaces import new_namespace, remove_namespace
from tests.cluster.scheduling import add_usual_nodes

HERE = Path(__file__).parent
SERVICES = "deployments.services."
DID_NOT_RUN = "CLUSTER TESTS DID NOT RUN"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.cluster)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say it loudly; read from the reports, since the tests may have run in other processes."""
    reports = [*terminalreporter.getreports("skipped"), *terminalreporter.getreports("error")]
    told = [_words_of(report) for report in reports]
    if words := next((text for text in told if DID_NOT_RUN in text), ""):
        terminalreporter.write_line(words[words.index(DID_NOT_RUN) :], red=True, bold=True)


def _words_of(report: object) -> str:
    """Return why a test did not run: the last part of a skip's place and reason, or a failure."""
    told = getattr(report, "longrepr", "")
    return str(told[-1] if isinstance(told, tuple) else told)


@pytest.fixture(scope="session")
def binaries(pytestconfig: pytest.Config) -> Binaries:
    # A first build takes minutes: what it says must be seen while it runs.
    capture = pytestconfig.pluginmanager.getplugin("capturemanager")
    with capture.global_and_fixture_disabled():
        found = find_or_build()
    if isinstance(found, Binaries):
        return found
    return _do_without(found)


def _do_without(missing: Missing) -> NoReturn:
    words = f"{DID_NOT_RUN}: {missing.reason}"
    if os.environ.get("CI") == "true":
        pytest.fail(words, pytrace=False)
    pytest.skip(words)


@pytest.fixture(scope="session")
def control_plane(binaries: Binaries) -> Iterator[ControlPlane]:
    with ControlPlane(binaries) as plane:
        yield plane


@pytest.fixture(scope="session")
def cluster_nodes(control_plane: ControlPlane) -> Sequence[NodeSpec]:
    add_usual_nodes(control_plane)
    return USUAL_NODES


@pytest.fixture(scope="session")
def foreign_plane(binaries: Binaries) -> Iterator[ControlPlane]:
    """A second control plane, with the kinds of AIBrix and KServe and stand-ins that act on them.

    On the usual one they are missing, and tests want them to be.
    """
    kserve = schemas("kserve.io")
    (runtimes,) = (one for one in kserve if one["spec"]["names"]["kind"] == "ServingRuntime")
    definitions = (*schemas("aibrix.ai"), *kserve, of_the_whole_cluster(runtimes))
    with ControlPlane(binaries) as plane:
        install(plane, definitions)
        add_usual_nodes(plane)
        connection = Connection(kubeconfig=str(plane.kubeconfig))
        with working(Aibrix(connection), Kserve(connection)):
            yield plane


@pytest.fixture
def namespace(control_plane: ControlPlane) -> Iterator[str]:
    yield from _namespace_on(control_plane)


@pytest.fixture
def foreign_namespace(foreign_plane: ControlPlane) -> Iterator[str]:
    yield from _namespace_on(foreign_plane)


def _namespace_on(plane: ControlPlane) -> Iterator[str]:
    name = new_namespace(plane.api, f"test-{uuid.uuid4().hex[:8]}")
    yield name
    remove_namespace(plane.api, name)


@pytest.fixture(scope="session")
def models_namespace(control_plane: ControlPlane) -> str:
    """The namespace of the golden files; it stays, for one that is ending cannot be made anew."""
    return new_namespace(control_plane.api, "models")


@pytest.fixture
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the console ask a cluster for as long as a busy machine takes, where no page waits."""
    services = {name: part for name, part in sys.modules.items() if name.startswith(SERVICES)}
    # Where they are written they stay: whoever is imported later takes them from there for good.
    services.pop(f"{SERVICES}deadlines")
    for service in services.values():
        for name in ("CREATE_SECONDS", "READ_SECONDS"):
            if hasattr(service, name):
                monkeypatch.setattr(service, name, SECONDS)


@pytest.fixture
def console_here(
    settings: Settings, control_plane: ControlPlane, namespace: str, db: None, unhurried: None
) -> Iterator[None]:
    """The console as it stands beside a cluster: the control plane is its only one."""
    settings.K8S = KubernetesEnvironment(
        kubeconfig=str(control_plane.kubeconfig), namespace=namespace
    )
    settings.SLIPWAY_PROVIDERS = ["providers.kubernetes"]
    registry.forget()
    synchronise_default_cluster()
    yield
    registry.forget()


@pytest.fixture
def owner(db: None) -> User:
    return User.objects.create_superuser("olga")


@pytest.fixture
def mock_template(db: None) -> ModelDeploymentTemplate:
    """An active template of a model, for an engine that only answers."""
    model = services.create_model(parse_model({"id": "qwen", "name": "Qwen"}), by=None)
    entry = parse_template(name="mock", version="1.0.0", spec=spec_with())
    return services.activate_template(services.create_template(model, entry, by=None), by=None)


@pytest.fixture
def order(mock_template: ModelDeploymentTemplate) -> LaunchOrder:
    return read_order({"name": "Demo", "template": {"template_id": str(mock_template.pk)}})
