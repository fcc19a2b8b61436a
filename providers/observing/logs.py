"""The log that a reader most likely wants of a deployment's pods, or the one that they name.

Pods are those that bear the deployment's id: another one does not exist here, whoever asks. A
provider says which of them are of the current revision.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from providers.contract.errors import Rejected
from providers.contract.observing import Log, LogQuery, LogSource
from providers.contract.protocols import Deadline
from providers.contract.request import DeploymentRef
from providers.contract.target import ClusterTarget
from providers.kube.client import KubeClient, client_for
from providers.kube.lists import Read, Selection, read_list
from providers.kube.resources import PODS, Resource
from providers.observing.log_reading import LogAddress, RawLog, read_raw
from providers.observing.reading import read_side_by_side
from providers.workload.bundle import Mark
from providers.workload.labels import LABEL_ID
from providers.workload.log_lines import lines_of
from providers.workload.log_sources import absent_log, chosen_of, news_of, sources_of
from providers.workload.objects import Item, Pod

Items = Mapping[Resource, Sequence[Any]]
Marker = Callable[[Items, Sequence[Pod]], Mark | None]


@dataclass(frozen=True, kw_only=True, slots=True)
class Revisions:
    """How a provider tells current pods: by objects of some kinds, read by label, and a mark."""

    kinds: tuple[tuple[Resource, type[Item]], ...]
    mark: Marker


def read_logs(
    ref: DeploymentRef,
    target: ClusterTarget,
    query: LogQuery,
    *,
    revisions: Revisions,
    deadline: Deadline,
) -> Log:
    """Return the end of one container's log; raises as a read of a list does."""
    client = client_for(target, deadline=deadline)
    sources = _sources(client, ref, target, revisions, deadline)
    chosen = chosen_of(sources, query)
    if chosen is None:
        return absent_log(sources, query)
    address = LogAddress(
        namespace=ref.namespace,
        pod=chosen.pod,
        container=chosen.container,
        previous=query.previous,
        # One more than wanted tells whether there were more.
        tail_lines=query.tail_lines + 1,
        limit_bytes=query.limit_bytes,
        since=query.since,
    )
    return _log(read_raw(client, address, deadline=deadline), chosen, query, sources)


def _sources(
    client: KubeClient,
    ref: DeploymentRef,
    target: ClusterTarget,
    revisions: Revisions,
    deadline: Deadline,
) -> tuple[LogSource, ...]:
    chosen = Selection(namespace=ref.namespace, labels=f"{LABEL_ID}={ref.id}")
    kinds: tuple[tuple[Resource, type[Item]], ...] = ((PODS, Pod), *revisions.kinds)
    calls: list[partial[Read[Any]]] = [
        partial(read_list, client, kind, struct, chosen, deadline=deadline)
        for kind, struct in kinds
    ]
    pods, *above = read_side_by_side(client, target, calls, deadline=deadline)
    if pods.forbidden:
        raise Rejected(f"pods cannot be read: {pods.forbidden}", code="Forbidden")
    items = {kind: read.items for (kind, _), read in zip(revisions.kinds, above, strict=True)}
    return sources_of(pods.items, revisions.mark(items, pods.items))


def _log(raw: RawLog, chosen: LogSource, query: LogQuery, sources: tuple[LogSource, ...]) -> Log:
    lines = tuple(lines_of(raw.body))
    is_cut = raw.cut or len(lines) > query.tail_lines
    return Log(
        pod=chosen.pod,
        container=chosen.container,
        previous=query.previous,
        lines=tuple(news_of(lines[-query.tail_lines :], query)),
        note=raw.note,
        cut=is_cut,
        sources=sources,
    )
