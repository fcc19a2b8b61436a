"""The manifests of deploy/ as they ship: built by kubectl, applied, and their rights bound anew."""

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from providers.contract.manifest import Manifest
from providers.contract.yaml_text import load_all
from tests.cluster.harness.api import namespaced
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.waiting import wait_for

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
RBAC = "rbac.authorization.k8s.io"
RBAC_PATH = f"/apis/{RBAC}/v1"


@dataclass(frozen=True, order=True, slots=True)
class Right:
    """One verb on one kind of resource."""

    group: str
    resource: str
    verb: str

    def __str__(self) -> str:
        """Return it as the cluster words its refusals."""
        return f'{self.verb} resource "{self.resource}" in API group "{self.group}"'


def rights_in(folder: str) -> list[Right]:
    """Return every right that the role of deploy/FOLDER grants."""
    documents: tuple[Any, ...] = load_all((DEPLOY / folder / "role.yaml").read_text())
    return [
        Right(group, resource, verb)
        for document in documents
        for rule in document.get("rules", ())
        for group in rule["apiGroups"]
        for resource in rule["resources"]
        for verb in rule["verbs"]
    ]


def kubectl(plane: ControlPlane, *arguments: str) -> str:
    """Run kubectl as the administrator; what it warns of fails."""
    command = [plane.kubectl, f"--kubeconfig={plane.kubeconfig}", *arguments]
    home = {**os.environ, "HOME": str(plane.layout.folder)}
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=120, check=False, env=home
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    return done.stdout


def apply_shipped(plane: ControlPlane, folder: str, *options: str) -> str:
    """Apply a folder of deploy/ strictly: an unknown field or a warning is an error."""
    strict = ("--server-side", "--validate=strict", "--warnings-as-errors")
    return kubectl(plane, "apply", "-k", str(DEPLOY / folder), *strict, *options)


def account_with(
    plane: ControlPlane, name: str, everywhere: Sequence[Right], *, inside: Sequence[Right] = ()
) -> Path:
    """Return the kubeconfig of an account of namespace NAME with these rights and no others.

    `everywhere` is granted by a ClusterRole, `inside` by a Role in that namespace.
    """
    plane.api.create(namespaced(name, "serviceaccounts"), {"metadata": {"name": "account"}})
    if everywhere:
        _grant(plane, "", "clusterroles", name, everywhere, of=name)
    if inside:
        _grant(plane, f"/namespaces/{name}", "roles", "inside", inside, of=name)
    return plane.service_account_kubeconfig(name, "account")


def remove_account(plane: ControlPlane, name: str) -> None:
    """Remove what outlives the account's namespace."""
    for plural in ("clusterrolebindings", "clusterroles"):
        plane.api.delete(f"{RBAC_PATH}/{plural}/{name}")


def _grant(
    plane: ControlPlane, where: str, plural: str, name: str, rights: Sequence[Right], *, of: str
) -> None:
    rules = [{"apiGroups": [r.group], "resources": [r.resource], "verbs": [r.verb]} for r in rights]
    metadata = {"metadata": {"name": name}}
    plane.api.create(f"{RBAC_PATH}{where}/{plural}", {**metadata, "rules": rules})
    kind = "ClusterRole" if plural == "clusterroles" else "Role"
    binding: Manifest = {
        **metadata,
        "roleRef": {"apiGroup": RBAC, "kind": kind, "name": name},
        "subjects": [{"kind": "ServiceAccount", "name": "account", "namespace": of}],
    }
    plane.api.create(f"{RBAC_PATH}{where}/{plural[:-1]}bindings", binding)
    wait_for_right(plane, of, "account", rights[-1])


def wait_for_right(plane: ControlPlane, namespace: str, account: str, right: Right) -> None:
    """Wait until a role is in force that grants the right to an account in the namespace."""
    user = f"system:serviceaccount:{namespace}:{account}"
    wait_for(lambda: _may(plane, user, namespace, right), 90.0, f"{user} may {right}")


def _may(plane: ControlPlane, user: str, namespace: str, right: Right) -> bool:
    review = {
        "spec": {
            "user": user,
            "resourceAttributes": {
                "namespace": namespace,
                "group": right.group,
                "resource": right.resource,
                "verb": right.verb,
            },
        }
    }
    answer = plane.api.create("/apis/authorization.k8s.io/v1/subjectaccessreviews", review)
    return bool(answer["status"]["allowed"])
