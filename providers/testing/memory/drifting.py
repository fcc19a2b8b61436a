"""What others changed in memory, and putting it back: by values alone, as nobody is on record."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from providers.contract.drifting import Drift, DriftedField, PutBack
from providers.contract.errors import Rejected
from providers.contract.manifest import Manifest, key_of
from providers.contract.protocols import Deadline
from providers.contract.request import DeploymentRef
from providers.contract.target import ClusterTarget
from providers.testing.memory.cluster import MemoryCluster, cluster_of
from providers.workload.drifting.telling import gone, tell


class ComparesInMemory:
    """The optional protocol `Compares`."""

    def drift(
        self,
        manifests: Sequence[Manifest],
        ref: DeploymentRef,
        target: ClusterTarget,
        *,
        deadline: Deadline,
    ) -> Drift:
        """Compare what was applied with what is stored."""
        del ref, deadline
        cluster = cluster_of(target.key)
        cluster.enter("drift")
        return Drift(fields=_fields(cluster, manifests))

    def put_back(
        self,
        manifests: Sequence[Manifest],
        ref: DeploymentRef,
        target: ClusterTarget,
        *,
        seen: Collection[str],
        deadline: Deadline,
    ) -> PutBack:
        """Store the manifests of what differs again."""
        del ref, deadline
        cluster = cluster_of(target.key)
        cluster.enter("put_back")
        found = _fields(cluster, manifests)
        chosen = tuple(one for one in found if one.can_be_put_back)
        if any(one.fingerprint not in seen for one in chosen):
            raise Rejected("something was changed since you looked", code="DriftChanged")
        for manifest in manifests:
            if key_of(manifest) in {one.key for one in chosen}:
                cluster.apply(manifest)
        left = tuple(one for one in found if not one.can_be_put_back)
        return PutBack(fields=chosen, left=left)


def _fields(cluster: MemoryCluster, manifests: Sequence[Manifest]) -> tuple[DriftedField, ...]:
    workload = key_of(manifests[0])
    if workload not in cluster.objects:
        return (gone(workload, obstacle="there is nothing to put it back on"),)
    found: list[DriftedField] = []
    for manifest in manifests:
        stored = cluster.objects.get(key_of(manifest))
        if stored is None:
            found.append(gone(key_of(manifest)))
        else:
            found += tell(_left_to_autoscaler(manifest), stored.manifest)
    return tuple(replace(one, restarts=one.path.startswith("spec.pod.")) for one in found)


def _left_to_autoscaler(manifest: Manifest) -> Manifest:
    """Return a manifest without the number of replicas that an autoscaler would hold."""
    if not manifest["spec"].get("autoscaled"):
        return manifest
    spec = {name: value for name, value in manifest["spec"].items() if name != "replicas"}
    return {**manifest, "spec": spec}
