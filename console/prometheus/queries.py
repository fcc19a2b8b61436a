"""PromQL of a deployment's figures: one query for all of them, each series marked by its name.

Pods are told by the labels `namespace` and `pod`, as Prometheus' operator writes them.
"""

import re
from collections.abc import Sequence

from deployments.measuring.figures import Figure
from providers.engines.metrics import MetricNames

MARK = "figure"
# Kubernetes cuts what it generates names from at this length.
_LONGEST_STEM = 58
_COUNTERS = {"generation_tokens", "prompt_tokens"}


def query_of(
    figures: Sequence[Figure],
    names: MetricNames,
    *,
    namespace: str,
    runtime_name: str,
    seconds: int,
) -> str:
    """Return one query for all figures, marked by the label MARK; rates are over these seconds."""
    stem = re.escape(f"{runtime_name}-"[:_LONGEST_STEM])
    pods = f"namespace={quoted(namespace)},pod=~{quoted(f'{stem}.*')}"
    marked = (
        f'label_replace({_of(one, names, pods, seconds)},"{MARK}",{quoted(one.name)},"","")'
        for one in figures
    )
    return " or ".join(marked)


def quoted(text: str) -> str:
    """Return a text as PromQL writes strings."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _of(figure: Figure, names: MetricNames, pods: str, seconds: int) -> str:
    if not figure.source:
        return _of_containers(figure.name, pods, seconds)
    name = getattr(names, figure.source)
    if figure.source == "ttft":
        return f"{_rate(f'{name}_sum', pods, seconds)}/{_rate(f'{name}_count', pods, seconds)}"
    if figure.source in _COUNTERS:
        return _rate(name, pods, seconds)
    if figure.source == "cache_usage":
        return f"max({name}{{{pods}}})"
    # Ranks that work on the same requests tell the same: they count once.
    return f"sum(max without(tp_rank,pp_rank)({name}{{{pods}}}))"


def _of_containers(name: str, pods: str, seconds: int) -> str:
    """Return what the kubelets tell of containers; those without a name are sums of the others."""
    chosen = f'{pods},container!=""'
    if name == "cpu_cores":
        return _rate("container_cpu_usage_seconds_total", chosen, seconds)
    return f"sum(container_memory_working_set_bytes{{{chosen}}})"


def _rate(name: str, pods: str, seconds: int) -> str:
    return f"sum(rate({name}{{{pods}}}[{seconds}s]))"
