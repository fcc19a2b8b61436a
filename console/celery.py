"""The queue's application: workers and beat start from here; tasks live in `deployments.tasks`."""

import os
import warnings
from pathlib import Path
from typing import Any

from celery import Celery
from celery.exceptions import SecurityWarning
from celery.signals import worker_init, worker_process_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")

from console.collector import settle
from deployments.queue import register, sweep

# It warns of root because of pickled messages; ours are JSON, and nothing else is accepted.
warnings.filterwarnings("ignore", category=SecurityWarning)
register()
app = Celery("slipway")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_init.connect  # type: ignore[untyped-decorator]  # celery ships no types
def prepare_worker(**_kwargs: Any) -> None:
    """Settle, and forget what an earlier run left in the queue's folder, where it is one."""
    from console.metrics.working import measure_worker  # the settings name its folder

    settle()
    measure_worker()
    folder = app.conf.broker_transport_options.get("data_folder_in")
    if folder:
        sweep(Path(folder))


@worker_process_init.connect  # type: ignore[untyped-decorator]  # celery ships no types
def prepare_pool_process(**_kwargs: Any) -> None:
    """Measure a process that the worker forks for its tasks."""
    from console.metrics.working import measure_pool_process  # as above

    measure_pool_process()
