"""Asks Prometheus for series over a span of time; whatever goes wrong is one sentence.

Every call ends in a bounded time and reads a bounded number of bytes.
"""

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import NoReturn
from urllib.parse import urlencode, urlsplit

import msgspec
import urllib3
from urllib3.exceptions import HTTPError

from console.prometheus.environment import TOKEN_FILE, URL, PrometheusEnvironment

CONNECT_SECONDS, ANSWER_SECONDS = 1.0, 4.0
MOST_BYTES = 2 * 1024 * 1024
_PIECE = 1 << 16
_LONGEST_TEXT = 300
_OK, _REFUSED = 200, {401, 403}

_pool = urllib3.PoolManager(num_pools=2, maxsize=8)


class PrometheusTrouble(Exception):
    """Why there are no series; the message is for people."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Window:
    """A span of time, with a point every `step` seconds."""

    start: datetime
    end: datetime
    step: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Series:
    """One series by its labels; what is no finite number is left out of its points."""

    labels: Mapping[str, str]
    points: tuple[tuple[datetime, float], ...]


class _Matrix(msgspec.Struct):
    metric: dict[str, str]
    values: list[tuple[float, str]]


class _Data(msgspec.Struct):
    result: list[_Matrix]


class _Answer(msgspec.Struct):
    status: str
    data: _Data | None = None
    error: str = ""


def query_range(
    prometheus: PrometheusEnvironment, query: str, window: Window
) -> tuple[Series, ...]:
    """Return the series that a query has over a window; raises PrometheusTrouble."""
    form = {
        "query": query,
        "start": f"{window.start.timestamp():.0f}",
        "end": f"{window.end.timestamp():.0f}",
        "step": str(window.step),
        "timeout": f"{ANSWER_SECONDS:.0f}s",
    }
    status, body = _post(prometheus, urlencode(form))
    answer = _read(prometheus, status, body)
    if status != _OK or answer.status != "success" or answer.data is None:
        raise PrometheusTrouble(f"Prometheus refuses the query: {answer.error[:_LONGEST_TEXT]}")
    return tuple(_series(matrix) for matrix in answer.data.result)


def _post(prometheus: PrometheusEnvironment, form: str) -> tuple[int, bytes]:
    began = time.monotonic()
    headers = {"Content-Type": "application/x-www-form-urlencoded", **_authorization(prometheus)}
    try:
        response = _pool.request(
            "POST",
            f"{prometheus.url}/api/v1/query_range",
            body=form,
            headers=headers,
            timeout=urllib3.Timeout(connect=CONNECT_SECONDS, read=ANSWER_SECONDS),
            retries=False,
            redirect=False,
            preload_content=False,
        )
        return response.status, _read_bounded(prometheus, response, began)
    except (HTTPError, OSError) as error:
        raise PrometheusTrouble(
            f"Prometheus at {_host(prometheus)} does not answer ({type(error).__name__})"
        ) from error


def _read_bounded(
    prometheus: PrometheusEnvironment, response: urllib3.BaseHTTPResponse, began: float
) -> bytes:
    pieces: list[bytes] = []
    size = 0
    while piece := response.read1(_PIECE):
        pieces.append(piece)
        size += len(piece)
        if size > MOST_BYTES or time.monotonic() - began > 2 * ANSWER_SECONDS:
            response.close()
            raise PrometheusTrouble(f"Prometheus at {_host(prometheus)} answers without an end")
    response.release_conn()
    return b"".join(pieces)


def _read(prometheus: PrometheusEnvironment, status: int, body: bytes) -> _Answer:
    if status in _REFUSED:
        _refuse_token(prometheus, status)
    try:
        return msgspec.json.decode(body, type=_Answer)
    except msgspec.DecodeError:
        raise PrometheusTrouble(
            f"what answers at {_host(prometheus)} is no Prometheus (status {status}); correct {URL}"
        ) from None


def _refuse_token(prometheus: PrometheusEnvironment, status: int) -> NoReturn:
    do = (
        f"renew the token in {prometheus.token_file}"
        if prometheus.token_file
        else f"set {TOKEN_FILE}"
    )
    raise PrometheusTrouble(
        f"Prometheus at {_host(prometheus)} does not let the console in (status {status}); {do}"
    )


def _series(matrix: _Matrix) -> Series:
    points = ((at, _number(text)) for at, text in matrix.values)
    return Series(
        labels=matrix.metric,
        points=tuple(
            (datetime.fromtimestamp(at, UTC), value) for at, value in points if math.isfinite(value)
        ),
    )


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def _authorization(prometheus: PrometheusEnvironment) -> Mapping[str, str]:
    """Return the header with the token as it stands in its file now: those of clusters rotate."""
    if not prometheus.token_file:
        return {}
    try:
        token = Path(prometheus.token_file).read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise PrometheusTrouble(f"the file that {TOKEN_FILE} names cannot be read") from error
    return {"Authorization": f"Bearer {token}"}


def _host(prometheus: PrometheusEnvironment) -> str:
    return urlsplit(prometheus.url).netloc
