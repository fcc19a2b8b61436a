"""The kind `memory`: every verb of the contract against a dictionary, for tests only.

It behaves as the real ones must: idempotent, undone when refused half-way, deleted by label.
"""

from collections.abc import Iterable, Mapping, Sequence

from providers.contract.capacity import Capacity
from providers.contract.changing import Effects, Running
from providers.contract.checks import Check
from providers.contract.errors import InvalidRequest, Rejected
from providers.contract.fitting import lack_of
from providers.contract.manifest import Manifest, ObjectKey, key_of
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
from providers.testing.memory import finding
from providers.testing.memory import render as rendering
from providers.testing.memory.changing import effects
from providers.testing.memory.cluster import MemoryCluster, cluster_of
from providers.testing.memory.door import MemoryDoor
from providers.testing.memory.drifting import ComparesInMemory
from providers.testing.memory.judging import checks_of
from providers.testing.memory.logs import log_of
from providers.testing.memory.looking import events_of, resources_of, tell_started
from providers.testing.memory.measuring import metrics_of
from providers.testing.memory.status import status_of
from providers.workload.naming import runtime_name
from providers.workload.provenance import differences
from providers.workload.rollout import resolve_rollout


class MemoryProvider(ComparesInMemory):
    """The whole contract in memory."""

    kind = "memory"
    title = "In memory"
    aliases: tuple[str, ...] = ()
    capabilities = Capabilities(observes=True)
    door: ClusterDoor | None = MemoryDoor()

    def name_suffix(self, namespace: str, spec: TemplateSpec) -> int:
        """Add nothing to a name."""
        del namespace, spec
        return 0

    def runtime_name(
        self, display_name: str, *, deployment_id: str, namespace: str, spec: TemplateSpec
    ) -> str:
        """Name objects as the Kubernetes providers do."""
        room = self.name_suffix(namespace, spec)
        return runtime_name(display_name, deployment_id=deployment_id, room=room)

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
        """Return how pods are replaced, by what a test has put there."""
        del target, namespace, scaling
        return resolve_rollout(strategy, accelerator=spec.accelerator, capacity=capacity)

    def endpoint(self, request: DeployRequest, target: ClusterTarget) -> Endpoint:
        """Return an address that nobody answers."""
        del target
        return rendering.endpoint_of(request.runtime_name, request.namespace)

    def validate(self, request: DeployRequest, target: ClusterTarget) -> tuple[Check, ...]:
        """Refuse what this kind cannot carry; raises InvalidRequest."""
        del target
        if not request.spec.engine.image:
            raise InvalidRequest.of("spec.engine.image", "is required: name the image to run")
        if lack := lack_of(self.capabilities, request.spec):
            raise InvalidRequest.of(lack.field, f"memory cannot run {lack.what}")
        return ()

    def render(self, request: DeployRequest, target: ClusterTarget) -> tuple[Manifest, ...]:
        """Return workload and service."""
        del target
        return rendering.render(request)

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
        return effects(before, after, target, capacity=capacity, running=running)

    def preflight(
        self,
        request: DeployRequest,
        target: ClusterTarget,
        *,
        capacity: Capacity | None,
        deadline: Deadline,
    ) -> tuple[Check, ...]:
        """Look whether the namespace is there and whether every object would be taken."""
        del capacity, deadline
        cluster = cluster_of(target.key)
        cluster.enter("preflight")
        return checks_of(cluster, request)

    def create(
        self, request: DeployRequest, target: ClusterTarget, *, deadline: Deadline
    ) -> Applied:
        """Apply both objects; a refusal of the second undoes the first."""
        del deadline
        cluster = cluster_of(target.key)
        cluster.enter("create")
        return _apply_all(cluster, request)

    def get(self, ref: DeploymentRef, target: ClusterTarget, *, deadline: Deadline) -> Observation:
        """Read one deployment."""
        del deadline
        cluster = cluster_of(target.key)
        cluster.enter("get")
        return _observe(cluster, ref)

    def get_several(
        self, refs: Sequence[DeploymentRef], target: ClusterTarget, *, deadline: Deadline
    ) -> Mapping[str, Observation]:
        """Read some deployments."""
        del deadline
        cluster = cluster_of(target.key)
        cluster.enter("get_several")
        return {ref.id: _observe(cluster, ref) for ref in refs}

    def list(
        self,
        target: ClusterTarget,
        refs: Iterable[DeploymentRef],
        shared: SharedReads,
        *,
        deadline: Deadline,
    ) -> Listing:
        """Answer for every ref, and name the objects that none of them owns."""
        del shared, deadline
        cluster = cluster_of(target.key)
        cluster.enter("list")
        known = list(refs)
        ids = {ref.id for ref in known}
        return Listing(
            observations={ref.id: _observe(cluster, ref) for ref in known},
            unmatched=tuple(finding.unmatched(cluster, ids)),
        )

    def update(
        self,
        request: DeployRequest,
        ref: DeploymentRef,
        target: ClusterTarget,
        *,
        deadline: Deadline,
    ) -> Applied:
        """Bring both objects to the request."""
        del deadline
        cluster = cluster_of(target.key)
        cluster.enter("update")
        finding.require_workload(cluster, ref)
        return _apply_all(cluster, request)

    def what_goes(self, ref: DeploymentRef, target: ClusterTarget, *, deadline: Deadline) -> Going:
        """Return what bears the deployment's id."""
        del deadline
        cluster = cluster_of(target.key)
        cluster.enter("what_goes")
        keys = finding.keys_of(cluster, ref.id)
        return Going(objects=tuple(finding.remaining(cluster, key) for key in keys))

    def delete(self, ref: DeploymentRef, target: ClusterTarget, *, deadline: Deadline) -> Deletion:
        """Remove what bears the deployment's id, and say what is left."""
        del deadline
        cluster = cluster_of(target.key)
        cluster.enter("delete")
        for key in finding.keys_of(cluster, ref.id):
            cluster.remove(key)
        left = tuple(finding.remaining(cluster, key) for key in finding.keys_of(cluster, ref.id))
        return Deletion(gone=not left, waiting_for=left)

    def resources(
        self, ref: DeploymentRef, target: ClusterTarget, *, deadline: Deadline
    ) -> Resources:
        """Return the objects of a deployment in words."""
        del deadline
        cluster = cluster_of(target.key)
        cluster.enter("resources")
        return resources_of(cluster, ref)

    def events(self, ref: DeploymentRef, target: ClusterTarget, *, deadline: Deadline) -> Events:
        """Return what was told of them."""
        del deadline
        cluster = cluster_of(target.key)
        cluster.enter("events")
        return events_of(cluster, ref)

    def logs(
        self, ref: DeploymentRef, target: ClusterTarget, query: LogQuery, *, deadline: Deadline
    ) -> Log:
        """Return what a replica printed."""
        del deadline
        cluster = cluster_of(target.key)
        cluster.enter("logs")
        return log_of(cluster, ref, query)

    def metrics(
        self, ref: DeploymentRef, target: ClusterTarget, engine: Engine, *, deadline: Deadline
    ) -> Metrics:
        """Return what its replicas use and tell."""
        del deadline
        cluster = cluster_of(target.key)
        cluster.enter("metrics")
        return metrics_of(cluster, ref, engine)

    def remove(
        self, objects: Sequence[ManagedObject], target: ClusterTarget, *, deadline: Deadline
    ) -> Deletion:
        """Remove exactly these objects, and say which of them are left."""
        del deadline
        cluster = cluster_of(target.key)
        cluster.enter("remove")
        for found in objects:
            if finding.is_there(cluster, found):
                cluster.remove(found.key)
        left = (found.key for found in objects if finding.is_there(cluster, found))
        waiting = tuple(finding.remaining(cluster, key) for key in left)
        return Deletion(gone=not waiting, waiting_for=waiting)

    def differences(
        self, manifests: Sequence[Manifest], objects: Sequence[ManagedObject]
    ) -> tuple[str, ...]:
        """Name what was not written from these manifests."""
        return differences(manifests, objects)


