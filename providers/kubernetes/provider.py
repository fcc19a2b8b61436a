"""The provider `k8s-deployment`: the verbs of the contract over Deployment, Service and autoscaler.

Only wires the rooms beside it together; each verb is told in the module that does it.
"""

from providers.carrying.verbs import Carrying
from providers.contract.capacity import Capacity
from providers.contract.changing import Effects, Running
from providers.contract.checks import Check
from providers.contract.manifest import Manifest
from providers.contract.overrides import Scaling
from providers.contract.protocols import (
    Capabilities,
    ClusterDoor,
    Endpoint,
)
from providers.contract.request import DeployRequest, Rollout
from providers.contract.target import ClusterTarget
from providers.contract.template import TemplateSpec
from providers.kube.door import door
from providers.kubernetes import (
    changing,
    render,
    validate,
)
from providers.kubernetes.carrier import CARRIER
from providers.workload import addresses, naming, rollout
from providers.workload.spare import quota_left

# A Deployment's controller names ReplicaSets NAME-HASH and pods NAME-HASH-XXXXX, which Kubernetes
# shortens by itself; the Service's name, a DNS label, is the one that must fit.
NOTHING_ADDED = 0


class KubernetesProvider(Carrying):
    """Carries a deployment as a Deployment with a Service and, where asked for, an autoscaler."""

    carrier = CARRIER
    kind = render.KIND
    title = "Kubernetes Deployment"
    aliases: tuple[str, ...] = validate.ALIASES
    capabilities = Capabilities(topologies=validate.TOPOLOGIES, observes=True, watches=True)
    door: ClusterDoor | None = door

    def name_suffix(self, namespace: str, spec: TemplateSpec) -> int:
        """Return 0: no object of this kind bears a longer name that must fit."""
        del namespace, spec
        return NOTHING_ADDED

    def runtime_name(
        self, display_name: str, *, deployment_id: str, namespace: str, spec: TemplateSpec
    ) -> str:
        """Return the name of Deployment, Service and autoscaler."""
        room = self.name_suffix(namespace, spec)
        return naming.runtime_name(display_name, deployment_id=deployment_id, room=room)

    def resolve_rollout(
        self,
        strategy: str,
        spec: TemplateSpec,
        target: ClusterTarget,
        *,
        namespace: str,
        scaling: Scaling,
        capacity: Capacity | None,
    ) -> Rollout:
        """Return how pods are replaced, by what is free."""
        del scaling
        left = quota_left(spec.accelerator, target, namespace=namespace, capacity=capacity)
        return rollout.resolve_rollout(
            strategy, accelerator=spec.accelerator, capacity=capacity, quota_left=left
        )

    def endpoint(self, request: DeployRequest, target: ClusterTarget) -> Endpoint:
        """Return where the model will answer."""
        return addresses.endpoint(request, target)

    def validate(self, request: DeployRequest, target: ClusterTarget) -> tuple[Check, ...]:
        """Check what needs no cluster."""
        return validate.validate(request, target)

    def render(self, request: DeployRequest, target: ClusterTarget) -> tuple[Manifest, ...]:
        """Return the exact objects in the order of apply."""
        return render.render(request, target)

    def effects(
        self,
        before: DeployRequest,
        after: DeployRequest,
        target: ClusterTarget,
        *,
        capacity: Capacity | None,
        running: Running,
    ) -> Effects:
        """Return what a change would do to what runs."""
        return changing.effects(before, after, target, capacity=capacity, running=running)


provider = KubernetesProvider()
