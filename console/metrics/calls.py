"""Calls to clusters: how long they take and how they fail, by cluster and verb, in all processes.

Measured where the core calls a provider, so that a verb is what a person waits for, whatever it
takes underneath. The labels are bounded: clusters by the rows, verbs and errors by the contract.
"""

from prometheus_client import Counter, Histogram

from console.metrics.processes import PROCESS_REGISTRY
from deployments.signals import ClusterCall, cluster_called

# Seconds; a launch has 4.5, a pass 30.
BUCKETS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)

DURATIONS = Histogram(
    "slipway_cluster_call_duration_seconds",
    "How long calls to a cluster took, failed ones too.",
    ["cluster", "verb"],
    buckets=BUCKETS,
    registry=PROCESS_REGISTRY,
)
ERRORS = Counter(
    "slipway_cluster_call_errors",
    "Calls to a cluster that failed, by what kind of failure it was.",
    ["cluster", "verb", "error"],
    registry=PROCESS_REGISTRY,
)


def measure_calls() -> None:
    """Measure every call that this process makes from now on.

    For processes that stay: the files of one that makes a single pass would only pile up.
    """
    cluster_called.connect(_measure, dispatch_uid="console.metrics")


def _measure(*, call: ClusterCall, **_sent: object) -> None:
    DURATIONS.labels(call.cluster, call.verb).observe(call.seconds)
    if call.error:
        ERRORS.labels(call.cluster, call.verb, call.error).inc()
