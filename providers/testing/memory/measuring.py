"""The load of an in-memory deployment: every ready replica uses and tells the same."""

from providers.contract.observing import EngineReading, Metrics, PodUse
from providers.contract.request import DeploymentRef
from providers.contract.template import Engine
from providers.engines.metrics import MetricNames, metric_names
from providers.testing.memory.cluster import MemoryCluster
from providers.testing.memory.looking import resources_of

USUAL = {
    "running": 2.0,
    "waiting": 1.0,
    "cache_usage": 0.25,
    "prompt_tokens": 3000.0,
    "generation_tokens": 1000.0,
    "ttft_sum": 5.0,
    "ttft_count": 10.0,
}


def metrics_of(cluster: MemoryCluster, ref: DeploymentRef, engine: Engine) -> Metrics:
    """Return one reading, or the one that a test has set."""
    if ref.runtime_name in cluster.measured:
        return cluster.measured[ref.runtime_name]
    replicas = [item for item in resources_of(cluster, ref).objects if item.containers]
    ready = [item.key.name for item in replicas if item.containers[0].ready]
    is_known = metric_names(engine) != MetricNames()
    trouble = "" if is_known and ready else "there is no engine to ask"
    return Metrics(
        at=cluster.now(),
        use=tuple(
            PodUse(pod=item.key.name, cpu_cores=0.5, memory_bytes=2 * 1024**3) for item in replicas
        ),
        engine=() if trouble else tuple(EngineReading(pod=name, values=USUAL) for name in ready),
        engine_trouble=trouble,
    )
