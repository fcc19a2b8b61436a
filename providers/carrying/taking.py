"""Names that a workload's controller takes for itself: free before a launch, and who has one after.

A controller that finds such a name taken does nothing and says nothing, as one that does not run.
So what stands in its way is looked for only where it is silent.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from providers.carrying.carrier import Carrier
from providers.carrying.prerequisites import Question
from providers.contract.checks import Check, Result
from providers.contract.errors import ProviderError
from providers.contract.protocols import Deadline
from providers.contract.request import DeploymentRef
from providers.kube.bounded import run_all
from providers.kube.client import KubeClient
from providers.kube.lists import Read, Selection, read_list, read_one
from providers.kube.resources import QUOTAS, Resource
from providers.workload.bundle import Trouble
from providers.workload.capacity import count_quotas
from providers.workload.labels import LABEL_ID
from providers.workload.objects import Item, ResourceQuota

# How many silent ones are looked into at once: where more are silent, their controller is away.
MOST_AT_ONCE = 16

Troubles = Mapping[str, Trouble]


def check_taken_names(asked: Question) -> tuple[Check, ...]:
    """Fail for each name that the controller will need and that is another's."""
    return tuple(check for kind in asked.carrier.takes for check in _check(asked, kind))


def _check(asked: Question, kind: Resource) -> Iterator[Check]:
    name, space = asked.request.runtime_name, asked.request.namespace
    read = read_one(asked.client, kind, Item, name, space, deadline=asked.deadline)
    if read.trouble:
        text = f"whether the name of {kind.kind} {name} is free cannot be seen: {read.trouble}"
        yield Check(code="NameUnknown", result=Result.UNKNOWN, message=text)
    elif _is_anothers(read, asked.request.id):
        yield Check(code="NameTaken", result=Result.FAIL, message=_taken(kind, name), field="name")


def read_obstacles(
    client: KubeClient, carrier: Carrier, refs: Sequence[DeploymentRef], *, deadline: Deadline
) -> Troubles:
    """Return by id what keeps a silent controller from acting; what cannot be read is left out."""
    asked = [(ref, kind) for ref in refs[:MOST_AT_ONCE] for kind in carrier.takes]
    calls = [partial(_obstacle, client, kind, ref, deadline) for ref, kind in asked]
    found = run_all(client.threads, calls)
    return {ref.id: told for (ref, _), told in zip(asked, found, strict=True) if told}


def _obstacle(
    client: KubeClient, kind: Resource, ref: DeploymentRef, deadline: Deadline
) -> Trouble | None:
    try:
        read = read_one(client, kind, Item, ref.runtime_name, ref.namespace, deadline=deadline)
        if _is_anothers(read, ref.id):
            return Trouble(code="ReconcileFailed", message=_taken(kind, ref.runtime_name))
        return None if read.items or read.trouble else _quota(client, kind, ref, deadline)
    except ProviderError:
        return None


def _quota(
    client: KubeClient, kind: Resource, ref: DeploymentRef, deadline: Deadline
) -> Trouble | None:
    """Return the quota that leaves no room for the one object of its own."""
    selection = Selection(namespace=ref.namespace)
    read = read_list(client, QUOTAS, ResourceQuota, selection, deadline=deadline)
    counted = {kind.plural, f"count/{kind.plural}"}
    for line in (line for space in count_quotas(read.items) for line in space.quotas):
        if line.resource in counted and line.free < 1:
            told = f"quota {line.quota} counts {line.resource}: {line.used} of {line.hard} used"
            message = f"its controller may not make {kind.kind} {ref.runtime_name}; {told}"
            return Trouble(code="QuotaExceeded", message=message)
    return None


def _is_anothers(read: Read[Item], deployment_id: str) -> bool:
    """Tell whether there is one that was not made for this deployment: that has its labels."""
    return any(item.labels.get(LABEL_ID) != deployment_id for item in read.items)


def _taken(kind: Resource, name: str) -> str:
    return (
        f"{kind.kind} {name} belongs to somebody else, and the controller needs that name for one "
        f"of its own; remove it or give it another name"
    )
