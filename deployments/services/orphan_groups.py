"""Objects without a record, put together as a person thinks of them: one deployment's at a time."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from operator import or_

from django.db.models import Q

from deployments.models import Cluster, Deployment, Orphan
from deployments.services.orphans import deployment_key

NO_ID = "It bears no id of a deployment, so it can only be removed."
NO_WORKLOAD = "What would run the model is gone; the rest can only be removed."
GOING = "It is being removed already."
NOTHING_TOLD = (
    "There is no record of it, and it does not say from which template and overrides it was "
    "launched, so it can only be removed."
)
MANAGED = "It has an open record by now; the next pass takes it off this list."


@dataclass(frozen=True, kw_only=True, slots=True)
class GroupKey:
    """What the objects of a group have in common; its text form stands in addresses."""

    implementation: str
    namespace: str
    deployment_id: str

    def __str__(self) -> str:
        """Return the three, none of which can hold a slash."""
        return f"{self.implementation}/{self.namespace}/{self.deployment_id}"

    @classmethod
    def of(cls, text: str) -> "GroupKey | None":
        """Read the text form back; None when it is none."""
        parts = text.split("/")
        if len(parts) != 3:  # noqa: PLR2004 - the three fields
            return None
        return cls(implementation=parts[0], namespace=parts[1], deployment_id=parts[2])

    @property
    def rows(self) -> Q:
        """Return what selects the group's rows."""
        return Q(
            implementation=self.implementation,
            namespace=self.namespace,
            deployment_id=self.deployment_id,
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class OrphanGroup:
    """One deployment's objects, the workload first; `record` is the one with its id, if any."""

    key: GroupKey
    cluster: Cluster
    objects: tuple[Orphan, ...]
    record: Deployment | None = None

    @property
    def workload(self) -> Orphan | None:
        """Return the object that runs the model."""
        return next((found for found in self.objects if found.is_workload), None)

    @property
    def display_name(self) -> str:
        """Return what its launch was called, as far as anything tells."""
        if self.record is not None:
            return self.record.name
        return next((found.display_name for found in self.objects if found.display_name), "")

    @property
    def author(self) -> str:
        """Return who launched it, as far as anything tells."""
        if self.record is not None:
            return self.record.created_by_name
        told = self.workload.provenance if self.workload else None
        return str(told["created_by"]) if told else ""

    @property
    def first_seen_at(self) -> datetime:
        """Return since when it is known to have no record."""
        return min(found.first_seen_at for found in self.objects)

    @property
    def created_at(self) -> datetime | None:
        """Return when the oldest of the objects was made."""
        return min((found.created_at for found in self.objects if found.created_at), default=None)

    @property
    def hindrance(self) -> str:
        """Say why it cannot be adopted whatever the catalogue has; empty when it may be."""
        workload = self.workload
        if deployment_key(self.key.deployment_id) is None:
            return NO_ID
        if self.record is not None and not self.record.is_closed:
            return MANAGED
        if workload is None:
            return NO_WORKLOAD
        if any(found.is_terminating for found in self.objects):
            return GOING
        return NOTHING_TOLD if self.record is None and not workload.provenance else ""


def group_keys(cluster: Cluster) -> list[GroupKey]:
    """Return the keys of all groups of a cluster, in the order of a list."""
    rows = Orphan.objects.filter(cluster=cluster).order_by("namespace", "deployment_id")
    names = ("implementation", "namespace", "deployment_id")
    return [GroupKey(**row) for row in rows.values(*names).distinct()]


def orphan_groups(cluster: Cluster, keys: Sequence[GroupKey]) -> list[OrphanGroup]:
    """Return the groups of these keys that are still there, in their order."""
    if not keys:
        return []
    wanted = reduce(or_, (key.rows for key in keys))
    by_key: dict[GroupKey, list[Orphan]] = {}
    for row in Orphan.objects.filter(wanted, cluster=cluster):
        by_key.setdefault(_key_of(row), []).append(row)
    records = _records(key.deployment_id for key in by_key)
    return [
        OrphanGroup(
            key=key,
            cluster=cluster,
            objects=tuple(by_key[key]),
            record=records.get(key.deployment_id),
        )
        for key in dict.fromkeys(keys)
        if key in by_key
    ]


def _key_of(row: Orphan) -> GroupKey:
    return GroupKey(
        implementation=row.implementation,
        namespace=row.namespace,
        deployment_id=row.deployment_id,
    )


def _records(ids: Iterable[str]) -> Mapping[str, Deployment]:
    keys = [key for key in map(deployment_key, ids) if key is not None]
    rows = Deployment.objects.filter(pk__in=keys).select_related("cluster")
    return {str(row.pk): row for row in rows}
