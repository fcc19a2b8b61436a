"""One reading pod by pod: what a pod uses beside what its engine tells."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from providers.contract.observing import Metrics


@dataclass(frozen=True, kw_only=True, slots=True)
class MeasuredPod:
    """One pod; `values` are its engine's own, `trouble` says why that told nothing."""

    pod: str
    cpu_cores: float | None = None
    memory_bytes: int | None = None
    values: Mapping[str, float] = field(default_factory=dict)
    trouble: str = ""


def pods_of(metrics: Metrics) -> tuple[MeasuredPod, ...]:
    """Return every pod that either source knows, by name."""
    use = {one.pod: one for one in metrics.use}
    engines = {one.pod: one for one in metrics.engine}
    found = []
    for pod in sorted(use.keys() | engines.keys()):
        used, told = use.get(pod), engines.get(pod)
        found.append(
            MeasuredPod(
                pod=pod,
                cpu_cores=used.cpu_cores if used else None,
                memory_bytes=used.memory_bytes if used else None,
                values=told.values if told else {},
                trouble=told.trouble if told else "",
            )
        )
    return tuple(found)