def _apply_all(cluster: MemoryCluster, request: DeployRequest) -> Applied:
    if request.namespace not in cluster.namespaces:
        raise Rejected(f'namespace "{request.namespace}" not found', code="NamespaceMissing")
    manifests = rendering.render(request)
    made = [m for m in manifests if key_of(m) not in cluster.objects]
    before = _replicas_of(cluster, key_of(manifests[0]))
    try:
        stored = [cluster.apply(manifest) for manifest in manifests]
    except (Rejected, InvalidRequest):
        for manifest in made:
            cluster.remove(key_of(manifest))
        raise
    key = key_of(manifests[0])
    tell_started(cluster, key, range(before, _replicas_of(cluster, key)))
    return Applied(
        workload_uid=stored[0].uid,
        pod_digest=rendering.pod_digest(request),
        objects=tuple(key_of(manifest) for manifest in manifests),
    )


def _replicas_of(cluster: MemoryCluster, key: ObjectKey) -> int:
    stored = cluster.objects.get(key)
    return int(stored.manifest["spec"]["replicas"]) if stored else 0


def _observe(cluster: MemoryCluster, ref: DeploymentRef) -> Observation:
    workload = finding.workload_of(cluster, ref)
    return Observation(
        status=status_of(cluster, ref, workload),
        endpoint=rendering.endpoint_of(ref.runtime_name, ref.namespace),
        workload_uid=workload.uid if workload else "",
        starts=cluster.starts.get(ref.runtime_name, ()),
        pods=cluster.pods.get(ref.runtime_name, ()),
    )


provider = MemoryProvider()
