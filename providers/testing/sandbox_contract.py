"""The contract suite on the simulated cluster, over HTTP: any provider whose kinds that knows.

Subclass `SandboxContract`, name your `provider`, and pytest runs the suite in seconds. The workload
must be the first of what it renders. For other kinds there is `ClusterContract`.
"""

import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from providers.contract.manifest import Manifest
from providers.contract.protocols import Provider
from providers.contract.request import DeployRequest
from providers.contract.target import ClusterTarget, Connection
from providers.sandbox.cluster import Cluster
from providers.sandbox.kinds import BY_NAME
from providers.sandbox.kubeconfig import write_kubeconfig
from providers.sandbox.server import serving
from providers.simulation.pod_life.pace import Pace
from providers.testing.contract_suite import ProviderContract
from providers.testing.samples import full_quota, make_request, make_target
from providers.testing.silence import silent_cluster
from providers.testing.stage import Stage, wait_while

TOKEN = "a-token-of-tests"  # noqa: S105 - it opens nothing
PATIENCE = 60.0
QUICK = Pace(pull_seconds=0.01, load_seconds=0.02, back_off_scale=0.1)


class SandboxContract(ProviderContract):
    """Name the `provider` in a subclass.

    `has_scale`: its workload itself has a number of replicas, which a stranger can set. `stage_of`
    may ask for something else than usual.
    """

    provider: Provider
    has_scale = True
    stage_of: type[Stage] = Stage

    @pytest.fixture(scope="class")
    @classmethod
    def cluster(cls) -> Cluster:
        """Return a cluster with one node, on which everything happens at once."""
        cluster = Cluster(pace=QUICK, foreign=True)
        cluster.create({"kind": "Node", "metadata": {"name": "cpu-1"}})
        return cluster

    @pytest.fixture(scope="class")
    @classmethod
    def kubeconfig(
        cls, cluster: Cluster, tmp_path_factory: pytest.TempPathFactory
    ) -> Iterator[Path]:
        """Serve the cluster and write how to reach it."""
        with serving(cluster, token=TOKEN) as server:
            path = tmp_path_factory.mktemp("sandbox") / "kubeconfig"
            yield write_kubeconfig(path, url=server.url, namespace="default")

    @pytest.fixture(scope="class")
    @classmethod
    def silent(cls, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
        """Give the kubeconfig of a server that never answers."""
        with silent_cluster(tmp_path_factory.mktemp("silent")) as path:
            yield path

    @pytest.fixture
    def stage(self, cluster: Cluster, kubeconfig: Path, silent: Path) -> Stage:
        """Give each test a namespace of its own."""
        namespace = f"test-{uuid.uuid4().hex[:8]}"
        cluster.create({"kind": "Namespace", "metadata": {"name": namespace}})
        target = make_target(
            key="sandbox",
            connection=Connection(kubeconfig=str(kubeconfig)),
            default_namespace=namespace,
            namespaces=(namespace,),
        )
        _require_known(self.provider, target)

        def workload_of(request: DeployRequest) -> Manifest:
            kind = BY_NAME[self.provider.render(request, target)[0]["kind"]]
            found = cluster.store.get(kind.plural, request.runtime_name, namespace)
            assert found is not None
            return found

        def is_there(request: DeployRequest) -> bool:
            kind = BY_NAME[self.provider.render(request, target)[0]["kind"]]
            with cluster.lock:
                return cluster.store.get(kind.plural, request.runtime_name, namespace) is not None

        def remove_outside(request: DeployRequest) -> None:
            with cluster.lock:
                cluster.desk.delete(workload_of(request))
            wait_while(lambda: is_there(request), PATIENCE)  # its controller may hold it a moment

        def scale_outside(request: DeployRequest, replicas: int) -> None:
            with cluster.lock:
                patch = {"spec": {"replicas": replicas}}
                found = workload_of(request)
                cluster.desk.merge(found, patch, manager="kubectl-scale", dry=False)

        def fill_quota() -> None:
            cluster.create(full_quota(namespace))

        return self.stage_of(
            provider=self.provider,
            target=target,
            silent=replace(target, key="silent", connection=Connection(kubeconfig=str(silent))),
            namespace=namespace,
            remove_outside=remove_outside,
            scale_outside=scale_outside if self.has_scale else None,
            fill_quota=fill_quota,
            patience=PATIENCE,
        )


def _require_known(provider: Provider, target: ClusterTarget) -> None:
    """Fail with what to do where the simulated cluster does not know what is rendered."""
    rendered = provider.render(make_request(provider, namespace=target.default_namespace), target)
    unknown = {manifest["kind"] for manifest in rendered} - BY_NAME.keys()
    if unknown:
        pytest.fail(
            f"the simulated cluster does not know {', '.join(sorted(unknown))}; "
            "subclass ClusterContract of providers.testing.cluster_contract, on a real cluster",
            pytrace=False,
        )
