"""What nobody holds and the API server refuses beside ours is put back on a real control plane."""

import pytest

from providers.contract.manifest import Manifest
from tests.cluster.drifting import drift_of, is_clean, put_back, running
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.launching import Launch

pytestmark = pytest.mark.usefixtures("cluster_nodes")

STRATEGIC = "application/strategic-merge-patch+json"
SOURCE = {"fieldRef": {"fieldPath": "metadata.name"}}
COLOUR = {"name": "COLOUR", "value": None, "valueFrom": SOURCE}
ENGINE = {"name": "engine", "env": [COLOUR]}
PROBE = {"name": "engine", "readinessProbe": {"httpGet": None, "exec": {"command": ["true"]}}}


def spec_of(launch: Launch) -> object:
    return launch.api.get(launch.deployment_path)["spec"]


def pod(container: object) -> Manifest:
    return {"spec": {"template": {"spec": {"containers": [container]}}}}


@pytest.mark.parametrize(
    "patch",
    [pytest.param(pod(ENGINE), id="a source"), pytest.param(pod(PROBE), id="another probe")],
)
def test_it_goes_where_it_stands_beside_a_value_of_ours(
    control_plane: ControlPlane, namespace: str, patch: Manifest
) -> None:
    launch = running(control_plane, namespace)
    spec = spec_of(launch)
    launch.api.ask("PATCH", launch.deployment_path, patch, STRATEGIC, fieldManager="kubectl-patch")
    launch.api.merge(launch.deployment_path, {"metadata": {"managedFields": [{}]}})
    assert len(drift_of(launch).fields) == 1

    put_back(launch)

    assert spec_of(launch) == spec
    assert is_clean(launch)
