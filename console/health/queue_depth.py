"""How many messages wait: files where the queue is a folder, else what Redis says."""

from contextlib import closing
from pathlib import Path

from django.conf import settings
from redis import Redis, RedisError
from redis.backoff import NoBackoff
from redis.retry import Retry

from deployments.queue import count_waiting, require_room

# Seconds for the connection and for the answer; asked once.
REDIS_SECONDS = 1.0


class QueueSilent(RuntimeError):
    """The queue does not say how many messages wait, or takes none."""


def queue_depth() -> int:
    """Return how many messages nobody has taken yet; raises QueueSilent."""
    try:
        return _length_in_redis() if settings.REDIS_URL else _files()
    except (OSError, RedisError) as error:
        raise QueueSilent from error


def _files() -> int:
    folder = Path(settings.CELERY_BROKER_TRANSPORT_OPTIONS["data_folder_in"])
    depth = count_waiting(folder, settings.CELERY_TASK_DEFAULT_QUEUE)
    require_room(folder)
    return depth


def _length_in_redis() -> int:
    with closing(
        Redis.from_url(
            settings.REDIS_URL,
            socket_connect_timeout=REDIS_SECONDS,
            socket_timeout=REDIS_SECONDS,
            retry=Retry(NoBackoff(), 0),
        )
    ) as redis:
        return int(redis.llen(settings.CELERY_TASK_DEFAULT_QUEUE))
