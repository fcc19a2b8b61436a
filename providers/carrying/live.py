"""Verdicts of what was just read, with what only a doubtful one calls for: logs, obstacles, an end.

A deletion is over when nothing that bears our labels is left, unless the workload lost them: so it
is looked for by its name and its uid before anybody is told that all is gone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from providers.carrying.seeing import View, observe_each
from providers.carrying.taking import MOST_AT_ONCE, read_obstacles
from providers.contract.errors import ProviderError
from providers.contract.protocols import Deadline, Observation
from providers.contract.request import DeploymentRef
from providers.kube.bounded import run_all
from providers.kube.client import KubeClient
from providers.kube.lists import read_one
from providers.observing.log_causes import read_causes
from providers.workload.objects import Item


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
    calls = [partial(_unlabelled, client, view, ref, deadline) for ref in ended[:MOST_AT_ONCE]]
    pairs = zip(ended, run_all(client.threads, calls), strict=False)
    found = [(ref, item) for ref, item in pairs if item is not None]
    return {**observed, **_observe_again(view, found)}


def _unlabelled(
    client: KubeClient, view: View, ref: DeploymentRef, deadline: Deadline
) -> Item | None:
    """Return the workload of a deployment, None where it is gone or cannot be read."""
    kind = view.carrier.workload
    name, space = ref.runtime_name, ref.namespace
    try:
        read = read_one(client, kind.resource, kind.struct, name, space, deadline=deadline)
    except ProviderError:
        return None
    return next((item for item in read.items if item.uid == ref.workload_uid), None)


def _observe_again(
    view: View, found: Sequence[tuple[DeploymentRef, Item]]
) -> Mapping[str, Observation]:
    if not found:
        return {}
    named = {(ref.namespace, ref.runtime_name): item for ref, item in found}
    workloads = {**view.objects.workloads, **named}
    seen = replace(view, objects=replace(view.objects, workloads=workloads))
    return observe_each(seen, [ref for ref, _ in found])
