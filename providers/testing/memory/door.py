"""Questions about an in-memory cluster itself."""

from collections.abc import Sequence

from providers.contract.capacity import Capacity, NamespaceQuotas
from providers.contract.protocols import ClusterFacts, Deadline, SharedReads
from providers.contract.target import ClusterTarget
from providers.testing.memory.cluster import cluster_of


class MemoryDoor:
    """The door that in-memory clusters share."""

    name = "memory"

    def probe(self, target: ClusterTarget, *, deadline: Deadline) -> ClusterFacts:
        """Answer version and identity; only `memory` is installed."""
        del deadline  # nothing here takes time
        cluster_of(target.key).enter("probe")
        return ClusterFacts(version="memory", uid=f"uid-{target.key}", kinds={"memory": True})

    def read_shared(
        self, target: ClusterTarget, *, with_events_of: Sequence[str], deadline: Deadline
    ) -> SharedReads:
        """Count once; there are no pods to read."""
        del with_events_of
        cluster_of(target.key).enter("read_shared")
        return SharedReads(
            now=cluster_of(target.key).now(),
            capacity=self.read_capacity(target, deadline=deadline),
        )

    def read_capacity(self, target: ClusterTarget, *, deadline: Deadline) -> Capacity:
        """Return the accelerators that a test has put there."""
        del deadline
        cluster = cluster_of(target.key)
        cluster.enter("read_capacity")
        names = sorted(cluster.namespaces)
        return Capacity(
            observed_at=cluster.now(),
            accelerators=cluster.accelerators,
            namespaces=tuple(NamespaceQuotas(name=name) for name in names),
        )
