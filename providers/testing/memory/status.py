"""What an in-memory deployment looks like: a handful of the rows that real providers share."""

from datetime import datetime

from providers.contract.request import DeploymentRef, Intent
from providers.contract.status import Evidence, Phase, Status
from providers.testing.memory.cluster import MemoryCluster, StoredObject


def status_of(cluster: MemoryCluster, ref: DeploymentRef, workload: StoredObject | None) -> Status:
    """Return the status of one deployment by this cluster's clock."""
    now = cluster.now()
    if ref.intent is Intent.DELETED:
        return _deletion(ref, workload, now)
    if workload is None:
        return _absence(ref, now)
    wanted = int(workload.manifest["spec"]["replicas"])
    ready = min(wanted, cluster.ready.get(ref.runtime_name, wanted))
    return _replicas(ref, wanted=wanted, ready=ready, now=now)


def _deletion(ref: DeploymentRef, workload: StoredObject | None, now: datetime) -> Status:
    if workload is None:
        return _status(Phase.DELETED, "Removed", "everything is removed", now, closed=True)
    return _status(
        Phase.DELETING, "PendingFinalizer", f"waiting for {ref.runtime_name} to be removed", now
    )


def _absence(ref: DeploymentRef, now: datetime) -> Status:
    if ref.applied_revision:
        return _status(
            Phase.DELETED, "RemovedOutside", f"{ref.runtime_name} was removed by someone else", now
        )
    return _status(Phase.DEPLOYING, "ApplyPending", "not applied to the cluster yet", now)


def _replicas(ref: DeploymentRef, *, wanted: int, ready: int, now: datetime) -> Status:
    said = f"{ready} of {wanted} replicas ready"
    if wanted == 0:
        phase, reason = Phase.STOPPED, "ScaledToZero"
    elif ready == wanted:
        phase, reason = Phase.READY, "Available"
    elif ref.once_full:
        phase, reason = Phase.DEGRADED, "PartlyReady"
    else:
        phase, reason = Phase.DEPLOYING, "LoadingModel"
    return Status(
        phase=phase,
        reason=reason,
        message=said,
        desired_replicas=wanted,
        ready_replicas=ready,
        available_replicas=ready,
        observed_at=now,
        evidence=(Evidence(reason=reason, message=said, object=ref.runtime_name),),
        once_full=ref.once_full or (wanted > 0 and ready == wanted),
    )


def _status(
    phase: Phase, reason: str, message: str, now: datetime, *, closed: bool = False
) -> Status:
    return Status(phase=phase, reason=reason, message=message, observed_at=now, closed=closed)
