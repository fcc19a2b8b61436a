"""What an account with too few rights is told on a real control plane: before anything is made."""

from dataclasses import replace

import pytest

from providers.contract.errors import Rejected
from providers.contract.manifest import Manifest
from providers.contract.target import Connection
from tests.cluster.harness.api import namespaced
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.launching import failed, launch_in, objects_of, preflight

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
    api, name = control_plane.api, {"metadata": {"name": "writer"}}
    account: Manifest = {"apiVersion": "v1", "kind": "ServiceAccount", **name}
    api.create(namespaced(namespace, "serviceaccounts"), account)
    rbac = "rbac.authorization.k8s.io"
    most = {"apiGroups": ["apps", "autoscaling"], "resources": ["*"], "verbs": ["*"]}
    written = {
        "apiGroups": [""],
        "resources": ["services"],
        "verbs": ["list", "create", "patch", "delete"],
    }
    read = {"apiGroups": [""], "resources": ["namespaces", "pods"], "verbs": ["get", "list"]}
    role: Manifest = {"apiVersion": f"{rbac}/v1", "kind": "Role", **name}
    api.create(
        namespaced(namespace, "roles", api=f"apis/{rbac}/v1"),
        role | {"rules": [most, written, read]},
    )
    binding: Manifest = {"apiVersion": f"{rbac}/v1", "kind": "RoleBinding", **name}
    whom = {
        "roleRef": {"apiGroup": rbac, "kind": "Role", "name": "writer"},
        "subjects": [{"kind": "ServiceAccount", "name": "writer", "namespace": namespace}],
    }
    api.create(namespaced(namespace, "rolebindings", api=f"apis/{rbac}/v1"), binding | whom)
    return Connection(kubeconfig=str(control_plane.service_account_kubeconfig(namespace, "writer")))
