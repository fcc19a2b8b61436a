"""The provider `stormservice`: the verbs of the contract over AIBrix's StormService.

Only wires the rooms beside it together; each verb is told in the module that does it.
"""

from providers.carrying.effects import effects
from providers.carrying.verbs import Carrying
from providers.contract.capacity import Capacity
from providers.contract.changing import Effects, Running
from providers.contract.checks import Check
from providers.contract.manifest import Manifest
from providers.contract.overrides import Scaling
from providers.contract.protocols import (
    Applied,
    Capabilities,
    Deadline,
)
from providers.contract.request import DeploymentRef, DeployRequest, Rollout
from providers.contract.target import ClusterTarget
from providers.contract.template import TemplateSpec
from providers.stormservice import render, rollout, validate
from providers.stormservice.carrier import CARRIER
from providers.stormservice.changing import as_reached, pods_in
from providers.stormservice.naming import room_of
from providers.stormservice.scaling_roles import scale_roles
from providers.workload.changing import Change


class StormServiceProvider(Carrying):
    """Carries a deployment as a StormService with a Service and, where asked for, an autoscaler."""

    carrier = CARRIER
    kind = render.KIND
    title = "AIBrix StormService"
    aliases: tuple[str, ...] = validate.ALIASES
    capabilities = Capabilities(topologies=validate.TOPOLOGIES, observes=True, watches=True)

    def name_suffix(self, namespace: str, spec: TemplateSpec) -> int:
        """Return what the controller adds to the name, and what a webhook of AIBrix allows."""
        del namespace
        return room_of(spec)

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
        """Return how replicas are replaced, by what is free for all pods of one."""
        del scaling
        return rollout.resolve(strategy, spec, target, namespace=namespace, capacity=capacity)

    def validate(self, request: DeployRequest, target: ClusterTarget) -> tuple[Check, ...]:
        """Check what needs no cluster."""
        return validate.validate(request, target)

    def render(self, request: DeployRequest, target: ClusterTarget) -> tuple[Manifest, ...]:
        """Return the exact objects in the order of apply."""
        return render.render(request, target)

    def update(
        self,
        request: DeployRequest,
        ref: DeploymentRef,
        target: ClusterTarget,
        *,
        deadline: Deadline,
    ) -> Applied:
        """Bring what runs to the request; other numbers of roles first, where they are all."""
        if request.spec.topology.roles:
            scale_roles(self.render(request, target)[0], target, deadline=deadline)
        return super().update(request, ref, target, deadline=deadline)

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
        rendered = (self.render(before, target), self.render(after, target))
        change = Change(before=before, after=after, running=running)
        pods_of = pods_in(change)
        told = effects(self.carrier, rendered, change, target, capacity=capacity, pods_of=pods_of)
        return as_reached(told, change)


provider = StormServiceProvider()
