"""Verdicts of what was just read, with what only a doubtful one calls for: logs, obstacles, an end.

A deletion is over when nothing that bears our labels is left, unless the workload lost them: so it
is looked for by its name and its uid before anybody is told that all is gone, or was removed. Where
many deletions end at once, or one cannot be read, the others wait for a later look.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from providers.carrying.seeing import View, observe_each
from providers.carrying.taking import MOST_AT_ONCE, read_obstacles
from providers.contract.errors import ProviderError
from providers.contract.protocols import Deadline, Observation
from providers.contract.request import DeploymentRef
from providers.contract.status import Status
from providers.kube.bounded import run_all
from providers.kube.client import KubeClient
from providers.kube.lists import Read, read_one
from providers.observing.log_causes import read_causes
from providers.workload.objects import Item

LATER = "many deletions ended at once, and whether this one did is looked at in a later pass"

Named = list[tuple[DeploymentRef, Read[Item]]]


def observe_live(
    client: KubeClient, view: View, refs: Sequence[DeploymentRef], *, deadline: Deadline
) -> Mapping[str, Observation]:
    """Return what stands on the cluster, by the id of the deployment."""
    observed = observe_each(
        view,
        refs,
        causes_of=partial(read_causes, client, deadline=deadline),
        obstacles_of=partial(read_obstacles, client, view.carrier, deadline=deadline),
    )
    ended = [ref for ref in refs if observed[ref.id].status.closed and ref.workload_uid]
    missed = [ref for ref in refs if is_missed(observed[ref.id].status) and ref.workload_uid]
    named = _read_by_name(client, view, [*ended, *missed][:MOST_AT_ONCE], deadline)
    found = [(ref, item) for ref, read in named for item in read.items]
    troubled = [(ref, read.trouble) for ref, read in named if read.trouble and not read.items]
    unseen = [(ref, why) for ref, why in troubled if observed[ref.id].status.closed]
    unseen += [(ref, LATER) for ref in ended[MOST_AT_ONCE:]]
    return {**observed, **_observe_again(view, found), **_observe_unseen(view, unseen)}


def is_missed(status: Status) -> bool:
    """Tell whether a workload that was there is found no longer, though nobody asked for that."""
    return status.reason == "RemovedOutside"


def _read_by_name(
    client: KubeClient, view: View, refs: Sequence[DeploymentRef], deadline: Deadline
) -> Named:
    """Return the workload of each, nothing where it is gone, or why it was not read."""
    calls = [partial(_read_workload, client, view, ref, deadline) for ref in refs]
    return list(zip(refs, run_all(client.threads, calls), strict=True))


def _read_workload(
    client: KubeClient, view: View, ref: DeploymentRef, deadline: Deadline
) -> Read[Item]:
    kind = view.carrier.workload
    name, space = ref.runtime_name, ref.namespace
    try:
        read = read_one(client, kind.resource, kind.struct, name, space, deadline=deadline)
    except ProviderError as error:
        return Read(forbidden=error.message)
    return replace(read, items=tuple(one for one in read.items if one.uid == ref.workload_uid))


def _observe_again(
    view: View, found: Sequence[tuple[DeploymentRef, Item]]
) -> Mapping[str, Observation]:
    if not found:
        return {}
    named = {(ref.namespace, ref.runtime_name): item for ref, item in found}
    workloads = {**view.objects.workloads, **named}
    seen = replace(view, objects=replace(view.objects, workloads=workloads))
    return observe_each(seen, [ref for ref, _ in found])


def _observe_unseen(
    view: View, unseen: Sequence[tuple[DeploymentRef, str]]
) -> Mapping[str, Observation]:
    """Tell of those whose workload may be there that it cannot be seen, and why."""
    refs_by_reason: dict[str, list[DeploymentRef]] = {}
    for ref, why in unseen:
        refs_by_reason.setdefault(why, []).append(ref)
    observed: dict[str, Observation] = {}
    for why, refs in refs_by_reason.items():
        forbidden = {**view.forbidden, view.carrier.workload.resource.kind: why}
        observed |= observe_each(replace(view, forbidden=forbidden), refs)
    return observed
