"""Other makers' kinds on a real control plane: their schemas installed, and waited for."""

from functools import partial
from http import HTTPStatus
from pathlib import Path

from ruamel.yaml import YAML

from providers.contract.manifest import Manifest
from tests.beside import beside
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.waiting import wait_for

DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
WAIT_SECONDS = 90


def schemas(group: str) -> tuple[Manifest, ...]:
    """Return the definitions of a group such as `aibrix.ai`, from beside the checkout."""
    files = sorted(path for path in beside("crds").glob("*.yaml") if group in path.name)
    return tuple(_document(path) for path in files)


def of_the_whole_cluster(definition: Manifest) -> Manifest:
    """Return the definition of the kind that is the same without a namespace."""
    spec = definition["spec"]
    plural, kind = f"cluster{spec['names']['plural']}", f"Cluster{spec['names']['kind']}"
    names = {"plural": plural, "singular": kind.lower(), "kind": kind, "listKind": f"{kind}List"}
    metadata = {"name": f"{plural}.{spec['group']}"}
    return {
        **definition,
        "metadata": metadata,
        "spec": {**spec, "scope": "Cluster", "names": names},
    }


def install(plane: ControlPlane, definitions: tuple[Manifest, ...]) -> None:
    """Install definitions; returns when every kind can be listed."""
    for definition in definitions:
        plane.api.create(DEFINITIONS, definition)
    for definition in definitions:
        what = f"{definition['metadata']['name']} is served"
        wait_for(partial(_is_served, plane, definition), WAIT_SECONDS, what)


def remove(plane: ControlPlane, definitions: tuple[Manifest, ...]) -> None:
    """Remove definitions with all objects of theirs; returns when none is served any more."""
    for definition in definitions:
        plane.api.delete(f"{DEFINITIONS}/{definition['metadata']['name']}")
    for definition in definitions:
        what = f"{definition['metadata']['name']} is gone"
        wait_for(partial(_is_missing, plane, definition), WAIT_SECONDS, what)


def _is_missing(plane: ControlPlane, definition: Manifest) -> bool:
    return not _is_served(plane, definition)


def _is_served(plane: ControlPlane, definition: Manifest) -> bool:
    spec = definition["spec"]
    version = spec["versions"][0]["name"]
    path = f"/apis/{spec['group']}/{version}/{spec['names']['plural']}"
    return plane.api.ask("GET", path).status == HTTPStatus.OK


def _document(path: Path) -> Manifest:
    with path.open(encoding="utf-8") as text:
        found: Manifest = YAML(typ="safe").load(text)
    return found
