"""Reads who may scrape, and where a worker answers; a wrong value of the two ends a start."""

from collections.abc import Mapping

from django.core.exceptions import ImproperlyConfigured

from console.secret_files import read_secret
from console.whole_numbers import whole_number

TOKEN, PORT = "SLIPWAY_METRICS_TOKEN", "SLIPWAY_WORKER_METRICS_PORT"
SHORTEST = 16
HIGHEST_PORT = 65_535


def read_token(environ: Mapping[str, str]) -> str:
    """Return what a scraper must send; empty when nobody scrapes."""
    token = read_secret(environ, TOKEN)
    if token and (len(token) < SHORTEST or not token.isascii() or not token.isprintable()):
        raise ImproperlyConfigured(
            f"{TOKEN} is too easy to guess, or no header can carry it; use {SHORTEST} plain "
            "characters or more, as `openssl rand -hex 24` makes them."
        )
    return token


def read_worker_port(environ: Mapping[str, str], token: str) -> int | None:
    """Return the port on which a worker tells its own metrics; None when it does not."""
    text = environ.get(PORT, "").strip()
    if not text:
        return None
    port = whole_number(text, least=1, most=HIGHEST_PORT)
    if port is None:
        raise ImproperlyConfigured(f"{PORT} is {text!r}; use a port from 1 to {HIGHEST_PORT}.")
    if not token:
        raise ImproperlyConfigured(
            f"{PORT} is set but {TOKEN} is not, so nobody could scrape there; set both."
        )
    return port
