"""What somebody else changed on the objects of a deployment, and putting it back.

The optional protocol `Compares`. What counts are the manifests that were applied, as the core keeps
them: what the API server adds by itself and what an autoscaler holds is no drift.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol, runtime_checkable

from providers.contract.manifest import Manifest, ObjectKey, digest_of
from providers.contract.protocols import Deadline
from providers.contract.request import DeploymentRef
from providers.contract.target import ClusterTarget


class DriftKind(StrEnum):
    """What became of a field, or of a whole object."""

    CHANGED = "changed"
    REMOVED = "removed"
    ADDED = "added"
    GONE = "gone"


@dataclass(frozen=True, kw_only=True, slots=True)
class Holder:
    """Who wrote a field: `who` in words; the rest is what the cluster keeps, empty if nothing.

    `operation` is Apply or Update, `subresource` such as scale. `at` is by the cluster's clock.
    """

    who: str
    manager: str = ""
    operation: str = ""
    subresource: str = ""
    at: datetime | None = None

    def as_dict(self) -> dict[str, str]:
        """Return the JSON form that the API answers."""
        return {
            "who": self.who,
            "manager": self.manager,
            "operation": self.operation,
            "subresource": self.subresource,
            "at": self.at.isoformat() if self.at else "",
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class DriftedField:
    """One field that is not as we wrote it; `path` is empty for an object that is gone.

    `ours` and `theirs` are texts with secrets masked, empty for what is not there. `fingerprint` is
    another one for other values, masked ones too. `restarts` tells that putting it back replaces
    pods, `obstacle` why it cannot be put back. Taking it over is a change by `overrides`; where
    these are empty, `expressed_by` names what would have to be changed instead, empty for nothing.
    """

    key: ObjectKey
    path: str
    kind: DriftKind
    ours: str
    theirs: str
    holder: Holder
    fingerprint: str
    restarts: bool = False
    obstacle: str = ""
    overrides: Mapping[str, object] = field(default_factory=dict)
    expressed_by: str = ""

    @property
    def name(self) -> str:
        """Return object and path as one word to know it by."""
        return f"{self.key.kind}/{self.key.name}:{self.path}"

    @property
    def can_be_put_back(self) -> bool:
        """Tell whether our value may be written again."""
        return not self.obstacle


@dataclass(frozen=True, kw_only=True, slots=True)
class CoManager:
    """Somebody else who manages an object of ours, as a sentence without its full stop.

    `writes_again` tells that its values come back by themselves, whatever we write.
    """

    name: str
    sentence: str
    key: ObjectKey
    writes_again: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Drift:
    """All that differs from what was applied, and who else has a hand in it."""

    fields: tuple[DriftedField, ...] = ()
    co_managers: tuple[CoManager, ...] = ()

    @property
    def digest(self) -> str:
        """Return a short word that is another one for another drift, empty for none."""
        if not self.fields:
            return ""
        return digest_of([[one.name, one.kind.value, one.fingerprint] for one in self.fields])


@dataclass(frozen=True, kw_only=True, slots=True)
class PutBack:
    """What was written again, and what was left as it is."""

    fields: tuple[DriftedField, ...] = ()
    left: tuple[DriftedField, ...] = ()


@runtime_checkable
class Compares(Protocol):
    """A provider that can tell what others changed, and write our values again."""

    def drift(
        self,
        manifests: Sequence[Manifest],
        ref: DeploymentRef,
        target: ClusterTarget,
        *,
        deadline: Deadline,
    ) -> Drift:
        """Compare what was applied with what is there.

        Raises Unavailable, or Rejected for credentials, rights or another cluster.
        """

    def put_back(
        self,
        manifests: Sequence[Manifest],
        ref: DeploymentRef,
        target: ClusterTarget,
        *,
        seen: Collection[str],
        deadline: Deadline,
    ) -> PutBack:
        """Write our values of all that can be put back; twice is the same as once.

        `seen` are the fingerprints that somebody has agreed to: anything else that differs by now
        is Rejected as DriftChanged, and nothing is written. Never writes a number of replicas that
        an autoscaler holds.
        """
