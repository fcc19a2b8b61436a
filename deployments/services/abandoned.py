"""Ends what the trail says was begun, where the process died that would have told how it ended.

A removal of objects without a record is no promise that a pass goes on with; what became of it is
seen by what a full pass finds of those objects afterwards.
"""

from datetime import timedelta

from django.utils import timezone

from deployments.models import AuditEntry, Cluster, Orphan
from deployments.services.auditing import Outcome, record_finish
from deployments.services.keeping import Fence

REMOVAL = "cluster.remove_orphans"
# Several times what a removal may take.
LONGEST = timedelta(minutes=1)
DEAD = "The process that did it ended before it could tell"


def end_abandoned_removals(cluster: Cluster, *, fence: Fence) -> None:
    """Tell how removals ended that nobody has told the end of, by the objects that are listed now.

    Called when a full pass has brought that list to what is there.
    """
    begun = AuditEntry.objects.filter(
        action=REMOVAL,
        object_type="cluster",
        object_id=str(cluster.pk),
        at__lt=timezone.now() - LONGEST,
    ).ended_with(Outcome.ACCEPTED)
    for entry in begun:
        outcome, message = _end_of(entry, cluster)
        with fence():
            record_finish(entry.operation_id, outcome=outcome, message=message)


def _end_of(entry: AuditEntry, cluster: Cluster) -> tuple[Outcome, str]:
    told = (entry.before or {}).get("objects", [])
    rows = Orphan.objects.filter(cluster=cluster, uid__in=[item["uid"] for item in told])
    names = ", ".join(f"{row.kind} {row.name}" for row in rows)
    if not names:
        return Outcome.SUCCEEDED, f"{DEAD}; none of the objects is there any more."
    if all(row.is_terminating for row in rows):
        return Outcome.SUCCEEDED, f"{DEAD}; the cluster is still removing {names}."
    return Outcome.UNKNOWN, f"{DEAD}; still there: {names}."
