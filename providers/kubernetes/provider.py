"""The provider `k8s-deployment`: the verbs of the contract over Deployment, Service and autoscaler.

Only wires the rooms beside it together; each verb is told in the module that does it.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from providers.contract.capacity import Capacity
from providers.contract.changing import Effects, Running
from providers.contract.checks import Check
from providers.contract.drifting import Drift, PutBack
from providers.contract.manifest import Manifest
from providers.contract.observing import Events, Log, LogQuery, Metrics, Resources
from providers.contract.overrides import Scaling
from providers.contract.protocols import (
    Applied,
    Capabilities,
    ClusterDoor,
    Deadline,
    Deletion,
    Endpoint,
    Listing,
    ManagedObject,
    Observation,
    SharedReads,
)
from providers.contract.removing import Going
from providers.contract.request import DeploymentRef, DeployRequest, Rollout
from providers.contract.target import ClusterTarget
from providers.contract.template import Engine, TemplateSpec
from providers.contract.watching import Watching
from providers.kube.door import door
from providers.kubernetes import (
    addresses,
    applying,
    changing,
    comparing,
    deleting,
    foretelling,
    listing,
    looking,
    preflight,
    reading,
    reclaiming,
    render,
    restoring,
    several,
    validate,
    watching,
)
from providers.observing.metrics import read_metrics
from providers.workload import naming, provenance, rollout

# A Deployment's controller names ReplicaSets NAME-HASH and pods NAME-HASH-XXXXX, which Kubernetes
# shortens by itself; the Service's name, a DNS label, is the one that must fit.
NOTHING_ADDED = 0


class KubernetesProvider:
    """Carries a deployment as a Deployment with a Service and, where asked for, an autoscaler."""

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
        scaling: Scaling,
        capacity: Capacity | None,
    ) -> Rollout:
        """Return how pods are replaced, by what is free."""
        del target, scaling
        return rollout.resolve_rollout(strategy, accelerator=spec.accelerator, capacity=capacity)

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

    def preflight(
        self,
        request: DeployRequest,
        target: ClusterTarget,
        *,
        capacity: Capacity | None,
        deadline: Deadline,
    ) -> tuple[Check, ...]:
        """Ask the cluster whether this can run."""
        return preflight.preflight(request, target, capacity=capacity, deadline=deadline)

    def create(
        self, request: DeployRequest, target: ClusterTarget, *, deadline: Deadline
    ) -> Applied:
        """Apply everything, or undo what was made and say why."""
        return applying.create(request, target, deadline=deadline)

    def get(self, ref: DeploymentRef, target: ClusterTarget, *, deadline: Deadline) -> Observation:
        """Read one deployment live."""
        return reading.get(ref, target, deadline=deadline)

    def get_several(
        self, refs: Sequence[DeploymentRef], target: ClusterTarget, *, deadline: Deadline
    ) -> Mapping[str, Observation]:
        """Read some deployments live, by their ids."""
        return several.get_several(refs, target, deadline=deadline)

    def list(
        self,
        target: ClusterTarget,
        refs: Iterable[DeploymentRef],
        shared: SharedReads,
        *,
        deadline: Deadline,
    ) -> Listing:
        """Answer for all deployments of one cluster."""
        return listing.list_all(target, refs, shared, deadline=deadline)

    def update(
        self,
        request: DeployRequest,
        ref: DeploymentRef,
        target: ClusterTarget,
        *,
        deadline: Deadline,
    ) -> Applied:
        """Bring what runs to the request without dropping a replica."""
        del ref
        return applying.update(request, target, deadline=deadline)

    def what_goes(self, ref: DeploymentRef, target: ClusterTarget, *, deadline: Deadline) -> Going:
        """Return what a deletion would remove now."""
        return foretelling.what_goes(ref, target, deadline=deadline)

    def delete(self, ref: DeploymentRef, target: ClusterTarget, *, deadline: Deadline) -> Deletion:
        """Ask for deletion and say whether all is gone."""
        return deleting.delete(ref, target, deadline=deadline)

    def resources(
        self, ref: DeploymentRef, target: ClusterTarget, *, deadline: Deadline
    ) -> Resources:
        """Return every object of a deployment with its own state in words."""
        return looking.resources(ref, target, deadline=deadline)

    def events(self, ref: DeploymentRef, target: ClusterTarget, *, deadline: Deadline) -> Events:
        """Return what the cluster said about those objects."""
        return looking.events(ref, target, deadline=deadline)

    def logs(
        self, ref: DeploymentRef, target: ClusterTarget, query: LogQuery, *, deadline: Deadline
    ) -> Log:
        """Return the end of one container's log."""
        return looking.logs(ref, target, query, deadline=deadline)

    def metrics(
        self, ref: DeploymentRef, target: ClusterTarget, engine: Engine, *, deadline: Deadline
    ) -> Metrics:
        """Return what pods use and what their engines tell, as of now."""
        return read_metrics(ref, target, engine, deadline=deadline)

    def watch(
        self, target: ClusterTarget, *, namespaces: Collection[str], deadline: Deadline
    ) -> Watching:
        """Begin to follow a cluster."""
        return watching.watch(target, namespaces=namespaces, deadline=deadline)

    def drift(
        self,
        manifests: Sequence[Manifest],
        ref: DeploymentRef,
        target: ClusterTarget,
        *,
        deadline: Deadline,
    ) -> Drift:
        """Compare what was applied with what is there."""
        return comparing.drift(manifests, ref, target, deadline=deadline)

    def put_back(
        self,
        manifests: Sequence[Manifest],
        ref: DeploymentRef,
        target: ClusterTarget,
        *,
        seen: Collection[str],
        deadline: Deadline,
    ) -> PutBack:
        """Write our values of what others changed again."""
        return restoring.put_back(manifests, ref, target, seen=seen, deadline=deadline)

    def remove(
        self, objects: Sequence[ManagedObject], target: ClusterTarget, *, deadline: Deadline
    ) -> Deletion:
        """Delete exactly these objects."""
        return reclaiming.remove(objects, target, deadline=deadline)

    def differences(
        self, manifests: Sequence[Manifest], objects: Sequence[ManagedObject]
    ) -> tuple[str, ...]:
        """Name what was not written from these manifests."""
        return provenance.differences(manifests, objects)


provider = KubernetesProvider()
