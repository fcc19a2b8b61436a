"""One deployment looked into: workload, what stands below it, pods and what is beside, in words.

Each verb is one round of calls side by side.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from providers.carrying.carrier import Carrier, Kind
from providers.carrying.selecting import one_of
from providers.contract.manifest import ObjectKey
from providers.contract.observing import Events, Log, LogQuery, ObjectState, Resources
from providers.contract.protocols import Deadline
from providers.contract.request import DeploymentRef, Intent
from providers.contract.target import ClusterTarget
from providers.kube.resources import AUTOSCALERS, PODS, REPLICA_SETS, SERVICES, Resource
from providers.observing.events import read_events
from providers.observing.logs import Items, Revisions, read_logs
from providers.observing.objects import (
    Seen,
    autoscalers_in_words,
    in_words,
    missing,
    not_made_yet,
    pod_in_words,
    read_objects,
    services_in_words,
    surroundings_in_words,
)
from providers.observing.reading import Wanted
from providers.workload.bundle import Mark
from providers.workload.objects import Item, Pod
from providers.workload.objects.looked import PodInFull
from providers.workload.shape import Carried, Told
from providers.workload.states.tree import as_tree

_NO_MARK = Mark(label="", value="none")


@dataclass(frozen=True, kw_only=True, slots=True)
class _Look:
    """What was read of one deployment, and what its provider makes of it.

    `keys` are the objects between workload and pods by uid.
    """

    carrier: Carrier
    seen: Seen
    told: Told
    keys: Mapping[str, ObjectKey]

    @property
    def owner(self) -> ObjectKey:
        """Return the workload, be it there or not."""
        ref = self.seen.ref
        return self.carrier.workload.resource.key(ref.runtime_name, ref.namespace)

    def above(self, item: Item) -> ObjectKey:
        """Return what an object stands below: its owner, the workload where that is not seen."""
        return self.keys.get((item.controller.uid if item.controller else None) or "", self.owner)

    def is_current(self, item: Item) -> bool:
        """Tell whether it is of the current revision; before there is a mark, nothing is."""
        return (self.told.current or _NO_MARK).is_on(item) or item.uid in self.told.current_uids

    def is_expected(self, kind: Resource) -> bool:
        """Tell whether one of a kind should be there and can be seen to be missing."""
        return self.seen.ref.intent is not Intent.DELETED and self.seen.is_known(kind)


def resources(
    carrier: Carrier, ref: DeploymentRef, target: ClusterTarget, *, deadline: Deadline
) -> Resources:
    """Return every object of a deployment with its own state in words."""
    kinds = tuple(_wanted(carrier, ref, kind, kind.in_full) for kind in carrier.kinds)
    seen = read_objects(ref, target, kinds, deadline=deadline)
    objects = as_tree(_objects(_look(carrier, seen)))
    return Resources(objects=objects, now=seen.now, unreadable=seen.unreadable)


def _wanted(carrier: Carrier, ref: DeploymentRef, kind: Kind, struct: type[Item]) -> Wanted:
    return kind.resource, struct, one_of(carrier, kind.resource, ref)


def _look(carrier: Carrier, seen: Seen) -> _Look:
    items = {kind.resource: seen.items(kind.resource) for kind in carrier.kinds}
    keys = {
        item.uid: kind.resource.key(item.name, item.namespace)
        for kind in carrier.further
        for item in items[kind.resource]
    }
    told = _told(carrier, seen.ref, items, seen.items(PODS))
    return _Look(carrier=carrier, seen=seen, told=told, keys=keys)


def _told(carrier: Carrier, ref: DeploymentRef, items: Items, pods: Sequence[Pod]) -> Told:
    """Return in common words what was read of the kinds above pods; not all of them need be."""
    workloads = items.get(carrier.workload.resource, ())
    carried = Carried(
        ref=ref,
        workload=next((item for item in workloads if item.name == ref.runtime_name), None),
        replica_sets=tuple(items.get(REPLICA_SETS, ())),
        further={
            kind.resource.kind: tuple(items.get(kind.resource, ())) for kind in carrier.further
        },
        pods=tuple(pods),
    )
    return carrier.shape.tell(carried)


def _objects(look: _Look) -> Iterator[ObjectState]:
    yield from _workload(look)
    for kind in look.carrier.further:
        yield from _further(look, kind)
    yield from _pods(look)
    yield from _companions(look)
    yield from surroundings_in_words(look.seen)


def _workload(look: _Look) -> Iterator[ObjectState]:
    kind, ref = look.carrier.workload, look.seen.ref
    found: Sequence[Item] = look.seen.items(kind.resource)
    yield from (in_words(kind.resource, item, kind.say(item, True)) for item in found)  # noqa: FBT003 - handed through
    if found or not look.is_expected(kind.resource):
        return
    if ref.applied_revision:
        message = "somebody removed it from the cluster"
        yield missing(kind.resource, ref.runtime_name, ref.namespace, message)
    else:
        yield not_made_yet(kind.resource, ref.runtime_name, ref.namespace)


def _further(look: _Look, kind: Kind) -> Iterator[ObjectState]:
    items: Sequence[Item] = look.seen.items(kind.resource)
    for found in sorted(items, key=lambda item: (not look.is_current(item), item.name)):
        is_current = look.is_current(found)
        said = kind.say(found, is_current)
        state = in_words(kind.resource, found, said, below=look.above(found))
        yield replace(state, current=is_current)


def _pods(look: _Look) -> Iterator[ObjectState]:
    pods: Sequence[PodInFull] = look.seen.items(PODS)
    for pod in sorted(pods, key=lambda item: (item.meta.creation_timestamp or "", item.name)):
        yield pod_in_words(pod, below=look.above(pod), is_current=look.is_current(pod))


def _companions(look: _Look) -> Iterator[ObjectState]:
    seen, owner = look.seen, look.owner
    yield from services_in_words(seen, look.above)
    scalers = tuple(autoscalers_in_words(seen, _scaled(look), look.above))
    yield from scalers
    if not seen.items(look.carrier.workload.resource):
        return
    if _lacks_service(look):
        name, message = (
            look.carrier.service_name(owner.name),
            "without it nothing leads to the pods",
        )
        yield missing(SERVICES, name, owner.namespace, message, below=owner)
    if _lacks_autoscaler(look, scalers):
        name, message = _scaled(look)[1], "without it the number of replicas stands still"
        yield missing(AUTOSCALERS, name, owner.namespace, message, below=owner)


def _lacks_service(look: _Look) -> bool:
    """Tell whether none leads to the pods; a controller may take its own away in a stop."""
    if not look.is_expected(SERVICES) or look.seen.items(SERVICES):
        return False
    return SERVICES in look.carrier.companions or look.seen.ref.intent is Intent.RUNNING


def _lacks_autoscaler(look: _Look, scalers: Sequence[ObjectState]) -> bool:
    """Tell whether none acts that should, be it of a kind of the workload's maker."""
    if scalers or not look.seen.ref.scaling.has_autoscaler:
        return False
    above = {kind.resource for kind in look.carrier.further}
    makers = [kind for kind in look.carrier.autoscalers if kind in above]
    return look.is_expected(AUTOSCALERS) and not any(look.seen.items(kind) for kind in makers)


def _scaled(look: _Look) -> tuple[str, str]:
    return look.carrier.scaled(look.owner.name)


def events(
    carrier: Carrier, ref: DeploymentRef, target: ClusterTarget, *, deadline: Deadline
) -> Events:
    """Return what the cluster said about the objects of a deployment, gone ones among them."""
    return read_events(
        ref,
        target,
        kinds=(PODS.kind, *(kind.resource.kind for kind in carrier.further)),
        names=[f"{ref.runtime_name}{suffix}" for suffix in carrier.names],
        beside=tuple(_wanted(carrier, ref, kind, Item) for kind in carrier.further),
        is_ours=lambda about, items: carrier.is_ours(about, ref.runtime_name, items),
        deadline=deadline,
    )


def logs(
    carrier: Carrier,
    ref: DeploymentRef,
    target: ClusterTarget,
    query: LogQuery,
    *,
    deadline: Deadline,
) -> Log:
    """Return the end of one container's log."""
    revisions = Revisions(
        kinds=tuple((kind.resource, kind.struct) for kind in carrier.marked_by),
        mark=lambda items, pods: _told(carrier, ref, items, pods).current,
    )
    return read_logs(ref, target, query, revisions=revisions, deadline=deadline)
