"""One kind followed on one cluster: what changed there is judged and kept within moments.

Beside the passes, which go on as ever and find what this may have missed. It writes what a pass
would write, under a lease of its own, and changes nothing on a cluster.
"""

import time
import uuid
from collections.abc import Collection, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from threading import Event

import structlog
from django.utils import timezone

from deployments.models import Cluster, Deployment, Watch
from deployments.services.answers import ids_of, observations_of, watching_of
from deployments.services.backing_off import is_waiting, note_answer
from deployments.services.calling import calling, calling_cluster, provider_of
from deployments.services.clusters import target_of
from deployments.services.deadlines import PASS_SECONDS, WATCH_SECONDS, deadline_in
from deployments.services.keeping import Seen, keep_observations
from deployments.services.leasing import (
    Lease,
    fenced,
    release_lease,
    take_lease,
    unleased,
)
from deployments.services.reports import Tally
from deployments.services.snapshots import news_of
from deployments.services.surveying import readable_refs
from providers.contract.target import ClusterTarget
from providers.contract.watching import Watches, Watching

log = structlog.get_logger(__name__)

# A watcher that was killed is followed by another one so much later at most.
LEASE_SECONDS = 15.0
RENEW_SECONDS = 5.0
# How long a stop may have to wait for us.
WAIT_SECONDS = 0.5
# What was news is looked at once more: the record may have changed meanwhile, or had been read at
# the same second of the cluster's clock.
AGAIN_SECONDS = 1.0
MOST_TRIES = 5
CHUNK = 500


def follow_cluster(cluster: Cluster, kind: str, stop: Event) -> bool:
    """Follow until told to stop, or until the cluster's row is another one; False if not begun.

    Others may be following, or the background work may be leaving the cluster alone. Raises a
    contract error when the cluster cannot be followed any longer, and LeaseLost.
    """
    provider = provider_of(kind)
    if not isinstance(provider, Watches) or is_waiting(cluster, now=timezone.now()):
        return False
    row, _ = Watch.objects.get_or_create(cluster=cluster, kind=kind)
    if not unleased(Watch.objects.filter(pk=row.pk)).exists():
        return False
    with _begun(cluster, kind, provider) as watching:
        note_answer(cluster)
        # Not before: whoever is ended while the cluster is listed keeps no other one waiting.
        lease = take_lease(Watch.objects.all(), row.pk, seconds=LEASE_SECONDS)
        if lease is None:
            return False
        try:
            _follow(cluster, kind, watching, lease, stop)
        finally:
            release_lease(Watch.objects.all(), lease)
    return True


@contextmanager
def _begun(cluster: Cluster, kind: str, provider: Watches) -> Iterator[Watching]:
    watching = _begin(cluster, kind, provider)
    try:
        yield watching
    finally:
        with calling(kind, "close"):
            watching.close()


def _begin(cluster: Cluster, kind: str, provider: Watches) -> Watching:
    namespaces = _namespaces(cluster, kind)
    with calling_cluster(cluster.name, kind, "watch"):
        answer = provider.watch(
            target_of(cluster), namespaces=namespaces, deadline=deadline_in(WATCH_SECONDS)
        )
        return watching_of(answer)


def _follow(cluster: Cluster, kind: str, watching: Watching, lease: Lease, stop: Event) -> None:
    one = _Following(
        cluster=cluster, kind=kind, lease=lease, watching=watching, target=target_of(cluster)
    )
    one.look_at_all()
    while not stop.is_set() and one.goes_on():
        one.look()


def _namespaces(cluster: Cluster, kind: str) -> Collection[str]:
    rows = Deployment.objects.open().filter(cluster=cluster, kind=kind)
    return frozenset(rows.values_list("namespace", flat=True).distinct())


@dataclass(kw_only=True)
class _Following:
    """One watching under way; `again` tells when to look once more, and how often that was."""

    cluster: Cluster
    kind: str
    lease: Lease
    watching: Watching
    target: ClusterTarget
    again: dict[str, tuple[float, int]] = field(default_factory=dict)
    renew_at: float = field(default_factory=lambda: time.monotonic() + RENEW_SECONDS)

    def goes_on(self) -> bool:
        """Tell whether the row is still as it was; keeps the lease, and raises LeaseLost."""
        if time.monotonic() < self.renew_at:
            return True
        with self.fence():
            cluster = Cluster.objects.enabled().filter(pk=self.cluster.pk).first()
        self.renew_at = time.monotonic() + RENEW_SECONDS
        return cluster is not None and _is_same(target_of(cluster), self.target)

    def look_at_all(self) -> None:
        """Keep how everything stands, also what is gone and of which nothing will change."""
        rows = Deployment.objects.open().filter(cluster=self.cluster, kind=self.kind)
        for ids in _chunks([str(key) for key in rows.values_list("pk", flat=True)]):
            self._keep(ids)

    def look(self) -> None:
        """Wait a moment for changes, and keep what they mean."""
        with calling(self.kind, "changed"):
            changed = ids_of(self.watching.changed(WAIT_SECONDS))
        for id_ in changed:
            self.again.pop(id_, None)
        due = [id_ for id_, (at, _) in self.again.items() if at <= time.monotonic()]
        for ids in _chunks([*changed, *due]):
            self._keep(ids)

    def fence(self) -> AbstractContextManager[None]:
        """Return the transaction that is written in."""
        return fenced(Watch.objects.all(), self.lease, seconds=LEASE_SECONDS)

    def _keep(self, ids: Collection[str]) -> None:
        """Judge these now, and keep what is news."""
        tally, rows = Tally(), self._rows(ids)
        refs = list(readable_refs(rows, tally))
        with calling_cluster(self.cluster.name, self.kind, "observe"):
            found = observations_of(self.watching.observe(refs, deadline=deadline_in(PASS_SECONDS)))
        seen = [
            Seen(deployment=row, observation=found[str(row.pk)])
            for row in rows
            if str(row.pk) in found
        ]
        news = [str(one.deployment.pk) for one in seen if news_of(one.deployment, one.observation)]
        keep_observations(seen, tally, fence=self.fence)
        self._note(ids, news)
        if tally.problems:
            log.warning("watch_with_problems", cluster=self.cluster.name, problems=tally.problems)

    def _note(self, ids: Iterable[str], news: Iterable[str]) -> None:
        """Let what was news have another look, a few times."""
        tries = {id_: self.again.pop(id_, (0.0, 0))[1] for id_ in ids}
        at = time.monotonic() + AGAIN_SECONDS
        for id_ in news:
            if tries.get(id_, 0) < MOST_TRIES:
                self.again[id_] = (at, tries.get(id_, 0) + 1)

    def _rows(self, ids: Iterable[str]) -> list[Deployment]:
        keys = [key for key in map(_key_of, ids) if key is not None]
        rows = Deployment.objects.open().filter(cluster=self.cluster, kind=self.kind, pk__in=keys)
        found = list(rows.for_pass())
        for row in found:
            row.cluster = self.cluster
        return found


def _is_same(target: ClusterTarget, before: ClusterTarget) -> bool:
    """Tell whether it is reached and read as before; that its uid is known by now is no change."""
    return (target.connection, target.namespaces) == (before.connection, before.namespaces) and (
        target.uid == before.uid or not before.uid
    )


def _chunks(ids: list[str]) -> Iterator[list[str]]:
    yield from (ids[start : start + CHUNK] for start in range(0, len(ids), CHUNK))


def _key_of(text: str) -> uuid.UUID | None:
    """Return the key that a label names; anybody may write anything into a label."""
    try:
        return uuid.UUID(text)
    except ValueError:
        return None
