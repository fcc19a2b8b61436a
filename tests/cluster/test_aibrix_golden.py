"""Every golden file of a StormService is taken by a real API server that has AIBrix's schemas."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from providers.contract.manifest import Manifest
from providers.kube.apply import apply_object, rehearse_object
from providers.kube.client import client_for
from providers.kube.clock import deadline_in
from tests.cluster.controlplane.build import Binaries
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.installing import install, schemas
from tests.cluster.launching import target_for

EXPECTED = Path(__file__).parents[1] / "golden" / "stormservice" / "expected"
NAMESPACE = "models"


@pytest.fixture(scope="module")
def plane(binaries: Binaries) -> Iterator[ControlPlane]:
    """A control plane of its own: on the common one, tests look for kinds that are not there."""
    definitions = schemas("aibrix.ai")
    with ControlPlane(binaries) as plane:
        install(plane, definitions)
        body = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}}
        plane.api.create("/api/v1/namespaces", body)
        yield plane


def documents(path: Path) -> list[Manifest]:
    with path.open(encoding="utf-8") as text:
        return [document for document in YAML(typ="safe").load_all(text) if document]


def test_there_are_golden_files_of_every_topology() -> None:
    names = {path.stem.partition("-")[0] for path in EXPECTED.glob("*.yaml")}
    assert {"standard", "multi", "disaggregated"} <= names


@pytest.mark.parametrize("path", sorted(EXPECTED.glob("*.yaml")), ids=lambda path: path.stem)
def test_a_golden_file_is_taken_strictly_and_without_a_warning(
    plane: ControlPlane, path: Path
) -> None:
    client = client_for(target_for(plane, NAMESPACE), deadline=deadline_in(60))

    for document in documents(path):
        written = rehearse_object(client, document, deadline=deadline_in(60))
        assert written.warnings == ()
        assert written.created


def test_applying_it_again_changes_nothing(plane: ControlPlane) -> None:
    client = client_for(target_for(plane, NAMESPACE), deadline=deadline_in(60))
    first, *_ = documents(EXPECTED / "disaggregated.yaml")

    made = apply_object(client, first, deadline=deadline_in(60))
    again = apply_object(client, first, deadline=deadline_in(60))

    assert again.body["metadata"]["resourceVersion"] == made.body["metadata"]["resourceVersion"]
