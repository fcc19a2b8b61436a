"""The verbs that are the same for every kind: a provider has them all by naming its carrier."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from providers.carrying import (
    applying,
    comparing,
    deleting,
    effects,
    foretelling,
    listing,
    looking,
    preflight,
    reading,
    reclaiming,
    restoring,
    several,
    watching,
)
from providers.carrying.carrier import Carrier
from providers.contract.capacity import Capacity
from providers.contract.changing import Effects, Running
from providers.contract.checks import Check
from providers.contract.drifting import Drift, PutBack
from providers.contract.manifest import Manifest
from providers.contract.observing import Events, Log, LogQuery, Metrics, Resources
from providers.contract.overrides import Scaling
from providers.contract.protocols import (
    Applied,
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
from providers.observing.metrics import read_metrics
from providers.workload import addresses, naming, provenance
from providers.workload.changing import Change
from providers.workload.rollout import resolve_rollout
from providers.workload.spare import quota_left


class Carrying:
    """All verbs that need a cluster, and those that most kinds answer alike without one.

    What is rendered and what is wrong with a request is left to the provider.
    """

    carrier: Carrier
    aliases: tuple[str, ...] = ()
    door: ClusterDoor | None = door

    def name_suffix(self, namespace: str, spec: TemplateSpec) -> int:
        """Return 0: a name that a controller makes of the workload's, it cuts itself."""
        del namespace, spec
        return 0

    def runtime_name(
        self, display_name: str, *, deployment_id: str, namespace: str, spec: TemplateSpec
    ) -> str:
        """Return the name of the workload, cut so that what is added to it fits."""
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
        """Return how pods are replaced, by what is free for one more of them."""
        del scaling
        left = quota_left(spec.accelerator, target, namespace=namespace, capacity=capacity)
        return resolve_rollout(
            strategy, accelerator=spec.accelerator, capacity=capacity, quota_left=left
        )

    def endpoint(self, request: DeployRequest, target: ClusterTarget) -> Endpoint:
        """Return where the model will answer: at its Service."""
        return addresses.endpoint(request, target, suffix=self.carrier.service_suffix)

    def render(self, request: DeployRequest, target: ClusterTarget) -> tuple[Manifest, ...]:
        """Return the exact objects in the order of apply; each provider has its own."""
        raise NotImplementedError

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
        return effects.effects(self.carrier, rendered, change, target, capacity=capacity)

    def preflight(
        self,
        request: DeployRequest,
        target: ClusterTarget,
        *,
        capacity: Capacity | None,
        deadline: Deadline,
    ) -> tuple[Check, ...]:
        """Ask the cluster whether this can run."""
        manifests = self.render(request, target)
        return preflight.preflight(
            self.carrier, manifests, request, target, capacity=capacity, deadline=deadline
        )

    def create(
        self, request: DeployRequest, target: ClusterTarget, *, deadline: Deadline
    ) -> Applied:
        """Apply everything, or undo what was made and say why."""
        manifests = self.render(request, target)
        return applying.create(self.carrier, manifests, request, target, deadline=deadline)

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
        manifests = self.render(request, target)
        return applying.update(self.carrier, manifests, request, target, deadline=deadline)

    def drift(
        self,
        manifests: Sequence[Manifest],
        ref: DeploymentRef,
        target: ClusterTarget,
        *,
        deadline: Deadline,
    ) -> Drift:
        """Compare what was applied with what is there."""
        return comparing.drift(self.carrier, manifests, ref, target, deadline=deadline)

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
        return restoring.put_back(
            self.carrier, manifests, ref, target, seen=seen, deadline=deadline
        )

    def get(self, ref: DeploymentRef, target: ClusterTarget, *, deadline: Deadline) -> Observation:
        """Read one deployment live."""
        return reading.get(self.carrier, ref, target, deadline=deadline)

    def get_several(
        self, refs: Sequence[DeploymentRef], target: ClusterTarget, *, deadline: Deadline
    ) -> Mapping[str, Observation]:
        """Read some deployments live, by their ids."""
        return several.get_several(self.carrier, refs, target, deadline=deadline)

    def list(
        self,
        target: ClusterTarget,
        refs: Iterable[DeploymentRef],
        shared: SharedReads,
        *,
        deadline: Deadline,
    ) -> Listing:
        """Answer for all deployments of one cluster."""
        return listing.list_all(self.carrier, target, refs, shared, deadline=deadline)

    def watch(
        self, target: ClusterTarget, *, namespaces: Collection[str], deadline: Deadline
    ) -> Watching:
        """Begin to follow a cluster."""
        return watching.watch(self.carrier, target, namespaces=namespaces, deadline=deadline)

    def resources(
        self, ref: DeploymentRef, target: ClusterTarget, *, deadline: Deadline
    ) -> Resources:
        """Return every object of a deployment with its own state in words."""
        return looking.resources(self.carrier, ref, target, deadline=deadline)

    def events(self, ref: DeploymentRef, target: ClusterTarget, *, deadline: Deadline) -> Events:
        """Return what the cluster said about those objects."""
        return looking.events(self.carrier, ref, target, deadline=deadline)

    def logs(
        self, ref: DeploymentRef, target: ClusterTarget, query: LogQuery, *, deadline: Deadline
    ) -> Log:
        """Return the end of one container's log."""
        return looking.logs(self.carrier, ref, target, query, deadline=deadline)

    def metrics(
        self, ref: DeploymentRef, target: ClusterTarget, engine: Engine, *, deadline: Deadline
    ) -> Metrics:
        """Return what pods use and what their engines tell, as of now."""
        return read_metrics(ref, target, engine, deadline=deadline)

    def what_goes(self, ref: DeploymentRef, target: ClusterTarget, *, deadline: Deadline) -> Going:
        """Return what a deletion would remove now."""
        return foretelling.what_goes(self.carrier, ref, target, deadline=deadline)

    def delete(self, ref: DeploymentRef, target: ClusterTarget, *, deadline: Deadline) -> Deletion:
        """Ask for deletion and say whether all is gone."""
        return deleting.delete(self.carrier, ref, target, deadline=deadline)

    def remove(
        self, objects: Sequence[ManagedObject], target: ClusterTarget, *, deadline: Deadline
    ) -> Deletion:
        """Delete exactly these objects."""
        return reclaiming.remove(self.carrier, objects, target, deadline=deadline)

    def differences(
        self, manifests: Sequence[Manifest], objects: Sequence[ManagedObject]
    ) -> tuple[str, ...]:
        """Name what was not written from these manifests."""
        return provenance.differences(manifests, objects)
