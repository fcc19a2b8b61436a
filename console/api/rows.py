"""Rows of the list of deployments, written straight from columns.

The serializer says the same of one record; of a page of them it would cost more than the database.
A test holds the two together.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from deployments.models.deployment import range_text

Row = Mapping[str, Any]

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
COLUMNS = (*_SHOWN.values(), "min_replicas", "max_replicas", "autoscaled")
_ENDPOINT = ("url", "external_url", "port_forward")


def answer_rows(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """Return rows of `COLUMNS` as the API answers them."""
    return [_answer_row(row) for row in rows]


def _answer_row(row: Row) -> dict[str, Any]:
    answer = {word: _plain(row[column]) for word, column in _SHOWN.items()}
    answer["id"], answer["template_id"] = str(row["id"]), str(row["template_id"])
    answer["endpoint"] = {part: row["endpoint"].get(part, "") for part in _ENDPOINT}
    high = row["max_replicas"] if row["autoscaled"] else 0
    answer["replicas"] = range_text(row["min_replicas"], high)
    return answer


def _plain(value: Any) -> Any:
    return value.isoformat().replace("+00:00", "Z") if isinstance(value, datetime) else value
