"""Times of PostgreSQL: every text that it writes for one is read as that very time, in UTC."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st
from psycopg import DataError
from psycopg.postgres import types

from console.postgres import IsoLoader

_OID = types["timestamptz"].oid
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# As far as the calendar goes, less a little, so that no zone leads out of it.
_DISTANCES = st.timedeltas(timedelta(days=-700_000), timedelta(days=2_900_000))
_MOMENTS = _DISTANCES.map(_EPOCH.__add__)


def _written(at: datetime) -> bytes:
    """Return a time as PostgreSQL writes it: a short zone, and no zeros at a fraction's end."""
    text, zone = at.isoformat(" ")[:-6], at.isoformat()[-6:].removesuffix(":00")
    return ((text.rstrip("0") if "." in text else text) + zone).encode()


@given(at=_MOMENTS, hours=st.integers(-12, 14))
def test_a_time_is_read_as_it_was_whatever_zone_it_is_written_in(at: datetime, hours: int) -> None:
    zone = timezone(timedelta(hours=hours))
    read = IsoLoader(_OID).load(_written(at.astimezone(zone)))
    assert (read, read.tzinfo) == (at, UTC)


@pytest.mark.parametrize("text", [b"infinity", b"0044-03-15 00:00:00+00 BC"])
def test_a_time_that_python_has_not_is_psycopgs_error(text: bytes) -> None:
    with pytest.raises(DataError):
        IsoLoader(_OID).load(text)


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "postgresql", reason="asks PostgreSQL itself")
def test_a_connection_reads_times_so() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT '2026-11-30 18:55:47.12+02'::timestamptz")
        assert cursor.fetchone() == (datetime(2026, 11, 30, 16, 55, 47, 120000, tzinfo=UTC),)
        loaders = cursor.connection.adapters
        assert loaders.get_loader(_OID, cursor.format) is IsoLoader
