"""Keeps what full passes find of objects that no open record owns; writes only what changed.

A launch is stored before it is applied, so a record that is looked for after the cluster was read
is there. What was made a moment ago is left out all the same: a launch that is being undone, or
was deleted while the pass went on.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import TypeVar
from uuid import UUID

from django.utils import timezone

from deployments.models import Cluster, Deployment, Orphan
from providers.contract.protocols import Listing, ManagedObject
from providers.registry import is_carried
from templates_app.names import NAME_LENGTH

GRACE = timedelta(minutes=1)
CHUNK = 500

_Item = TypeVar("_Item")
Fence = Callable[[], AbstractContextManager[None]]

# What an object may tell anew from one pass to the next.
TOLD = (
    "implementation",
    "deployment_id",
    "is_workload",
    "is_terminating",
    "display_name",
    "revision",
    "digest",
    "provenance",
    "rollout",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Sighting:
    """What one implementation listed in a pass, and when by the cluster's clock."""

    implementation: str
    listing: Listing
    now: datetime


def keep_orphans(
    cluster: Cluster, sightings: Sequence[Sighting], *, absent: Collection[str], fence: Fence
) -> int:
    """Store what is new, forget what is gone, and return how many objects no record owns.

    `absent` are implementations that the cluster does not have at all. What could not be read this
    time stays as it was known; what nothing in this console carries is forgotten.
    """
    rows = {row.uid: row for row in Orphan.objects.filter(cluster=cluster)}
    found = {row.uid: row for row in _found(cluster, sightings)}
    new = [row for uid, row in found.items() if uid not in rows]
    changed = [_renewed(rows[uid], row) for uid, row in found.items() if _is_news(uid, row, rows)]
    looked = {one.implementation: one.listing.unread for one in sightings}
    looked |= {kind: frozenset() for kind in absent}
    gone = [row.pk for uid, row in rows.items() if uid not in found and _is_known_gone(row, looked)]
    if new or changed or gone:
        with fence():
            Orphan.objects.bulk_create(new, batch_size=CHUNK, ignore_conflicts=True)
            Orphan.objects.bulk_update(changed, TOLD, batch_size=CHUNK)
            for some in _in_chunks(gone):
                Orphan.objects.filter(pk__in=some).delete()
    return len(rows) + len(new) - len(gone)


def owned_ids(ids: Iterable[str]) -> frozenset[str]:
    """Return which of these ids an open record has, on whichever cluster."""
    keys = [key for key in map(deployment_key, ids) if key is not None]
    return frozenset(
        str(pk)
        for some in _in_chunks(keys)
        for pk in Deployment.objects.open().filter(pk__in=some).values_list("pk", flat=True)
    )


def deployment_key(text: str) -> UUID | None:
    """Return the id that a label holds, None for a text that is none as we write it."""
    try:
        key = UUID(text)
    except ValueError:
        return None
    return key if str(key) == text else None


def count_orphans(cluster: Cluster) -> None:
    """Bring the count in the cluster's row to what is stored, after a person did something."""
    cluster.orphans = Orphan.objects.filter(cluster=cluster).count()
    Cluster.objects.filter(pk=cluster.pk).update(orphans=cluster.orphans)


def _found(cluster: Cluster, sightings: Sequence[Sighting]) -> Iterator[Orphan]:
    seen = [
        (one.implementation, item)
        for one in sightings
        for item in one.listing.unmatched
        if item.uid and not _is_young(item, one.now)
    ]
    owned = owned_ids({item.deployment_id for _, item in seen})
    now = timezone.now()
    for implementation, item in seen:
        if item.deployment_id not in owned:
            yield _row(cluster, implementation, item, now)


def _is_young(item: ManagedObject, now: datetime) -> bool:
    return item.created_at is not None and now - item.created_at < GRACE


def _row(cluster: Cluster, implementation: str, item: ManagedObject, now: datetime) -> Orphan:
    told = item.provenance
    return Orphan(
        cluster=cluster,
        implementation=implementation,
        api_version=item.key.api_version,
        kind=item.key.kind,
        namespace=item.key.namespace,
        name=item.key.name,
        uid=item.uid,
        deployment_id=item.deployment_id,
        is_workload=item.is_workload,
        is_terminating=item.is_terminating,
        display_name=_storable(item.display_name)[:NAME_LENGTH],
        revision=item.revision,
        digest=_storable(item.digest)[:64],
        provenance=asdict(told) if told else None,
        rollout=item.rollout.value if item.rollout else "",
        created_at=item.created_at,
        first_seen_at=now,
    )


def _is_news(uid: str, found: Orphan, rows: Mapping[str, Orphan]) -> bool:
    row = rows.get(uid)
    return row is not None and any(getattr(row, name) != getattr(found, name) for name in TOLD)


def _renewed(row: Orphan, found: Orphan) -> Orphan:
    for name in TOLD:
        setattr(row, name, getattr(found, name))
    return row


def _is_known_gone(row: Orphan, looked: Mapping[str, Collection[str]]) -> bool:
    if not is_carried(row.implementation):
        return True  # nobody will look, and nobody here could do anything about it
    return row.implementation in looked and row.kind not in looked[row.implementation]


def _storable(text: str) -> str:
    return text.replace("\0", "")


def _in_chunks(items: Sequence[_Item]) -> Iterator[Sequence[_Item]]:
    return (items[start : start + CHUNK] for start in range(0, len(items), CHUNK))
