"""Which logs a deployment's pods have, the one that a reader most likely wants first: pure.

And what a question about them means: which one was chosen, and what its reader has not got yet.
"""

from collections.abc import Iterable, Iterator, Sequence

from providers.contract.observing import Log, LogLine, LogQuery, LogSource
from providers.workload.bundle import Mark
from providers.workload.objects import ContainerStatus, Pod, present

_UNKNOWN = ContainerStatus()


def sources_of(pods: Iterable[Pod], mark: Mark | None) -> tuple[LogSource, ...]:
    """Return every container of every pod.

    Current pods come before those of older revisions, of these the failing before the well, and the
    newest before older ones. In a pod what fails comes first, then what has run, then the rest,
    init containers last.
    """
    ranked = sorted(pods, key=lambda pod: pod.name)
    ranked.sort(key=lambda pod: pod.meta.creation_timestamp or "", reverse=True)
    ranked.sort(key=lambda pod: (not _is_current(pod, mark), pod.is_terminating, not _fails(pod)))
    return tuple(source for pod in ranked for source in _sources(pod, mark))


def _is_current(pod: Pod, mark: Mark | None) -> bool:
    return mark is None or mark.is_on(pod)


def _fails(pod: Pod) -> bool:
    return any(source.is_failing for source in _sources(pod, None))


def _sources(pod: Pod, mark: Mark | None) -> Sequence[LogSource]:
    current = _is_current(pod, mark)
    found = [*_containers(pod, current, is_init=False), *_containers(pod, current, is_init=True)]
    return sorted(found, key=lambda one: (not one.is_failing, not one.has_started, one.is_init))


def _containers(pod: Pod, current: bool, *, is_init: bool) -> Iterator[LogSource]:  # noqa: FBT001 - of the pod
    wanted = pod.wanted.init_containers if is_init else pod.wanted.containers
    told = pod.seen.init_container_statuses if is_init else pod.seen.container_statuses
    statuses = {status.name: status for status in present(told)}
    names = [item.name for item in present(wanted)] or list(statuses)
    for name in names:
        status = statuses.get(name, _UNKNOWN)
        yield LogSource(
            pod=pod.name,
            container=name or "",
            is_init=is_init,
            current=current,
            is_failing=_is_failing(status),
            has_started=_has_started(status),
            has_previous=status.before.terminated is not None,
        )


def _has_started(status: ContainerStatus) -> bool:
    return bool(status.now.running or status.now.terminated or status.before.terminated)


def _is_failing(status: ContainerStatus) -> bool:
    """Tell whether it ended with an error, now or before a run that is not ready yet."""
    if status.ready:
        return False
    ended = status.now.terminated or status.before.terminated
    return ended is not None and bool(ended.exit_code or ended.signal)


def chosen_of(sources: Iterable[LogSource], query: LogQuery) -> LogSource | None:
    """Return the log that a question means, None where there is no such pod or container."""
    for source in sources:
        if query.pod in {"", source.pod} and query.container in {"", source.container}:
            return source
    return None


def absent_log(sources: tuple[LogSource, ...], query: LogQuery) -> Log:
    """Return the answer where there is nothing to choose: why, and what there is instead."""
    pods = {source.pod for source in sources}
    is_named = bool(query.pod or (query.container and sources))
    if query.pod and query.pod not in pods:
        note = f"this deployment has no pod {query.pod}, or has it no longer"
    elif is_named:
        note = f"there is no container {query.container} in its pods"
    else:
        note = "there is no pod yet, so there is no log"
    return Log(
        pod=query.pod,
        container=query.container,
        previous=query.previous,
        note=note,
        is_absent=is_named,
        sources=sources,
    )


def news_of(lines: Iterable[LogLine], query: LogQuery) -> Iterator[LogLine]:
    """Yield what a reader has not got: the API server counts `since` in whole seconds."""
    known = query.known
    for line in lines:
        if query.since is None or (line.at is not None and line.at > query.since):
            yield line
        elif line.at == query.since:
            known -= 1
            if known < 0:
                yield line
