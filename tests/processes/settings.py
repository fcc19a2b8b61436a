"""The console's settings for processes that tests start: watched, and without collected files."""

from console.settings import *  # noqa: F403 - settings that differ in a few values
from console.settings import INSTALLED_APPS as _APPS
from console.settings import STORAGES as _STORAGES

INSTALLED_APPS = [*_APPS, "tests.processes.killing"]
STORAGES = _STORAGES | {
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
}
# As in the tests themselves, which make the people.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
