"""The provider `kserve-inferenceservice`: the verbs of the contract over KServe's InferenceService.

Only wires the rooms beside it together; each verb is told in the module that does it.
"""

from providers.carrying.verbs import Carrying
from providers.contract.capacity import Capacity
from providers.contract.checks import Check
from providers.contract.manifest import Manifest
from providers.contract.protocols import (
    Applied,
    Capabilities,
    Deadline,
    Endpoint,
)
from providers.contract.request import DeploymentRef, DeployRequest
from providers.contract.target import ClusterTarget
from providers.contract.template import TemplateSpec
from providers.kserve import addresses, render, validate
from providers.kserve.carrier import CARRIER
from providers.kserve.naming import room_in
from providers.kserve.runtimes import check_runtime
from providers.kserve.seeding import begins_with_more, seed
from providers.kserve.unheeded import check_controller


class KserveProvider(Carrying):
    """Carries a deployment as an InferenceService, from which KServe makes everything else."""

    carrier = CARRIER
    kind = render.KIND
    title = "KServe InferenceService"
    aliases: tuple[str, ...] = validate.ALIASES
    capabilities = Capabilities(
        topologies=validate.TOPOLOGIES, serving_runtimes=True, observes=True, watches=True
    )

    def name_suffix(self, namespace: str, spec: TemplateSpec) -> int:
        """Return what the controller adds to the name, in a label or in a host name."""
        del spec
        return room_in(namespace)

    def endpoint(self, request: DeployRequest, target: ClusterTarget) -> Endpoint:
        """Return where the model will answer."""
        del target
        return addresses.endpoint(request)

    def validate(self, request: DeployRequest, target: ClusterTarget) -> tuple[Check, ...]:
        """Check what needs no cluster."""
        return validate.validate(request, target)

    def render(self, request: DeployRequest, target: ClusterTarget) -> tuple[Manifest, ...]:
        """Return the exact objects in the order of apply."""
        return render.render(request, target)

    def preflight(
        self,
        request: DeployRequest,
        target: ClusterTarget,
        *,
        capacity: Capacity | None,
        deadline: Deadline,
    ) -> tuple[Check, ...]:
        """Ask the cluster whether this can run, what serves its format, and who acts on it."""
        return (
            *super().preflight(request, target, capacity=capacity, deadline=deadline),
            *check_runtime(request, target, deadline=deadline),
            *check_controller(request, target, deadline=deadline),
        )

    def create(
        self, request: DeployRequest, target: ClusterTarget, *, deadline: Deadline
    ) -> Applied:
        """Apply it, and give what KServe makes of it its first number of replicas."""
        applied = super().create(request, target, deadline=deadline)
        if begins_with_more(request):
            seed(request, target, owner=applied.workload_uid, deadline=deadline)
        return applied

    def update(
        self,
        request: DeployRequest,
        ref: DeploymentRef,
        target: ClusterTarget,
        *,
        deadline: Deadline,
    ) -> Applied:
        """Bring what runs to the request; a start begins as a launch does."""
        applied = super().update(request, ref, target, deadline=deadline)
        seed(request, target, owner=applied.workload_uid, deadline=deadline)
        return applied


provider = KserveProvider()
