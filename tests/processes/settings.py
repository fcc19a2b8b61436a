"""The console's settings for processes that tests start: watched, and with a hasty clock."""

from console.settings import *  # noqa: F403 - settings that differ in a few values
from console.settings import CELERY_BEAT_SCHEDULE as _SCHEDULE
from console.settings import INSTALLED_APPS as _APPS
from console.settings import STORAGES as _STORAGES

INSTALLED_APPS = [*_APPS, "tests.processes.killing"]
CELERY_BEAT_SCHEDULE = {
    name: {**entry, "schedule": 1.0, "options": {"expires": 10}}
    for name, entry in _SCHEDULE.items()
}
STORAGES = _STORAGES | {
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
}
