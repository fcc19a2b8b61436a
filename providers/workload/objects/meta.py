"""What every object has: metadata and conditions, and the ways to read text that may be missing.

Knows no kind of object, and judges nothing.
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import ClassVar, TypeVar

from msgspec import Raw, Struct

_T = TypeVar("_T")

Amount = str | int | float | None
Labels = Mapping[str, str | None]

_EMPTY: Labels = {}


def moment(text: str | None) -> datetime | None:
    """Return an aware datetime of an RFC 3339 text; None for none, and for one nobody can read."""
    if not text:
        return None
    try:
        read = datetime.fromisoformat(text)
    except ValueError:
        return None
    return read if read.tzinfo else read.replace(tzinfo=UTC)


def present(items: Iterable[_T | None] | None) -> tuple[_T, ...]:
    """Return the members of a list that may be missing or hold nulls."""
    return tuple([item for item in items if item is not None]) if items else ()


class Part(Struct, kw_only=True, frozen=True, rename="camel", gc=False):
    """A piece of an object: camelCase outside, without cycles, so the collector may skip it."""


class OwnerReference(Part, kw_only=True, frozen=True):
    """Who made an object; `controller` marks the one that manages it."""

    uid: str | None = None
    controller: bool | None = None


class ObjectMeta(Part, kw_only=True, frozen=True):
    """What is read of the metadata; who manages it stays undecoded until somebody looks."""

    name: str | None = None
    namespace: str | None = None
    uid: str | None = None
    generation: int | None = None
    labels: dict[str, str | None] | None = None
    annotations: dict[str, str | None] | None = None
    creation_timestamp: str | None = None
    deletion_timestamp: str | None = None
    finalizers: list[str | None] | None = None
    owner_references: list[OwnerReference | None] | None = None
    managed_fields: Raw = Raw(b"null")


class Item(Part, kw_only=True, frozen=True):
    """Whatever bears metadata."""

    metadata: ObjectMeta | None = None

    @property
    def meta(self) -> ObjectMeta:
        """Return the metadata, empty where there is none."""
        return self.metadata or _NO_META

    @property
    def name(self) -> str:
        meta = self.metadata
        return (meta.name if meta else None) or ""

    @property
    def namespace(self) -> str:
        meta = self.metadata
        return (meta.namespace if meta else None) or ""

    @property
    def uid(self) -> str:
        return self.meta.uid or ""

    @property
    def labels(self) -> Labels:
        meta = self.metadata
        return (meta.labels if meta else None) or _EMPTY

    @property
    def annotations(self) -> Labels:
        return self.meta.annotations or _EMPTY

    @property
    def is_terminating(self) -> bool:
        meta = self.metadata
        return meta is not None and meta.deletion_timestamp is not None

    @property
    def finalizers(self) -> tuple[str, ...]:
        return present(self.meta.finalizers)

    @property
    def controller(self) -> OwnerReference | None:
        """Return the owner that manages the object; the only owner counts where none says so."""
        owners = present(self.meta.owner_references)
        for owner in owners:
            if owner.controller:
                return owner
        return owners[0] if len(owners) == 1 else None


class Layer(Item, kw_only=True, frozen=True):
    """An object above pods; a subclass names what verdicts look at of its labels and annotations.

    The deployment's id and implementation are looked at of every kind.
    """

    kept_labels: ClassVar[tuple[str, ...]] = ()
    kept_annotations: ClassVar[tuple[str, ...]] = ()

    @property
    def stopped_by(self) -> str:
        """Return what orders it to stop beside its number of replicas, empty for nothing."""
        return ""


_NO_META = ObjectMeta()


class Condition(Part, kw_only=True, frozen=True):
    """One condition as every kind writes them; `status` is True, False or Unknown."""

    type: str | None = None
    status: str | None = None
    reason: str | None = None
    message: str | None = None
    last_transition_time: str | None = None

    @property
    def is_true(self) -> bool:
        return self.status == "True"

    @property
    def is_false(self) -> bool:
        return self.status == "False"


def condition_of(conditions: Iterable[Condition | None] | None, kind: str) -> Condition | None:
    """Return the condition of one type, None where the object has none."""
    for condition in conditions or ():
        if condition is not None and condition.type == kind:
            return condition
    return None
