"""The provider `k8s-deployment`: the verbs of the contract over Deployment, Service and autoscaler.

Only wires the rooms beside it together; each verb is told in the module that does it.
"""

from providers.carrying.verbs import Carrying
from providers.contract.checks import Check
from providers.contract.manifest import Manifest
from providers.contract.protocols import Capabilities
from providers.contract.request import DeployRequest
from providers.contract.target import ClusterTarget
from providers.kubernetes import render, validate
from providers.kubernetes.carrier import CARRIER


class KubernetesProvider(Carrying):
    """Carries a deployment as a Deployment with a Service and, where asked for, an autoscaler."""

    carrier = CARRIER
    kind = render.KIND
    title = "Kubernetes Deployment"
    aliases: tuple[str, ...] = validate.ALIASES
    capabilities = Capabilities(topologies=validate.TOPOLOGIES, observes=True, watches=True)

    def validate(self, request: DeployRequest, target: ClusterTarget) -> tuple[Check, ...]:
        """Check what needs no cluster."""
        return validate.validate(request, target)

    def render(self, request: DeployRequest, target: ClusterTarget) -> tuple[Manifest, ...]:
        """Return the exact objects in the order of apply."""
        return render.render(request, target)


provider = KubernetesProvider()
