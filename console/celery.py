"""The queue's application: workers and beat start from here; tasks live in `deployments.tasks`."""

import logging.config
import os
import warnings
from pathlib import Path
from typing import Any

from celery import Celery
from celery.exceptions import SecurityWarning
from celery.signals import setup_logging, worker_init, worker_process_init
from celery.utils.log import get_multiprocessing_logger

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")

from console.alive import TellsAlive
from console.collector import settle
from console.task_context import carry_request_ids
from deployments.queue import register, sweep

# It warns of root because of pickled messages; ours are JSON, and nothing else is accepted.
warnings.filterwarnings("ignore", category=SecurityWarning)
register()
app = Celery("slipway")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
carry_request_ids()
app.steps["worker"].add(TellsAlive)


@setup_logging.connect  # type: ignore[untyped-decorator]  # celery ships no types
def log_as_the_console_does(loglevel: int | str, **_kwargs: Any) -> None:
    """Write lines as the pages do; `--loglevel` is only for what Celery says about itself."""
    from django.conf import settings  # not before its variable is set

    logging.config.dictConfig(settings.LOGGING)
    pool = get_multiprocessing_logger()
    pool.propagate = True  # else what it says of its processes is plain text, without a level
    for logger in (logging.getLogger("celery"), pool):
        logger.setLevel(loglevel)


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
