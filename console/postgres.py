"""Reads PostgreSQL's times quicker: of a page of a list they are a tenth of the work.

Django has psycopg read them piece by piece in Python; the standard library's parser takes the same
text at once. Must not know what the times are of.
"""

from datetime import UTC, datetime
from typing import Any

from django.db.backends.signals import connection_created
from psycopg.abc import Buffer
from psycopg.types.datetime import TimestamptzLoader


class IsoLoader(TimestamptzLoader):
    """Times with a zone, in UTC; `timezone` is what Django compares with that of its connection."""

    timezone = UTC

    def load(self, data: Buffer) -> datetime:
        """Return the time of a text as ISO has it; any other is left to psycopg, errors as well."""
        try:
            return datetime.fromisoformat(str(data, "ascii")).astimezone(UTC)
        except ValueError:
            return super().load(data)


def read_times_quickly() -> None:
    """Have every connection to PostgreSQL that is opened from now on read times so."""
    connection_created.connect(_register, dispatch_uid="console.postgres")


def _register(connection: Any, **_: Any) -> None:
    if connection.vendor == "postgresql":
        connection.connection.adapters.register_loader("timestamptz", IsoLoader)
