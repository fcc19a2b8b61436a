"""From two readings to figures: sums of what stands now, rates of what has been counted between."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime

from deployments.measuring.figures import Figures
from providers.contract.observing import EngineReading, Metrics

# Seconds between two readings: below it a rate is noise, above it no longer that of now.
SHORTEST, LONGEST = 1.0, 120.0

_RATES = {
    "generation_tokens_per_second": "generation_tokens",
    "prompt_tokens_per_second": "prompt_tokens",
}


def derive_figures(now: Metrics, before: Metrics | None) -> Figures:
    """Return the figures of a reading; what nothing told of is left out.

    A rate takes the pods that told both times: of one that has come since nobody knows when its
    counting began, one that has gone counts no more.
    """
    pods = {reading.pod: reading.values for reading in now.engine if reading.values}
    earlier = _recent(before, now.at)
    return dict(_standing(pods)) | dict(_counted(pods, earlier, now.at)) | dict(_used(now))


def _standing(pods: Mapping[str, Mapping[str, float]]) -> Iterator[tuple[str, float]]:
    together: Iterable[tuple[str, Callable[[Iterable[float]], float]]]
    together = (("running", sum), ("waiting", sum), ("cache_usage", max))
    for name, join in together:
        values = [values[name] for values in pods.values() if name in values]
        if values:
            yield name, float(join(values))


def _used(now: Metrics) -> Iterator[tuple[str, float]]:
    if now.use:
        yield "cpu_cores", sum(pod.cpu_cores for pod in now.use)
        yield "memory_bytes", float(sum(pod.memory_bytes for pod in now.use))


def _counted(
    pods: Mapping[str, Mapping[str, float]], before: Metrics | None, at: datetime
) -> Iterator[tuple[str, float]]:
    if before is None:
        return
    seconds = (at - before.at).total_seconds()
    for name, counter in _RATES.items():
        grown = _growth(pods, before.engine, counter)
        if grown is not None:
            yield name, grown / seconds
    waited = _growth(pods, before.engine, "ttft_sum")
    count = _growth(pods, before.engine, "ttft_count")
    if waited is not None and count:
        yield "time_to_first_token_seconds", waited / count


def _growth(
    pods: Mapping[str, Mapping[str, float]], before: Iterable[EngineReading], counter: str
) -> float | None:
    """Return how much a counter has grown in all pods, None where no pod told it both times."""
    told = [
        (pods[reading.pod][counter], reading.values[counter])
        for reading in before
        if counter in reading.values and counter in pods.get(reading.pod, {})
    ]
    return sum(_since(now, then) for now, then in told) if told else None


def _since(now: float, then: float) -> float:
    """Return the growth of a counter; a smaller one has begun anew, from nothing."""
    return now - then if now >= then else now


def _recent(before: Metrics | None, at: datetime) -> Metrics | None:
    if before is None or not SHORTEST <= (at - before.at).total_seconds() <= LONGEST:
        return None
    return before
