"""What the pods of a deployment use and what their engines tell, as of now.

Two sources, each of which may be missing: metrics.k8s.io and the engines' own pages. What the one
lacks hides nothing of the other.
"""

import time
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any

from providers.contract.observing import EngineReading, Metrics, PodUse
from providers.contract.protocols import Deadline
from providers.contract.request import DeploymentRef
from providers.contract.target import ClusterTarget
from providers.contract.template import Engine
from providers.engines.metrics import MetricNames, metric_names, metrics_path
from providers.kube.client import KubeClient, client_for
from providers.kube.lists import Read, Selection, read_list
from providers.kube.resources import POD_METRICS, PODS
from providers.observing.engine_pages import ProxyForbidden, read_engines
from providers.observing.reading import read_side_by_side
from providers.workload.labels import LABEL_ID
from providers.workload.objects.use import ListeningPod, PodMetrics

# Seconds: a metrics server that hangs must leave time for the engines.
USE_SECONDS = 1.2


def read_metrics(
    ref: DeploymentRef, target: ClusterTarget, engine: Engine, *, deadline: Deadline
) -> Metrics:
    """Return one reading; raises as a read of pods does when nothing at all can be read."""
    client = client_for(target, deadline=deadline)
    chosen = Selection(namespace=ref.namespace, labels=f"{LABEL_ID}={ref.id}")
    soon = Deadline(at=min(deadline.at, time.monotonic() + USE_SECONDS))
    calls: list[partial[Read[Any]]] = [
        partial(read_list, client, PODS, ListeningPod, chosen, deadline=deadline),
        partial(read_list, client, POD_METRICS, PodMetrics, chosen, deadline=soon),
    ]
    pods, use = read_side_by_side(client, target, calls, deadline=deadline)
    told, trouble = _engines(client, pods, engine, deadline)
    return Metrics(
        # Our own clock: rates need it finer than the whole seconds of the API server's.
        at=datetime.now(UTC),
        use=_use(use.items),
        use_trouble=_use_trouble(use, ref),
        engine=told,
        engine_trouble=trouble,
    )


def _use(items: Sequence[PodMetrics]) -> tuple[PodUse, ...]:
    return tuple(
        PodUse(
            pod=item.name,
            cpu_cores=float(item.total("cpu")),
            memory_bytes=int(item.total("memory")),
        )
        for item in sorted(items, key=lambda one: str(one.name))
    )


def _use_trouble(use: Read[PodMetrics], ref: DeploymentRef) -> str:
    if use.missing:
        return "this cluster has no metrics server, which would tell what pods use"
    if use.forbidden and "forbidden" in use.forbidden:
        return (
            "the console may not read what pods use; it needs the right to list pods of "
            f"metrics.k8s.io in namespace {ref.namespace}"
        )
    return use.trouble


def _engines(
    client: KubeClient, pods: Read[ListeningPod], engine: Engine, deadline: Deadline
) -> tuple[tuple[EngineReading, ...], str]:
    if metric_names(engine) == MetricNames() or not metrics_path(engine):
        return (), (
            "of a custom engine nobody knows what its figures are called, "
            "so only what its pods use is shown"
        )
    ready = sorted((pod for pod in pods.items if pod.is_ready), key=lambda pod: str(pod.name))
    if not ready:
        return (), pods.trouble or "no pod is ready, so there is no engine to ask"
    try:
        told = read_engines(client, ready, engine, deadline=deadline)
    except ProxyForbidden as error:
        return (), error.message
    if len(told) < len(ready):
        return told, f"only {len(told)} of {len(ready)} pods were asked"
    return told, pods.trouble
