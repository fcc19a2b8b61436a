"""What a deletion will take along, told before it is asked for.

The optional protocol `Foretells`: the answer is what `delete` would find now, and nothing else.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from providers.contract.manifest import ObjectKey
from providers.contract.protocols import Deadline, Remaining
from providers.contract.request import DeploymentRef
from providers.contract.target import ClusterTarget


@dataclass(frozen=True, kw_only=True, slots=True)
class Going:
    """Objects that a deletion removes, in its order, each with the finalizers that hold it now.

    `staying` are objects that act on it and are not its own. `unreadable` maps a kind to why nobody
    can tell which of it would go.
    """

    objects: tuple[Remaining, ...]
    staying: tuple[ObjectKey, ...] = ()
    unreadable: Mapping[str, str] = field(default_factory=dict)


@runtime_checkable
class Foretells(Protocol):
    """A provider that can say what a deletion would remove, without removing anything."""

    def what_goes(self, ref: DeploymentRef, target: ClusterTarget, *, deadline: Deadline) -> Going:
        """Return what is there of a deployment; raises Unavailable or Rejected."""
