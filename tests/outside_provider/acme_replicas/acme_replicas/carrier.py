"""How a ReplicaSet stands on a cluster, and what it means in the words of the status table."""

from collections.abc import Sequence

from acme_replicas.render import KIND
from providers.carrying.carrier import Carrier, Kind
from providers.carrying.outside import OwnedMeta, slim_owned
from providers.contract.protocols import Endpoint
from providers.contract.request import DeploymentRef
from providers.kube.resources import REPLICA_SETS, SERVICES
from providers.workload.addresses import endpoint_of
from providers.workload.bundle import Mark, Workload
from providers.workload.objects import POD_TEMPLATE_HASH, Service, condition_of, moment
from providers.workload.objects.looked import ReplicaSetInFull, ReplicaSetStatusInFull
from providers.workload.shape import Carried, Shape, Told
from providers.workload.states.workloads import say_replica_set


class Status(ReplicaSetStatusInFull, kw_only=True, frozen=True):
    observed_generation: int | None = None


class OwnedReplicaSet(ReplicaSetInFull, kw_only=True, frozen=True):
    """A ReplicaSet of ours, with the managers of its fields."""

    metadata: OwnedMeta | None = None
    status: Status | None = None


def tell(seen: Carried) -> Told:
    """Return a ReplicaSet in common words; the mark on it says which pods are current."""
    found: OwnedReplicaSet | None = seen.workload
    if found is None:
        return Told()
    mark = found.labels.get(POD_TEMPLATE_HASH) or ""
    return Told(workload=_workload(found), current=Mark(label=POD_TEMPLATE_HASH, value=mark))


def _workload(found: OwnedReplicaSet) -> Workload:
    status = found.status or Status()
    failure = condition_of(found.conditions, "ReplicaFailure")
    return Workload(
        kind=REPLICA_SETS.kind,
        name=found.name,
        uid=found.uid,
        created_at=moment(found.meta.creation_timestamp),
        is_terminating=found.is_terminating,
        observed=(status.observed_generation or 0) >= (found.meta.generation or 0),
        desired=found.spec.replicas if found.spec else None,
        replicas=status.replicas,
        surges=False,
        refused=(failure.message or "") if failure and failure.is_true else "",
    )


def _endpoint_of(
    ref: DeploymentRef, workload: OwnedReplicaSet | None, services: Sequence[Service]
) -> Endpoint:
    del workload
    return endpoint_of(ref, services)


CARRIER = Carrier(
    implementation=KIND,
    shape=Shape(kind=REPLICA_SETS.kind, tell=tell),
    workload=Kind(
        resource=REPLICA_SETS,
        struct=OwnedReplicaSet,
        in_full=OwnedReplicaSet,
        say=lambda found, _: say_replica_set(found, is_current=True),
        keep=slim_owned,
    ),
    companions=(SERVICES,),
    endpoint_of=_endpoint_of,
)
