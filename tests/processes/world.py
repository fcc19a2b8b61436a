"""What a cluster holds of ours, and whether database and cluster tell one and the same story."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from deployments.models import AuditEntry, Cluster, Deployment, Operation
from providers.contract.manifest import Manifest
from tests.cluster.harness.api import Api, namespaced

NAMESPACE = "playground"
WHOLE = ("Deployment", "HorizontalPodAutoscaler", "Service")
_KINDS: Mapping[str, tuple[str, str]] = {
    "Deployment": ("apis/apps/v1", "deployments"),
    "HorizontalPodAutoscaler": ("apis/autoscaling/v2", "horizontalpodautoscalers"),
    "Service": ("api/v1", "services"),
}
_PODS = ("api/v1", "pods")
_MANAGED = "app.kubernetes.io/managed-by=slipway"
_ID = "slipway.dev/id"


@dataclass(frozen=True, kw_only=True, slots=True)
class Objects:
    """What stands on the cluster: kinds by deployment id, and the ids that have pods."""

    kinds: Mapping[str, tuple[str, ...]]
    with_pods: frozenset[str]


def read_objects(api: Api) -> Objects:
    """Read everything of ours in the namespace."""
    pairs = [
        (item["metadata"]["labels"][_ID], kind)
        for kind, place in _KINDS.items()
        for item in _items(api, place)
    ]
    kinds: dict[str, tuple[str, ...]] = {}
    for own_id, kind in pairs:
        kinds[own_id] = (*kinds.get(own_id, ()), kind)
    pods = frozenset(item["metadata"]["labels"][_ID] for item in _items(api, _PODS))
    return Objects(kinds=kinds, with_pods=pods)


def is_settled() -> bool:
    """Tell whether nothing is promised any more and nothing is on its way."""
    moving = Deployment.objects.open().exclude(phase="Ready")
    return not Operation.objects.unfinished().exists() and not moving.exists()


def unsettled() -> list[str]:
    """Return what is still on its way, for the words of a failure."""
    rows = Deployment.objects.open().exclude(phase="Ready")
    return [f"{row.name}: {row.phase} {row.reason} {row.message}" for row in rows]


def faults_of(name: str, objects: Objects) -> list[str]:
    """Return what is wrong with all that bears a name; it must have come to rest."""
    records = list(Deployment.objects.filter(name=name))
    open_ones = [record for record in records if not record.is_closed]
    faults = [f"{len(open_ones)} open records"] if len(open_ones) > 1 else []
    for record in records:
        faults += _faults_of_record(record, objects)
    return faults


def faults_of_all(objects: Objects) -> list[str]:
    """Return what is wrong beyond single names: orphans, doubles, leases of the dead."""
    known = {str(pk) for pk in Deployment.objects.open().values_list("pk", flat=True)}
    strays = sorted({*objects.kinds, *objects.with_pods} - known)
    faults = [
        f"objects of {stray} without a record: {objects.kinds.get(stray)}" for stray in strays
    ]
    faults += [
        f"the pass counts {row.orphans} orphans" for row in Cluster.objects.exclude(orphans=0)
    ]
    named = Deployment.objects.exclude(lease_owner="").values_list("name", flat=True)
    return faults + [f"{name} is still leased" for name in named]


def _items(api: Api, place: tuple[str, str]) -> Iterable[Manifest]:
    version, plural = place
    path = namespaced(NAMESPACE, plural, api=version)
    items: list[Manifest] = api.get(path, labelSelector=_MANAGED)["items"]
    return items


def _faults_of_record(record: Deployment, objects: Objects) -> list[str]:
    kinds = tuple(sorted(objects.kinds.get(str(record.pk), ())))
    wanted = () if record.is_closed else WHOLE
    faults = [] if kinds == wanted else [f"{record.pk} has {kinds}, not {wanted}"]
    if (str(record.pk) in objects.with_pods) == record.is_closed:
        faults.append(f"{record.pk} has pods: {not record.is_closed} was expected")
    return faults + _faults_of_operations(record)


def _faults_of_operations(record: Deployment) -> list[str]:
    """An operation has one entry of its beginning and one of its end; a superseded one has none."""
    faults: list[str] = []
    for operation in record.operations.all():
        rows = AuditEntry.objects.filter(operation_id=str(operation.pk)).order_by("pk")
        told = list(rows.values_list("action", "outcome"))
        action = f"deployment.{operation.verb}"
        wanted = [(action, "accepted"), (action, ENDS[operation.state])]
        if told != wanted:
            faults.append(f"{operation} is {operation.state}, and its audit trail {told}")
    return faults


ENDS = {"done": "succeeded", "refused": "refused", "superseded": "superseded"}
