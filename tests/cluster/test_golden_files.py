"""Every golden manifest is taken by a real API server, strictly and without a warning."""

import re
from pathlib import Path

import pytest

from providers.contract.manifest import Manifest
from providers.contract.yaml_text import load_all
from tests.cluster.harness.api import APPLY_PATCH, path_of
from tests.cluster.harness.control_plane import ControlPlane

EXPECTED = sorted((Path(__file__).parents[1] / "golden" / "expected").glob("*.yaml"))


def manifests_of(file: Path) -> list[Manifest]:
    return [document for document in load_all(file.read_text()) if isinstance(document, dict)]


def test_there_are_golden_files() -> None:
    assert len(EXPECTED) >= 50
    assert all(manifests_of(file) for file in EXPECTED)


@pytest.mark.usefixtures("models_namespace")
@pytest.mark.parametrize("file", EXPECTED, ids=lambda file: file.stem)
def test_the_api_server_takes_it_without_a_warning(control_plane: ControlPlane, file: Path) -> None:
    for manifest in manifests_of(file):
        answer = control_plane.api.ask(
            "PATCH",
            path_of(manifest),
            manifest,
            APPLY_PATCH,
            fieldManager="slipway",
            dryRun="All",
            fieldValidation="Strict",
        )
        assert answer.status == 201, answer.text
        assert answer.warnings == []


@pytest.mark.usefixtures("models_namespace")
def test_a_wrong_manifest_would_not_have_passed(control_plane: ControlPlane) -> None:
    manifest = manifests_of(EXPECTED[0])[0]
    manifest["spec"]["replica"] = 1
    query = {"fieldManager": "slipway", "dryRun": "All", "fieldValidation": "Strict"}
    answer = control_plane.api.ask("PATCH", path_of(manifest), manifest, APPLY_PATCH, **query)
    assert answer.status == 500
    assert re.search("replica.*not declared", answer.text)
