"""What each inference engine wants, by version: command, arguments, environment, probes, metrics.

Pure, and the only place that knows an engine's flags. It must not know Kubernetes objects, records,
networks or clocks.
"""

from providers.engines.launch import EnvVar, Finding, Launch, Probe, Weight
from providers.engines.metrics import DEFAULT_PORTS, MetricNames, metric_names, metrics_path
from providers.engines.rendering import render_launch
from providers.engines.review import review_spec

__all__ = [
    "DEFAULT_PORTS",
    "EnvVar",
    "Finding",
    "Launch",
    "MetricNames",
    "Probe",
    "Weight",
    "metric_names",
    "metrics_path",
    "render_launch",
    "review_spec",
]
