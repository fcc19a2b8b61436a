"""Writes metrics down for who scrapes, and knows who may.

A scraper has no session: it sends the token of the settings. Without one only admins who are
signed in may look: a loopback address proves nothing where a proxy stands in front.
"""

from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.utils.crypto import constant_time_compare
from prometheus_client.exposition import choose_encoder
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import CollectorRegistry

from console.metrics.build import BuildCollector
from console.metrics.processes import ProcessesCollector
from console.metrics.stored import StoredCollector

_BEARER = "Bearer "


@dataclass(frozen=True, kw_only=True, slots=True)
class Exposition:
    """A body and what it is."""

    content_type: str
    body: bytes


def is_scraper(authorization: str) -> bool:
    """Tell whether a header carries the token; never without one in the settings."""
    token: str = settings.METRICS_TOKEN
    sent = authorization.removeprefix(_BEARER) if authorization.startswith(_BEARER) else ""
    return bool(token) and constant_time_compare(sent.strip(), token)


def expose_everything(folder: Path, *, accept: str) -> Exposition:
    """Write what is stored, and what all processes of this machine did; `accept` as in HTTP."""
    return _expose(_with_processes(folder, stored=_stored), accept)


def expose_processes(folder: Path, *, accept: str) -> Exposition:
    """Write only what the processes did that share this folder."""
    return _expose(_with_processes(folder), accept)


def _with_processes(folder: Path, *, stored: StoredCollector | None = None) -> CollectorRegistry:
    registry = CollectorRegistry()
    if stored is not None:
        registry.register(stored)
    registry.register(BuildCollector())
    # The enrolled ones first: that forgets the files of those that have ended.
    registry.register(ProcessesCollector(folder))
    MultiProcessCollector(registry, path=str(folder))  # type: ignore[no-untyped-call]
    return registry


def _expose(registry: CollectorRegistry, accept: str) -> Exposition:
    encode, content_type = choose_encoder(accept)
    return Exposition(content_type=content_type, body=encode(registry))


_stored = StoredCollector()
