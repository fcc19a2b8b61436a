"""Verdicts out of what was read: one bundle, one status and one endpoint per deployment.

The same for a live read of one and for a full pass over all, so that list and detail agree.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import accumulate
from typing import Any

from providers.carrying.carrier import Carrier
from providers.carrying.outside import changed_outside
from providers.contract.pods import PodLine
from providers.contract.protocols import Observation
from providers.contract.request import DeploymentRef
from providers.engines.log_causes import LogCause
from providers.kube.lists import BadItem, Read, trouble_of
from providers.kube.resources import (
    AUTOSCALERS,
    ENDPOINT_SLICES,
    EVENTS,
    NAMESPACES,
    NODES,
    PODS,
    QUOTAS,
    REPLICA_SETS,
    SERVICES,
    Resource,
)
from providers.kube.scope import NamespaceView
from providers.workload.bundle import Bundle, Trouble
from providers.workload.index import ClusterObjects, bundles_by_id, workloads_by_name
from providers.workload.labels import LABEL_ID
from providers.workload.objects import Event, Item, Namespace, Node, Pod, ResourceQuota
from providers.workload.states.pods import tell_pod
from providers.workload.status import LogWish, derive_status, log_wishes, needs_events, starts_of

Place = tuple[str, str]
Reads = Mapping[Resource, Read[Any]]

_EVERYBODYS = frozenset({NAMESPACES.kind, QUOTAS.kind})


@dataclass(frozen=True, kw_only=True, slots=True)
class View:
    """What was read; `bad` as `bad_by_place` gives them.

    `forbidden` maps a kind to why it may not be read at all, `reach` a kind to the namespaces that
    it was read in, where not in all, each with why it may not. `now` is the API server's clock.
    """

    carrier: Carrier
    objects: ClusterObjects
    namespaces: NamespaceView
    forbidden: Mapping[str, str]
    reach: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    bad: Mapping[Place, list[BadItem]] = field(default_factory=dict)
    now: datetime

    @property
    def lacks_anything(self) -> bool:
        """Tell whether anything could not be read, or only somewhere."""
        return bool(self.bad or self.forbidden or self.reach)


Causes = Mapping[LogWish, LogCause | None]
CausesOf = Callable[[Sequence[LogWish]], Causes]
ObstaclesOf = Callable[[Sequence[DeploymentRef]], Mapping[str, Trouble]]

# Reasons of those whose controller has not acted, and has not said why either.
_SILENT = frozenset({"WaitingForController", "ControllerNotResponding"})


@dataclass(frozen=True, kw_only=True, slots=True)
class _Failing:
    """A deployment whose verdict some logs may explain."""

    ref: DeploymentRef
    bundle: Bundle
    wishes: tuple[LogWish, ...]


def wants_events(view: View, ref: DeploymentRef) -> bool:
    """Tell whether what was read leaves open what events would answer."""
    [(_, bundle)] = bundles_by_id(view.objects, (ref,), shape=view.carrier.shape)
    return needs_events(bundle, ref, view.now)


def observe_each(
    view: View,
    refs: Sequence[DeploymentRef],
    *,
    causes_of: CausesOf | None = None,
    obstacles_of: ObstaclesOf | None = None,
) -> Mapping[str, Observation]:
    """Return what stands on the cluster, by the id of the deployment.

    `causes_of` reads the logs of what fails, all of them at once, `obstacles_of` what keeps silent
    controllers from acting; without them none is read.
    """
    observed: dict[str, Observation] = {}
    failing: list[_Failing] = []
    silent: dict[str, tuple[DeploymentRef, Bundle]] = {}
    spaces = {ref.namespace for ref in refs}
    objects = replace(view.objects, unread_in={space: _unread(view, space) for space in spaces})
    for ref, bundle in bundles_by_id(objects, refs, shape=view.carrier.shape):
        seen = _with_troubles(view, ref, bundle)
        observed[ref.id] = found = _observe(view, ref, seen)
        if causes_of and (wishes := log_wishes(seen, found.status)):
            failing.append(_Failing(ref=ref, bundle=seen, wishes=wishes))
        if obstacles_of and view.carrier.takes and found.status.reason in _SILENT:
            silent[ref.id] = (ref, seen)
    if causes_of and failing:
        causes = causes_of([wish for one in failing for wish in one.wishes])
        observed.update({one.ref.id: _explained(view, one, causes) for one in failing})
    if obstacles_of and silent:
        troubles = obstacles_of([ref for ref, _ in silent.values()])
        observed.update({id_: _hindered(view, *silent[id_], why) for id_, why in troubles.items()})
    return observed


def _hindered(view: View, ref: DeploymentRef, bundle: Bundle, why: Trouble) -> Observation:
    return _observe(view, ref, replace(bundle, refusal=why))


def _explained(view: View, failing: _Failing, causes: Causes) -> Observation:
    told = {wish.pod: causes[wish] for wish in failing.wishes if wish in causes}
    return _observe(view, failing.ref, replace(failing.bundle, log_causes=told))


def view_of(carrier: Carrier, reads: Reads, namespaces: NamespaceView) -> View:
    """Return what live reads of a provider's kinds and of all that belongs to them came to.

    Events and nodes are there as far as anything called for them.
    """
    nothing: Read[Any] = Read()
    return View(
        carrier=carrier,
        objects=objects_of(
            carrier,
            reads,
            pods=reads[PODS].items,
            namespaces=reads[NAMESPACES].items,
            events=reads.get(EVENTS, nothing).items,
            nodes=reads.get(NODES, nothing).items,
        ),
        namespaces=namespaces,
        forbidden={kind.kind: read.forbidden for kind, read in reads.items() if read.forbidden},
        reach={kind.kind: read.reach for kind, read in reads.items() if read.reach is not None},
        bad=bad_by_place(item for read in reads.values() for item in read.bad),
        now=reads[PODS].now or datetime.now(UTC),
    )


def objects_of(
    carrier: Carrier,
    reads: Reads,
    *,
    pods: Sequence[Pod],
    namespaces: Sequence[Namespace],
    events: Sequence[Event] = (),
    nodes: Sequence[Node] = (),
    quotas: Sequence[ResourceQuota] = (),
) -> ClusterObjects:
    """Return what was read of a provider's kinds beside what belongs to all."""
    workloads: Read[Item] = reads[carrier.workload.resource]
    further = {
        kind.resource.kind: reads[kind.resource].items
        for kind in carrier.further
        if kind.resource is not REPLICA_SETS
    }
    return ClusterObjects(
        workloads=workloads_by_name(workloads.items),
        further=further,
        replica_sets=reads[REPLICA_SETS].items if REPLICA_SETS in reads else (),
        namespaces=namespaces,
        pods=pods,
        events=events,
        services=reads[SERVICES].items,
        endpoint_slices=reads[ENDPOINT_SLICES].items,
        autoscalers=reads[AUTOSCALERS].items,
        quotas=quotas,
        nodes=nodes,
        refusal=not_installed(carrier) if workloads.missing else None,
    )


