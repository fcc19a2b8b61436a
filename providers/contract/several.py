"""An optional protocol: some deployments of a cluster read at once, as those that are on their way.

Between a live read of one and a full pass over all: a provider that has it spares a big cluster a
full pass every few seconds. Who lacks it is asked for a full pass instead.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable

from providers.contract.protocols import Deadline, Observation
from providers.contract.request import DeploymentRef
from providers.contract.target import ClusterTarget

MOST_AT_ONCE = 50
"""More are cheaper by a full pass; a selector that names them still fits into an address."""


@runtime_checkable
class ReadsSeveral(Protocol):
    """A provider that reads up to MOST_AT_ONCE deployments by their ids."""

    def get_several(
        self, refs: Sequence[DeploymentRef], target: ClusterTarget, *, deadline: Deadline
    ) -> Mapping[str, Observation]:
        """Read them live, by id; its calls grow with their namespaces, not with their number.

        Says of each what `list` would say. Raises Unavailable, or Rejected for credentials or
        another cluster.
        """
