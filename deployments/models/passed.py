"""A deployment as a full pass reads it: making a record of each of 10,000 rows would be felt."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from deployments.models.ending import Ending


class _Columns(NamedTuple):
    """What a pass tells a provider, and compares with what it saw; named as the columns are."""

    id: UUID
    name: str
    runtime_name: str
    kind: str
    cluster_id: int
    namespace: str
    template_id: int
    serving_name: str
    scaling: Mapping[str, Any]
    startup_budget_seconds: int
    port: int
    endpoint: Mapping[str, Any]
    intent: str
    intent_since: datetime
    revision: int
    applied_revision: int
    workload_uid: str
    pod_digest: str
    last_apply: Mapping[str, Any]
    phase: str
    reason: str
    message: str
    desired_replicas: int
    ready_replicas: int
    available_replicas: int
    once_full: bool
    observed_at: datetime | None
    evidence: Sequence[Mapping[str, Any]]
    notes: Sequence[Mapping[str, Any]]
    closed_at: datetime | None


class PassedRow(Ending, _Columns):
    """The same, as it answers for its end."""

    __slots__ = ()

    @property
    def pk(self) -> UUID:
        return self.id


PASSED = PassedRow._fields
