"""Every golden file is taken by a real API server: dry run, strict, without a warning."""

from pathlib import Path

import pytest
from ruamel.yaml import YAML

from providers.contract.manifest import Manifest
from providers.kube.apply import rehearse_object
from providers.kube.client import client_for
from providers.kube.clock import deadline_in
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.launching import SECONDS, target_for

EXPECTED = Path(__file__).parents[1] / "golden" / "expected"


def documents(path: Path) -> list[Manifest]:
    with path.open() as text:
        return [document for document in YAML(typ="safe").load_all(text) if document]


def test_there_are_golden_files() -> None:
    assert len(list(EXPECTED.glob("*.yaml"))) > 20


@pytest.mark.parametrize("path", sorted(EXPECTED.glob("*.yaml")), ids=lambda path: path.stem)
def test_a_golden_file_is_taken_strictly_and_without_a_warning(
    control_plane: ControlPlane, models_namespace: str, path: Path
) -> None:
    client = client_for(target_for(control_plane, models_namespace), deadline=deadline_in(SECONDS))

    for document in documents(path):
        written = rehearse_object(client, document, deadline=deadline_in(SECONDS))
        assert written.warnings == ()
        assert written.created
