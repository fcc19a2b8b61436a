"""Begins to measure a process that stays: pages or background work."""

import os
from pathlib import Path

from django.conf import settings

from console.metrics.calls import measure_calls
from console.metrics.folder import CLIENTS_VARIABLE
from console.metrics.processes import enrol
from console.metrics.serving import serve_metrics

WEB, WORKER = "web", "worker"


def measure_web() -> None:
    """Count this process that answers pages, and its calls."""
    enrol(WEB, settings.METRICS_FOLDER)
    measure_calls()


def measure_worker() -> None:
    """Count this worker and its calls, and serve them where a port is set.

    A worker that is scraped by itself keeps its metrics apart: else whoever scrapes pages and
    worker of one machine would count each call twice.
    """
    if settings.WORKER_METRICS_PORT is not None:
        apart = settings.METRICS_FOLDER / WORKER
        apart.mkdir(mode=0o700, exist_ok=True)
        os.environ[CLIENTS_VARIABLE] = str(apart)
        serve_metrics(settings.WORKER_METRICS_PORT, apart)
    measure_pool_process()
    measure_calls()


def measure_pool_process() -> None:
    """Count one more process of a worker, which was forked from it."""
    enrol(WORKER, Path(os.environ[CLIENTS_VARIABLE]))
