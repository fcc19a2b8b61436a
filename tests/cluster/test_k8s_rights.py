"""What an account with too few rights is told on a real control plane: before anything is made."""

from dataclasses import replace

import pytest

from providers.contract.errors import Rejected
from providers.contract.target import Connection
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.launching import failed, launch_in, objects_of, preflight
from tests.cluster.shipped import Right, account_with

pytestmark = pytest.mark.usefixtures("cluster_nodes")


def test_what_may_be_written_but_not_read_is_refused_before_anything_is_made(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = launch_in(control_plane, namespace)
    launch.target = replace(
        launch.target, key="writer", connection=_writer(control_plane, namespace)
    )

    check = failed(preflight(launch))["Forbidden"]

    assert 'cannot get resource "services"' in check.message
    assert check.field == ""
    with pytest.raises(Rejected):
        launch.create()
    assert objects_of(launch) == []


def _writer(control_plane: ControlPlane, namespace: str) -> Connection:
    """Return the credential of an account that may do all it needs but read a Service."""
    most = [Right(group, "*", "*") for group in ("apps", "autoscaling")]
    written = [Right("", "services", verb) for verb in ("list", "create", "patch", "delete")]
    kinds = ("namespaces", "pods")
    read = [Right("", kind, verb) for kind in kinds for verb in ("get", "list")]
    path = account_with(control_plane, namespace, [], inside=[*most, *written, *read])
    return Connection(kubeconfig=str(path))