def not_installed(carrier: Carrier) -> Trouble:
    """Return why nothing of a kind can be there."""
    kind = carrier.workload.resource
    told = f"the cluster does not know the kind {kind.kind} of {kind.api_version}"
    return Trouble(code="ProviderNotInstalled", message=f"{told}; ask an admin to install it")


def bad_by_place(bad: Iterable[BadItem]) -> Mapping[Place, list[BadItem]]:
    """Return objects that did not decode by namespace, and there by whom they may concern.

    That is a deployment's id, and every name that theirs may be made of: `a` and `a-b` for `a-b`.
    A namespace and its quotas concern all in it, which is told by an empty text.
    """
    found: dict[Place, list[BadItem]] = {}
    for item in bad:
        at = item.name if item.kind == NAMESPACES.kind else item.namespace
        for word in _words_of(item):
            found.setdefault((at, word), []).append(item)
    return found


def _words_of(item: BadItem) -> Iterable[str]:
    if item.kind in _EVERYBODYS:
        return {""}
    stems = accumulate(item.name.split("-"), "{}-{}".format)
    return {*stems, item.labels.get(LABEL_ID) or ""} - {""}


def pods_of(view: View, ref: DeploymentRef) -> tuple[PodLine, ...]:
    """Return each pod of a deployment in a line."""
    [(_, bundle)] = bundles_by_id(view.objects, (ref,), shape=view.carrier.shape)
    mark = bundle.current
    return tuple(tell_pod(pod, is_current=not mark or mark.is_on(pod)) for pod in bundle.pods)


def nodes_in_doubt(pods: Iterable[Pod]) -> list[str]:
    """Return the nodes of pods that are not ready: those alone may have been lost."""
    return sorted({pod.node_name for pod in pods if pod.node_name and not pod.is_ready})


def _with_troubles(view: View, ref: DeploymentRef, bundle: Bundle) -> Bundle:
    """Return the bundle with what could not be read of it, and with what others changed."""
    unreadable = _unreadable(view, ref, bundle) if view.lacks_anything else {}
    changed = changed_outside(bundle.workload_item, controllers=view.carrier.controllers)
    if bundle.workload_item and bundle.workload_item.labels.get(LABEL_ID) != ref.id:
        changed = ("metadata.labels", *changed)
    if unreadable or changed:
        return replace(bundle, unreadable=unreadable, changed_outside=changed)
    return bundle


def _observe(view: View, ref: DeploymentRef, seen: Bundle) -> Observation:
    workload = seen.workload_item
    status = derive_status(seen, ref, view.now)
    return Observation(
        status=status,
        endpoint=view.carrier.endpoint_of(ref, workload, seen.services),
        workload_uid=workload.uid if workload else "",
        starts=starts_of(seen, ref, status),
    )


def _unread(view: View, namespace: str) -> frozenset[str]:
    unread = {kind for kind, spaces in view.reach.items() if namespace not in spaces}
    if not view.namespaces.knows(namespace):
        unread.add(NAMESPACES.kind)
    return frozenset(unread)


def _unreadable(view: View, ref: DeploymentRef, bundle: Bundle) -> Mapping[str, str]:
    """Return why a kind could not be read, as far as that concerns this deployment."""
    by_kind: dict[str, list[BadItem]] = {}
    for item in _concerning(view, ref):
        by_kind.setdefault(item.kind, []).append(item)
    told = {kind: trouble_of(items) for kind, items in by_kind.items()}
    told |= {kind: why for kind, why in _forbidden(view, ref) if why}
    if NODES.kind in told and not nodes_in_doubt(bundle.pods):
        told.pop(NODES.kind)
    if EVENTS.kind in told and not needs_events(bundle, ref, view.now):
        told.pop(EVENTS.kind)
    return told


def _concerning(view: View, ref: DeploymentRef) -> Iterable[BadItem]:
    """Return each bad item once, by whatever it may concern the deployment."""
    words = ("", ref.runtime_name, ref.id) if view.bad else ()
    items = (item for word in words for item in view.bad.get((ref.namespace, word), ()))
    return {id(item): item for item in items}.values()


def _forbidden(view: View, ref: DeploymentRef) -> Iterator[tuple[str, str]]:
    yield from view.forbidden.items()
    yield from ((kind, spaces.get(ref.namespace, "")) for kind, spaces in view.reach.items())
