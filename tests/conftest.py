"""What all tests share: plain static files, a cache per process, quick hashes."""

from collections.abc import Iterator

import pytest
from django.conf import settings
from django.db import connections
from django.test import override_settings


def pytest_addoption(parser: pytest.Parser) -> None:
    # Here and not beside the golden files: pytest reads options before it looks into folders.
    parser.addoption("--update-golden", action="store_true", help="write the golden files anew")


@pytest.fixture(scope="session", autouse=True)
def _settings_for_tests() -> Iterator[None]:
    plain = "django.contrib.staticfiles.storage.StaticFilesStorage"
    with override_settings(
        STORAGES=settings.STORAGES | {"staticfiles": {"BACKEND": plain}},
        CACHES={"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}},
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
    ):
        yield


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Keep SQLite's test database in a file: in memory no thread would wait for another's write.

    On PostgreSQL each process has a database of its own; the fixture that is asked for names it.
    """
    database = connections["default"].settings_dict
    if database["ENGINE"].endswith("sqlite3"):
        database["TEST"]["NAME"] = str(tmp_path_factory.mktemp("database") / "test.sqlite3")
