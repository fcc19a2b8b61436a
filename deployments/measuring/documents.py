"""A reading as it is stored: JSON, and back."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

from providers.contract.observing import EngineReading, Metrics, PodUse


def document_of(metrics: Metrics) -> Mapping[str, Any]:
    """Return the JSON form of a reading, without its time, which has a column of its own."""
    document = asdict(metrics)
    del document["at"]
    return document


def metrics_from(at: datetime, document: Mapping[str, Any]) -> Metrics:
    """Read a stored reading back."""
    return Metrics(
        at=at,
        use=tuple(PodUse(**one) for one in document["use"]),
        use_trouble=document["use_trouble"],
        engine=tuple(EngineReading(**one) for one in document["engine"]),
        engine_trouble=document["engine_trouble"],
    )
