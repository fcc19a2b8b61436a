"""The YAML of a revision over what runs, applied by kubectl as it does by default: by itself."""

from pathlib import Path

import pytest

from providers.contract.drifting import DriftKind
from providers.contract.manifest import Manifest
from providers.contract.manifest_yaml import manifests_yaml
from tests.cluster.drifting import (
    AUTOSCALED,
    drift_of,
    is_clean,
    kubectl,
    manifests_of,
    put_back,
    running,
)
from tests.cluster.harness.api import namespaced
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.launching import Launch

pytestmark = pytest.mark.usefixtures("cluster_nodes")

FIXED = {"min_replicas": 2}
EACH = pytest.mark.parametrize("overrides", [FIXED, AUTOSCALED], ids=["fixed", "autoscaled"])


def downloaded(launch: Launch, folder: Path) -> Path:
    file = folder / "revision.yaml"
    file.write_text(manifests_yaml(manifests_of(launch)))
    return file


def what_runs(launch: Launch) -> tuple[Manifest, list[str]]:
    """Return what is asked for, and which pods there are.

    An annotation of a Deployment is a new generation of it, too: kubectl keeps what it applied.
    """
    pods = launch.api.get(namespaced(launch.request.namespace, "pods"))["items"]
    uids = sorted(pod["metadata"]["uid"] for pod in pods)
    return launch.api.get(launch.deployment_path)["spec"], uids


@EACH
def test_that_of_the_revision_that_runs_restarts_nothing_and_is_no_drift(
    control_plane: ControlPlane, namespace: str, tmp_path: Path, overrides: dict[str, object]
) -> None:
    launch = running(control_plane, namespace, **overrides)
    before = what_runs(launch)

    for _ in range(2):
        kubectl(control_plane, launch, "apply", "-f", str(downloaded(launch, tmp_path)))

    assert what_runs(launch) == before
    assert is_clean(launch)


@EACH
def test_what_was_so_applied_is_changed_by_us_as_before(
    control_plane: ControlPlane, namespace: str, tmp_path: Path, overrides: dict[str, object]
) -> None:
    launch = running(control_plane, namespace, **overrides)
    kubectl(control_plane, launch, "apply", "-f", str(downloaded(launch, tmp_path)))

    launch.update(launch.with_env(SHAPE="round"))

    (container,) = launch.api.get(launch.deployment_path)["spec"]["template"]["spec"]["containers"]
    assert {"name": "SHAPE", "value": "round"} in container["env"]
    assert "COLOUR" not in {one["name"] for one in container["env"]}
    assert is_clean(launch)
    launch.wait_until_ready(2)


@EACH
def test_that_of_an_earlier_revision_is_told_by_its_maker_and_put_back(
    control_plane: ControlPlane, namespace: str, tmp_path: Path, overrides: dict[str, object]
) -> None:
    launch = running(control_plane, namespace, **overrides)
    earlier = downloaded(launch, tmp_path)
    launch.update(launch.with_env(SHAPE="round"))

    kubectl(control_plane, launch, "apply", "-f", str(earlier))

    (found,) = drift_of(launch).fields
    assert (found.kind, found.path.rpartition(".")[2]) == (DriftKind.ADDED, "env[name=COLOUR]")
    assert found.holder.who == "somebody with kubectl apply"
    put_back(launch)
    assert is_clean(launch)
    launch.wait_until_ready(2)
