"""What a cluster holds of ours, and whether database and cluster tell one and the same story."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain

from deployments.models import AuditEntry, Cluster, Deployment, Operation
from deployments.models.history import RevisionOutcome
from deployments.models.operations import Verb
from deployments.selectors import current_revision
from providers.contract.manifest import Manifest
from providers.contract.request import Intent
from tests.cluster.harness.api import Api, namespaced
from tests.cluster.waiting import read_until

NAMESPACE = "playground"
AT_REST = ("Ready", "Stopped")
# What a worker has in hand is soon put down; what a dead one had stays for longer.
FAULTS_SECONDS = 30.0
_KINDS: Mapping[str, tuple[str, str]] = {
    "Deployment": ("apis/apps/v1", "deployments"),
    "HorizontalPodAutoscaler": ("apis/autoscaling/v2", "horizontalpodautoscalers"),
    "Service": ("api/v1", "services"),
}
_PODS = ("api/v1", "pods")
_MANAGED = "app.kubernetes.io/managed-by=slipway"
_ID = "slipway.dev/id"
_DIGEST = "slipway.dev/digest"


@dataclass(frozen=True, kw_only=True, slots=True)
class Objects:
    """What stands on the cluster: objects by deployment id and kind, and the ids that have pods."""

    found: Mapping[str, Mapping[str, Manifest]]
    with_pods: frozenset[str]


def read_objects(api: Api) -> Objects:
    """Read everything of ours in the namespace."""
    found: dict[str, dict[str, Manifest]] = {}
    for kind, place in _KINDS.items():
        for item in _items(api, place):
            found.setdefault(item["metadata"]["labels"][_ID], {})[kind] = item
    pods = frozenset(item["metadata"]["labels"][_ID] for item in _items(api, _PODS))
    return Objects(found=found, with_pods=pods)


def is_settled() -> bool:
    """Tell whether nothing is promised any more and nothing is on its way."""
    moving = Deployment.objects.open().exclude(phase__in=AT_REST)
    return not Operation.objects.unfinished().exists() and not moving.exists()


def unsettled() -> list[str]:
    """Return what is still on its way, for the words of a failure."""
    rows = Deployment.objects.open().exclude(phase__in=AT_REST)
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
    strays = sorted({*objects.found, *objects.with_pods} - known)
    faults = [
        f"objects of {stray} without a record: {[*objects.found.get(stray, ())]}"
        for stray in strays
    ]
    faults += [
        f"the pass counts {row.orphans} orphans" for row in Cluster.objects.exclude(orphans=0)
    ]
    named = Deployment.objects.exclude(lease_owner="").values_list("name", flat=True)
    return faults + [f"{name} is still leased" for name in named]


def faults_left(api: Api, *names: str) -> list[str]:
    """Return what stays wrong with all that bears these names, and beyond; workers may be busy."""

    def found() -> list[str]:
        objects = read_objects(api)
        return [*chain(*(faults_of(name, objects) for name in names)), *faults_of_all(objects)]

    return read_until(found, [], FAULTS_SECONDS)


def _items(api: Api, place: tuple[str, str]) -> Iterable[Manifest]:
    version, plural = place
    path = namespaced(NAMESPACE, plural, api=version)
    items: list[Manifest] = api.get(path, labelSelector=_MANAGED)["items"]
    return items


def _faults_of_record(record: Deployment, objects: Objects) -> list[str]:
    found = objects.found.get(str(record.pk), {})
    faults = _faults_of_objects(record, found)
    has_pods = not record.is_closed and record.intent != Intent.STOPPED
    if (str(record.pk) in objects.with_pods) != has_pods:
        faults.append(f"{record.pk} has pods: {has_pods} was expected")
    return faults + _faults_of_revisions(record) + _faults_of_operations(record)


def _faults_of_objects(record: Deployment, found: Mapping[str, Manifest]) -> list[str]:
    """Hold what is there against what the wanted revision renders to, object by object."""
    if record.is_closed:
        return [f"{record.pk} still has {[*found]}"] if found else []
    wanted = {one["kind"]: one for one in current_revision(record).manifests}
    if found.keys() != wanted.keys():
        return [f"{record.pk} has {sorted(found)}, not {sorted(wanted)}"]
    faults = [
        f"{kind} of {record.pk} was written from something else than revision {record.revision}"
        for kind in wanted
        if _digest_of(found[kind]) != _digest_of(wanted[kind])
    ]
    replicas = wanted["Deployment"]["spec"].get("replicas")
    if replicas not in (None, found["Deployment"]["spec"]["replicas"]):
        faults.append(f"{record.pk} has another number of replicas than {replicas}")
    return faults


def _digest_of(item: Manifest) -> str:
    return str(item["metadata"]["annotations"][_DIGEST])


def _faults_of_revisions(record: Deployment) -> list[str]:
    """What is wanted is what is applied, each revision has ended, and each was promised once."""
    faults: list[str] = []
    if not record.is_closed and record.revision != record.applied_revision:
        faults.append(f"revision {record.revision} is wanted, {record.applied_revision} applied")
    numbers = list(record.revisions.order_by("number").values_list("number", flat=True))
    promises = record.operations.exclude(verb__in=(Verb.DELETE, Verb.REAPPLY, Verb.PUT_BACK))
    promised = list(promises.order_by("revision").values_list("revision", flat=True))
    if numbers != promised:
        faults.append(f"revisions {numbers} were promised as {promised}")
    pending = record.revisions.filter(outcome=RevisionOutcome.PENDING)
    return faults + [f"{row} of {record.pk} has not ended" for row in pending]


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
