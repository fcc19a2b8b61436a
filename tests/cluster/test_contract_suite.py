"""Every Kubernetes provider passes the contract suite on a real control plane."""

import pytest

from providers.kserve.provider import provider as kserve
from providers.kubernetes.provider import provider as k8s_deployment
from providers.stormservice.provider import provider as stormservice
from providers.testing.cluster_contract import ClusterContract
from tests.cluster.harness.control_plane import ControlPlane


class KubernetesContract(ClusterContract):
    @pytest.fixture
    def kubeconfig(self, control_plane: ControlPlane) -> str:
        return str(control_plane.kubeconfig)


@pytest.mark.usefixtures("cluster_nodes")
class TestKubernetesDeployment(KubernetesContract):
    provider = k8s_deployment


class ForeignContract(KubernetesContract):
    """On the control plane that knows other makers' kinds, where stand-ins act on them."""

    @pytest.fixture
    def control_plane(self, foreign_plane: ControlPlane) -> ControlPlane:
        return foreign_plane


class TestStormService(ForeignContract):
    provider = stormservice


class TestInferenceService(ForeignContract):
    provider = kserve
    has_scale = False
