"""Makes effects known wherever they leave the process, so that a new one counts by itself.

At the last door before the outside: the database connection, the HTTP connection, the queue's
producer. The console's own code has no hook for it.
"""

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from kombu.messaging import Producer
from urllib3.connection import HTTPConnection

from tests.processes.killing.effects import Side, current, effect

READING_METHODS = {"GET", "HEAD", "OPTIONS"}
WRITING_WORDS = {"INSERT", "UPDATE", "DELETE", "REPLACE"}


def watch() -> None:
    """Install everything; once per process."""
    connection_created.connect(_watch_statements, dispatch_uid=__name__)
    _wrap(BaseDatabaseWrapper, "_commit", _commit)
    _wrap(BaseDatabaseWrapper, "_rollback", _rollback)
    _wrap(HTTPConnection, "request", _request)
    _wrap(HTTPConnection, "getresponse", _getresponse)
    _wrap(Producer, "publish", _publish)


def _wrap(owner: type, name: str, around: Callable[..., Any]) -> None:
    plain = getattr(owner, name)

    def wrapped(self: Any, *args: Any, **kwargs: Any) -> Any:
        return around(plain, self, *args, **kwargs)

    setattr(owner, name, wrapped)


def _watch_statements(connection: BaseDatabaseWrapper, **_kwargs: Any) -> None:
    connection.execute_wrappers.append(_statement)


def _statement(execute: Callable[..., Any], sql: str, *given: Any) -> Any:
    """Count a writing statement as its own commit, unless a transaction's commit will do it."""
    connection = given[-1]["connection"]
    word = sql.lstrip("( ").partition(" ")[0].upper()
    if word not in WRITING_WORDS:
        return execute(sql, *given)
    if connection.in_atomic_block:
        _written_in(connection).append(f"{word} {_table(sql)}")
        return execute(sql, *given)
    with effect(f"commit of {word} {_table(sql)}"):
        return execute(sql, *given)


def _commit(plain: Callable[..., Any], connection: Any) -> Any:
    written = _written_in(connection)
    if not written:
        return plain(connection)
    what = ", ".join(dict.fromkeys(written))
    written.clear()
    with effect(f"commit of {what}"):
        return plain(connection)


def _rollback(plain: Callable[..., Any], connection: Any) -> Any:
    _written_in(connection).clear()
    return plain(connection)


def _written_in(connection: Any) -> list[str]:
    """Return what the transaction has written so far; a list of the connection's own."""
    written: list[str] = connection.__dict__.setdefault("slipway_written", [])
    return written


def _request(
    plain: Callable[..., Any], connection: Any, method: str, url: str, *args: Any, **kwargs: Any
) -> Any:
    """Begin the effect of a request that changes something; a rehearsal does not."""
    parts, count = urlsplit(url), current()
    dry = "dryRun" in parse_qs(parts.query)
    connection.slipway_effect = None
    if count and method not in READING_METHODS and not dry:
        what = f"{method} {parts.path[parts.path.find('/api') :]}"
        connection.slipway_effect = (count, count.begin(what), what)
    return plain(connection, method, url, *args, **kwargs)


def _getresponse(plain: Callable[..., Any], connection: Any, *args: Any, **kwargs: Any) -> Any:
    begun = getattr(connection, "slipway_effect", None)
    if begun is None:
        return plain(connection, *args, **kwargs)
    count, number, what = begun
    count.reach(number, Side.SENT, what)
    response = plain(connection, *args, **kwargs)
    count.reach(number, Side.AFTER, what)
    return response


def _publish(plain: Callable[..., Any], producer: Any, *args: Any, **kwargs: Any) -> Any:
    with effect("message"):
        return plain(producer, *args, **kwargs)


def _table(sql: str) -> str:
    return next((part.strip('"') for part in sql.split() if part.startswith('"')), "")
