"""The provider `acme-replicas`: what it renders is its own, the verbs are the shared ones."""

from acme_replicas.carrier import CARRIER
from acme_replicas.render import KIND, render
from acme_replicas.replacing import remove_outdated
from providers.carrying.verbs import Carrying
from providers.contract.capacity import Capacity
from providers.contract.checks import Check
from providers.contract.manifest import Manifest
from providers.contract.overrides import Scaling
from providers.contract.protocols import Applied, Capabilities, Deadline
from providers.contract.request import DeploymentRef, DeployRequest, Rollout
from providers.contract.target import ClusterTarget
from providers.contract.template import TemplateSpec
from providers.workload.objects import POD_TEMPLATE_HASH
from providers.workload.reviewing import faults_of, raise_faults, warnings_of

TOPOLOGIES = frozenset({"standard"})


class AcmeProvider(Carrying):
    """Carries a deployment as a ReplicaSet; what changes its pods replaces all of them at once."""

    carrier = CARRIER
    kind = KIND
    title = "Acme ReplicaSet"
    capabilities = Capabilities(
        topologies=TOPOLOGIES,
        rollouts=frozenset({Rollout.RECREATE}),
        autoscaling=False,
        observes=True,
        watches=True,
    )

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
        """Return what is asked for; left to us, pods go before others come."""
        del spec, target, namespace, scaling, capacity
        return Rollout.RECREATE if strategy == "auto" else Rollout(strategy)

    def validate(self, request: DeployRequest, target: ClusterTarget) -> tuple[Check, ...]:
        """Check what needs no cluster."""
        raise_faults(faults_of(request, (KIND,), TOPOLOGIES))
        return warnings_of(request, target)

    def render(self, request: DeployRequest, target: ClusterTarget) -> tuple[Manifest, ...]:
        """Return the exact objects in the order of apply."""
        return render(request, target)

    def update(
        self,
        request: DeployRequest,
        ref: DeploymentRef,
        target: ClusterTarget,
        *,
        deadline: Deadline,
    ) -> Applied:
        """Write the objects, then let pods of the earlier template go."""
        applied = super().update(request, ref, target, deadline=deadline)
        mark = render(request, target)[0]["metadata"]["labels"][POD_TEMPLATE_HASH]
        remove_outdated(request, target, mark, deadline)
        return applied


provider = AcmeProvider()
