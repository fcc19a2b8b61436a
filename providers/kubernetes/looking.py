"""One deployment looked into: Deployment, ReplicaSets, pods and what stands beside them, in words.

Each verb is one round of calls side by side. The names that its controllers give tell which events
are a deployment's own when the objects they are about have gone.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from providers.contract.manifest import ObjectKey
from providers.contract.observing import Events, Log, LogQuery, ObjectState, Resources
from providers.contract.protocols import Deadline
from providers.contract.request import DeploymentRef, Intent
from providers.contract.target import ClusterTarget
from providers.kube.resources import (
    AUTOSCALERS,
    DEPLOYMENTS,
    PODS,
    REPLICA_SETS,
    SERVICES,
    Resource,
)
from providers.observing.events import read_events
from providers.observing.logs import Revisions, read_logs
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
from providers.workload.bundle import POD_TEMPLATE_HASH, Mark, mark_newest
from providers.workload.objects import Item, ObjectReference, ReplicaSet
from providers.workload.objects.looked import DeploymentInFull, PodInFull, ReplicaSetInFull
from providers.workload.states.tree import as_tree
from providers.workload.states.workloads import say_deployment, say_replica_set

_OWN = ((DEPLOYMENTS, DeploymentInFull), (REPLICA_SETS, ReplicaSetInFull))
_REVISIONS = Revisions(
    kind=REPLICA_SETS,
    struct=ReplicaSet,
    mark=lambda sets, pods: mark_newest(tuple(sets), tuple(pods)),
)
# Controllers hash and number by an alphabet without vowels, so that no word comes out.
_HASH = re.compile("[bcdfghjklmnpqrstvwxz2456789]+")
# A generated name is its stem, cut at this length, and five letters.
_LONGEST_STEM, _LETTERS = 58, 5
_LONGEST_HASH = 10


def resources(ref: DeploymentRef, target: ClusterTarget, *, deadline: Deadline) -> Resources:
    """Return every object of a deployment with its own state in words."""
    seen = read_objects(ref, target, _OWN, deadline=deadline)
    return Resources(objects=as_tree(_objects(seen)), now=seen.now, unreadable=seen.unreadable)


def _objects(seen: Seen) -> Iterator[ObjectState]:
    owner = DEPLOYMENTS.key(seen.ref.runtime_name, seen.ref.namespace)
    yield from _workload(seen)
    yield from _replica_sets(seen, owner)
    yield from _pods(seen, owner)
    yield from _companions(seen, owner)
    yield from surroundings_in_words(seen)


def _workload(seen: Seen) -> Iterator[ObjectState]:
    found: Sequence[DeploymentInFull] = seen.items(DEPLOYMENTS)
    yield from (in_words(DEPLOYMENTS, item, say_deployment(item)) for item in found)
    if found or not _is_expected(seen, DEPLOYMENTS):
        return
    name, namespace = seen.ref.runtime_name, seen.ref.namespace
    if seen.ref.applied_revision:
        yield missing(DEPLOYMENTS, name, namespace, "somebody removed it from the cluster")
    else:
        yield not_made_yet(DEPLOYMENTS, name, namespace)


def _is_expected(seen: Seen, kind: Resource) -> bool:
    """Tell whether one of a kind should be there and can be seen to be missing."""
    return seen.ref.intent is not Intent.DELETED and seen.is_known(kind)


def _replica_sets(seen: Seen, owner: ObjectKey) -> Iterator[ObjectState]:
    sets: Sequence[ReplicaSetInFull] = seen.items(REPLICA_SETS)
    mark = _mark(seen)
    for found in sorted(sets, key=lambda item: (not mark.is_on(item), item.name)):
        said = say_replica_set(found, is_current=mark.is_on(found))
        state = in_words(REPLICA_SETS, found, said, below=owner)
        yield replace(state, current=mark.is_on(found))


def _pods(seen: Seen, owner: ObjectKey) -> Iterator[ObjectState]:
    sets: Sequence[ReplicaSetInFull] = seen.items(REPLICA_SETS)
    pods: Sequence[PodInFull] = seen.items(PODS)
    mark = _mark(seen)
    keys = {item.uid: REPLICA_SETS.key(item.name, item.namespace) for item in sets}
    for pod in sorted(pods, key=lambda item: (item.meta.creation_timestamp or "", item.name)):
        below = keys.get((pod.controller.uid if pod.controller else None) or "", owner)
        yield pod_in_words(pod, below=below, is_current=mark.is_on(pod))


def _mark(seen: Seen) -> Mark:
    """Return what marks the current revision; before there is anything, nothing bears the mark."""
    found = mark_newest(seen.items(REPLICA_SETS), seen.items(PODS))
    return found or Mark(label=POD_TEMPLATE_HASH, value="")


def _companions(seen: Seen, owner: ObjectKey) -> Iterator[ObjectState]:
    yield from services_in_words(seen, owner)
    yield from autoscalers_in_words(seen, owner)
    if not seen.items(DEPLOYMENTS):
        return
    if _is_expected(seen, SERVICES) and not seen.items(SERVICES):
        message = "without it nothing leads to the pods"
        yield missing(SERVICES, owner.name, owner.namespace, message, below=owner)
    if _lacks_autoscaler(seen, owner):
        message = "without it the number of replicas stands still"
        yield missing(AUTOSCALERS, owner.name, owner.namespace, message, below=owner)


def _lacks_autoscaler(seen: Seen, owner: ObjectKey) -> bool:
    wanted = seen.ref.scaling.has_autoscaler and _is_expected(seen, AUTOSCALERS)
    return wanted and not any(autoscalers_in_words(seen, owner))


def events(ref: DeploymentRef, target: ClusterTarget, *, deadline: Deadline) -> Events:
    """Return what the cluster said about the objects of a deployment, gone ones among them."""
    return read_events(
        ref,
        target,
        kinds=(PODS.kind, REPLICA_SETS.kind),
        beside=(REPLICA_SETS, Item),
        is_ours=lambda about, sets: is_ours(about, ref.runtime_name, sets),
        deadline=deadline,
    )


def logs(ref: DeploymentRef, target: ClusterTarget, query: LogQuery, *, deadline: Deadline) -> Log:
    """Return the end of one container's log."""
    return read_logs(ref, target, query, revisions=_REVISIONS, deadline=deadline)


def is_ours(about: ObjectReference, runtime_name: str, sets: Sequence[Item]) -> bool:
    """Tell whether an event is about an object of a deployment, by the names that controllers give.

    `sets` are the ReplicaSets that are there: of a long name a pod's has only the beginning.
    """
    name = about.name or ""
    if about.kind == REPLICA_SETS.kind:
        return _is_hashed(name, runtime_name)
    if about.kind != PODS.kind:
        return name == runtime_name
    stem, letters = name[:-_LETTERS], name[-_LETTERS:]
    if not _HASH.fullmatch(letters):
        return False
    if stem in {f"{item.name}-"[:_LONGEST_STEM] for item in sets}:
        return True
    return stem.endswith("-") and _is_hashed(stem[:-1], runtime_name)


def _is_hashed(name: str, runtime_name: str) -> bool:
    stem, _, digits = name.rpartition("-")
    return (
        stem == runtime_name
        and len(digits) <= _LONGEST_HASH
        and _HASH.fullmatch(digits) is not None
    )
