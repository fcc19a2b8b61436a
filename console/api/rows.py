"""Deployments as the API answers them, written straight from columns: one, or a page of a list.

The serializer says the same of one record and describes it in the schema; of a page of them it
would cost more than the database. A test holds the two together.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from operator import attrgetter
from typing import Any

from deployments.models import Deployment
from deployments.models.deployment import range_text
from providers.contract.request import Intent

# The answer's word, and the column that it shows.
_SHOWN = {
    "id": "id",
    "name": "name",
    "deployment_id": "runtime_name",
    "base_model": "model__name",
    "base_model_id": "model_id",
    "serving_name": "serving_name",
    "gpus_per_replica": "accelerator_count",
    "gpu_type": "accelerator_type",
    "region": "region",
    "created_by": "created_by_name",
    "created_at": "created_at",
    "updated_at": "updated_at",
    "closed_at": "closed_at",
    "status": "phase",
    "reason": "reason",
    "message": "message",
    "ready_replicas": "ready_replicas",
    "desired_replicas": "desired_replicas",
    "observed_at": "observed_at",
    "template_id": "template_id",
    "template_version": "template_version",
    "implementation_kind": "kind",
    "cluster": "cluster__name",
    "namespace": "namespace",
    "endpoint": "endpoint",
    "revision": "revision",
    "overrides": "overrides",
}
_BESIDE = ("intent", "intent_since", "min_replicas", "max_replicas", "autoscaled")
COLUMNS = (*_SHOWN.values(), *_BESIDE)
_WORDS = tuple(_SHOWN)
_IDS = ("id", "template_id")
_TIMES = ("created_at", "updated_at", "closed_at", "observed_at")
_ENDPOINT = ("url", "external_url", "port_forward")

_columns_of = attrgetter(*(column.replace("__", ".") for column in COLUMNS))


def answer_rows(rows: Iterable[Sequence[Any]]) -> list[dict[str, Any]]:
    """Return rows of `COLUMNS` as the API answers them."""
    return [_answer_row(row) for row in rows]


def answer_record(deployment: Deployment) -> dict[str, Any]:
    """Return one record as a list would answer it."""
    return _answer_row(_columns_of(deployment))


def _answer_row(row: Sequence[Any]) -> dict[str, Any]:
    *shown, intent, since, low, high, is_autoscaled = row
    answer = dict(zip(_WORDS, shown, strict=True))
    answer |= {word: str(answer[word]) for word in _IDS}
    answer |= {word: time_text(answer[word]) for word in _TIMES}
    endpoint = answer["endpoint"]
    answer["endpoint"] = {part: endpoint.get(part, "") for part in _ENDPOINT}
    answer["deletion_asked_at"] = time_text(since) if intent == Intent.DELETED else None
    answer["replicas"] = range_text(low, high if is_autoscaled else 0)
    return answer


def time_text(at: datetime | None) -> str | None:
    """Return a time in UTC as the API writes it."""
    return at.isoformat().replace("+00:00", "Z") if at else None
