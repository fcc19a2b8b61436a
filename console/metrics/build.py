"""Which console this is, by version."""

import platform
from collections.abc import Iterable

import django
from prometheus_client import Metric
from prometheus_client.metrics_core import InfoMetricFamily
from prometheus_client.registry import Collector

from console.version import VERSION


class BuildCollector(Collector):
    """One series that is always 1 and carries the versions."""

    def collect(self) -> Iterable[Metric]:
        """Yield the versions of the console and of what it stands on."""
        versions = {
            "version": VERSION,
            "python": platform.python_version(),
            "django": django.get_version(),
        }
        yield InfoMetricFamily("slipway_build", "The versions of the console.", value=versions)
