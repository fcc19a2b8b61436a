"""Being told of changes as they happen, beside looking now and then.

The optional protocol `Watches`, told by `Capabilities.watches`. What it answers is what `get` would
answer at that moment; it never changes anything on a cluster.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Protocol, runtime_checkable

from providers.contract.protocols import Deadline, Observation
from providers.contract.request import DeploymentRef
from providers.contract.target import ClusterTarget


class Watching(Protocol):
    """A standing look at one cluster, which is of use until it raises."""

    def changed(self, seconds: float) -> frozenset[str]:
        """Return the ids of deployments whose objects changed since the last call.

        Waits so many seconds for the first of them, and a moment more for others. Raises
        Unavailable, or Rejected, when the cluster can be followed no longer: then close it, and
        begin anew.
        """

    def observe(
        self, refs: Iterable[DeploymentRef], *, deadline: Deadline
    ) -> Mapping[str, Observation]:
        """Return how deployments stand, by id, without those whose namespaces are not followed."""

    def close(self) -> None:
        """End it within a second or two, also while another thread waits in `changed`."""


@runtime_checkable
class Watches(Protocol):
    """A provider that can be told of changes."""

    def watch(
        self, target: ClusterTarget, *, namespaces: Collection[str], deadline: Deadline
    ) -> Watching:
        """Begin to follow a cluster, where need be only these namespaces and the target's.

        Everything was read once when it returns. Raises Unavailable or Rejected.
        """
