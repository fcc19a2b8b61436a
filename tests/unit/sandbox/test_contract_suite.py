"""`k8s-deployment` passes the contract suite on the simulated cluster, over HTTP."""

from providers.kubernetes.provider import provider as k8s_deployment
from providers.testing.sandbox_contract import SandboxContract


class TestKubernetesDeploymentOnTheSandbox(SandboxContract):
    provider = k8s_deployment
