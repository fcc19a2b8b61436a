"""The verbs that are the same for every kind: a provider has them all by naming its carrier."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from providers.carrying import (
    deleting,
    foretelling,
    listing,
    looking,
    reading,
    reclaiming,
    several,
    watching,
)
from providers.carrying.carrier import Carrier
from providers.contract.manifest import Manifest
from providers.contract.observing import Events, Log, LogQuery, Metrics, Resources
from providers.contract.protocols import (
    Deadline,
    Deletion,
    Listing,
    ManagedObject,
    Observation,
    SharedReads,
)
from providers.contract.removing import Going
from providers.contract.request import DeploymentRef
from providers.contract.target import ClusterTarget
from providers.contract.template import Engine
from providers.contract.watching import Watching
from providers.observing.metrics import read_metrics
from providers.workload import provenance


class Carrying:
    """Reads, follows, looks into and deletes deployments, and clears away what no record owns."""

    carrier: Carrier

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
