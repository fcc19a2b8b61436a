"""What the replicas of an in-memory deployment printed: a start, unless a test has it otherwise."""

from providers.contract.observing import Log, LogLine, LogQuery, LogSource
from providers.contract.request import DeploymentRef
from providers.testing.memory.cluster import MemoryCluster
from providers.testing.memory.looking import resources_of
from providers.workload.log_sources import absent_log, chosen_of, news_of

USUAL = ("INFO Starting engine", "INFO Application startup complete.")


def log_of(cluster: MemoryCluster, ref: DeploymentRef, query: LogQuery) -> Log:
    """Return the end of what one replica printed."""
    sources = _sources(cluster, ref)
    chosen = chosen_of(sources, query)
    if chosen is None:
        return absent_log(sources, query)
    note = cluster.unprinted.get(chosen.pod, "")
    if query.previous:
        note = f"container {chosen.container} has run only once, so there is no previous log"
    lines = [] if note else _printed(cluster, chosen.pod)
    return Log(
        pod=chosen.pod,
        container=chosen.container,
        previous=query.previous,
        lines=tuple(news_of(lines[-query.tail_lines :], query)),
        note=note,
        cut=len(lines) > query.tail_lines,
        sources=sources,
    )


def _sources(cluster: MemoryCluster, ref: DeploymentRef) -> tuple[LogSource, ...]:
    return tuple(
        LogSource(
            pod=item.key.name,
            container=container.name,
            is_failing=not container.ready,
            has_started=item.key.name not in cluster.unprinted,
        )
        for item in resources_of(cluster, ref).objects
        for container in item.containers
    )


def _printed(cluster: MemoryCluster, replica: str) -> list[LogLine]:
    usual = [LogLine(at=cluster.now(), text=text) for text in USUAL]
    return cluster.printed.setdefault(replica, usual)
