"""The tables of this room, split by noun; import them from here.

Rows only: what may be done with them is told in `deployments.services`.
"""

from deployments.models.cluster import Cluster
from deployments.models.deployment import Deployment, DeploymentQuerySet
from deployments.models.history import AuditEntry, Revision, StatusChange
from deployments.models.leases import Heartbeat
from deployments.models.load_time import LoadTime
from deployments.models.metric_sample import MetricSample
from deployments.models.operations import IdempotencyKey, Operation
from deployments.models.orphan import Orphan
from deployments.models.passed import PassedRow
from deployments.models.watch import Watch

__all__ = [
    "AuditEntry",
    "Cluster",
    "Deployment",
    "DeploymentQuerySet",
    "Heartbeat",
    "IdempotencyKey",
    "LoadTime",
    "MetricSample",
    "Operation",
    "Orphan",
    "PassedRow",
    "Revision",
    "StatusChange",
    "Watch",
]
