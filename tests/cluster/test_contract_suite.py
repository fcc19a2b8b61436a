"""Every Kubernetes provider passes the contract suite on a real control plane."""

import socket
from collections.abc import Iterator
from dataclasses import replace

import pytest

from providers.contract.manifest import Manifest
from providers.contract.protocols import Provider
from providers.contract.request import DeployRequest
from providers.contract.target import Connection
from providers.kserve.provider import provider as kserve
from providers.kubernetes.provider import provider as k8s_deployment
from providers.stormservice.provider import provider as stormservice
from providers.testing.contract_suite import ProviderContract
from providers.testing.samples import make_target
from providers.testing.stage import Stage, wait_while
from tests.cluster.harness.api import namespaced
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.harness.kubeconfig import token_user, write_kubeconfig

# Longer than a pod may take to end.
PATIENCE = 90.0


@pytest.fixture(scope="session")
def silent_url() -> Iterator[str]:
    """Return the address of a server that takes connections and never says a word."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(64)
        yield f"https://127.0.0.1:{listening.getsockname()[1]}"


class KubernetesContract(ProviderContract):
    provider: Provider
    has_scale = True

    @pytest.fixture
    def stage(
        self,
        control_plane: ControlPlane,
        namespace: str,
        silent_url: str,
    ) -> Stage:
        target = make_target(
            connection=Connection(kubeconfig=str(control_plane.kubeconfig)),
            default_namespace=namespace,
            namespaces=(namespace,),
        )
        silent = write_kubeconfig(
            control_plane.layout.folder / "kubeconfigs" / "silent.kubeconfig",
            url=silent_url,
            ca=control_plane.ca,
            user=token_user("nobody"),
            namespace=namespace,
        )

        def remove_outside(request: DeployRequest) -> None:
            workload = self.provider.render(request, target)[0]
            control_plane.api.delete(path_of(workload))
            # Its controller may hold it a moment.
            wait_while(lambda: bool(control_plane.api.find(path_of(workload))), PATIENCE)

        def scale_outside(request: DeployRequest, replicas: int) -> None:
            workload = self.provider.render(request, target)[0]
            body = {"spec": {"replicas": replicas}}
            scale = f"{path_of(workload)}/scale"
            control_plane.api.merge(scale, body, fieldManager="kubectl")

        return Stage(
            provider=self.provider,
            target=target,
            silent=replace(target, key="silent", connection=Connection(kubeconfig=str(silent))),
            namespace=namespace,
            remove_outside=remove_outside,
            scale_outside=scale_outside if self.has_scale else None,
            patience=PATIENCE,
        )


def path_of(manifest: Manifest) -> str:
    metadata, plural = manifest["metadata"], f"{manifest['kind'].lower()}s"
    api = f"apis/{manifest['apiVersion']}"
    return namespaced(metadata["namespace"], plural, metadata["name"], api=api)


@pytest.mark.usefixtures("cluster_nodes")
class TestKubernetesDeployment(KubernetesContract):
    provider = k8s_deployment


class ForeignContract(KubernetesContract):
    """On the control plane that knows other makers' kinds, where stand-ins act on them."""

    @pytest.fixture
    def control_plane(self, foreign_plane: ControlPlane) -> ControlPlane:
        return foreign_plane

    @pytest.fixture
    def namespace(self, foreign_namespace: str) -> str:
        return foreign_namespace


class TestStormService(ForeignContract):
    provider = stormservice


class TestInferenceService(ForeignContract):
    provider = kserve
    has_scale = False
