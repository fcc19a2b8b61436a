"""Every golden file of an InferenceService is taken by a real API server with KServe's schemas."""

from pathlib import Path

import pytest
from ruamel.yaml import YAML

from providers.contract.manifest import Manifest
from providers.kube.apply import apply_object, rehearse_object
from providers.kube.client import client_for
from providers.kube.clock import deadline_in
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.launching import target_for

EXPECTED = Path(__file__).parents[1] / "golden" / "kserve" / "expected"
FILES = sorted(EXPECTED.glob("*.yaml"))


def moved_to(namespace: str, path: Path) -> Manifest:
    """Return the object of a golden file in a namespace that is there."""
    with path.open(encoding="utf-8") as text:
        [document] = [one for one in YAML(typ="safe").load_all(text) if one]
    return {**document, "metadata": {**document["metadata"], "namespace": namespace}}


def test_there_are_golden_files() -> None:
    assert {"vllm", "autoscaled-memory", "stopped", "model-hub", "model-claim"} <= {
        path.stem for path in FILES
    }


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_golden_file_is_taken_strictly_and_without_a_warning(
    foreign_plane: ControlPlane, foreign_namespace: str, path: Path
) -> None:
    target = target_for(foreign_plane, foreign_namespace)
    client = client_for(target, deadline=deadline_in(60))
    document = moved_to(foreign_namespace, path)
    written = rehearse_object(client, document, deadline=deadline_in(60))
    assert written.warnings == ()
    assert written.created


def test_every_field_is_kept_as_it_was_sent(
    foreign_plane: ControlPlane, foreign_namespace: str
) -> None:
    client = client_for(target_for(foreign_plane, foreign_namespace), deadline=deadline_in(60))
    document = moved_to(foreign_namespace, EXPECTED / "placed.yaml")
    made = apply_object(client, document, deadline=deadline_in(60)).body
    assert made["spec"] == document["spec"]


def test_applying_it_again_changes_nothing(
    foreign_plane: ControlPlane, foreign_namespace: str
) -> None:
    client = client_for(target_for(foreign_plane, foreign_namespace), deadline=deadline_in(60))
    document = moved_to(foreign_namespace, EXPECTED / "stopped.yaml")
    first = apply_object(client, document, deadline=deadline_in(60)).body
    again = apply_object(client, document, deadline=deadline_in(60)).body
    assert again["spec"] == first["spec"]
    assert again["metadata"]["generation"] == first["metadata"]["generation"]
