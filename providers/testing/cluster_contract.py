"""The contract suite on a cluster of your own: for kinds that the simulated one does not know.

Subclass `ClusterContract`, name your `provider`, and name the cluster's kubeconfig in
`SLIPWAY_TRY_KUBECONFIG`. Its user must be allowed to make namespaces: each test has one of its own,
which goes with it. The workload must be the first of what the provider renders, and pods of the
mock engine must become ready there.
"""

import os
import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from providers.contract.manifest import key_of
from providers.contract.protocols import Provider
from providers.contract.request import DeployRequest
from providers.contract.target import ClusterTarget, Connection
from providers.kube.apply import create_object, delete_object
from providers.kube.client import Call, KubeClient, client_for
from providers.kube.errors import NOT_FOUND
from providers.kube.resources import NAMESPACES, SERVICE_ACCOUNTS, path_of
from providers.testing.contract_suite import ProviderContract
from providers.testing.samples import full_quota, make_target
from providers.testing.silence import silent_cluster
from providers.testing.stage import Stage, deadline, wait_while

VARIABLE = "SLIPWAY_TRY_KUBECONFIG"
# Longer than a pod may take to end, and than garbage collection takes to know a new kind.
PATIENCE = 180.0


class ClusterContract(ProviderContract):
    """Name the `provider` in a subclass.

    `has_scale`: its workload itself has a number of replicas, which a stranger can set.
    """

    provider: Provider
    has_scale = True

    @pytest.fixture
    def kubeconfig(self) -> str:
        """Return the path of the cluster's kubeconfig; override it where you know it."""
        path = os.environ.get(VARIABLE, "")
        if not path:
            pytest.fail(f"{VARIABLE} is not set: name the kubeconfig of a cluster to try on")
        return path

    @pytest.fixture
    def silent(self, tmp_path: Path) -> Iterator[Path]:
        """Give the kubeconfig of a server that never answers."""
        with silent_cluster(tmp_path / "silent") as path:
            yield path

    @pytest.fixture
    def stage(self, kubeconfig: str, silent: Path) -> Iterator[Stage]:
        """Give each test a namespace of its own, and remove it."""
        namespace = f"test-{uuid.uuid4().hex[:8]}"
        target = make_target(
            key="cluster",
            connection=Connection(kubeconfig=kubeconfig),
            default_namespace=namespace,
            namespaces=(namespace,),
        )
        outside = _Outsider(self.provider, target)
        uid = outside.make_namespace(namespace)
        yield Stage(
            provider=self.provider,
            target=target,
            silent=replace(target, key="silent", connection=Connection(kubeconfig=str(silent))),
            namespace=namespace,
            remove_outside=outside.remove,
            scale_outside=outside.scale if self.has_scale else None,
            fill_quota=outside.fill_quota,
            patience=PATIENCE,
        )
        outside.remove_namespace(namespace, uid)


class _Outsider:
    """Somebody who changes the workload beside us."""

    def __init__(self, provider: Provider, target: ClusterTarget) -> None:
        self.provider, self.target = provider, target
        self.client: KubeClient = client_for(target, deadline=deadline())

    def make_namespace(self, name: str) -> str:
        """Make a namespace and return its uid."""
        body = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
        made = create_object(self.client, body, deadline=deadline())
        assert made is not None, f"there is a namespace {name} already"
        # Before it has the account that pods run as, none is admitted.
        account = SERVICE_ACCOUNTS.item("default", name)
        wait_while(lambda: self._status_of(account) == NOT_FOUND, PATIENCE)
        return made.uid

    def _status_of(self, path: str) -> int:
        return self.client.get(path, deadline=deadline()).status

    def remove_namespace(self, name: str, uid: str) -> None:
        """Ask for the end of a namespace."""
        delete_object(self.client, NAMESPACES.key(name), uid=uid, deadline=deadline())

    def remove(self, request: DeployRequest) -> None:
        """Delete the workload and wait until it is gone."""
        workload = self.provider.render(request, self.target)[0]
        path = path_of(workload)
        found = self.client.get(path, deadline=deadline()).document()
        uid = str((found.get("metadata") or {}).get("uid") or "")
        delete_object(
            self.client,
            key_of(workload),
            uid=uid,
            deadline=deadline(),
            propagation="Background",
        )
        # Its controller may hold it a moment.
        wait_while(lambda: self.client.get(path, deadline=deadline()).is_ok, PATIENCE)

    def fill_quota(self) -> None:
        """Leave no pod in the namespace."""
        create_object(self.client, full_quota(self.target.default_namespace), deadline=deadline())

    def scale(self, request: DeployRequest, replicas: int) -> None:
        """Give the workload another number of replicas, as kubectl does."""
        call = Call(
            method="PATCH",
            path=f"{path_of(self.provider.render(request, self.target)[0])}/scale",
            query={"fieldManager": "kubectl"},
            body={"spec": {"replicas": replicas}},
            content_type="application/merge-patch+json",
        )
        answer = self.client.send(call, deadline=deadline())
        assert answer.is_ok, f"scaling outside was refused: {answer.status}"
