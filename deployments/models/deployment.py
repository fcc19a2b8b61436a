"""What a person launched: a stable object, whatever runs underneath.

Carries the snapshot that lists show and just enough to find the objects again; how it came to be
so stands in its history.
"""

import uuid
from datetime import datetime

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, models

from deployments.models.ending import Ending
from deployments.models.leases import Leased
from deployments.models.passed import PASSED, PassedRow
from providers.contract.request import Intent
from providers.contract.status import PHASES, Phase
from templates_app.names import KEY_LENGTH, NAME_LENGTH, name_key

REASON_LENGTH = 60
MOVING = tuple(phase for phase, look in PHASES.items() if look.moving)

# What a list reads: of 10,000 rows every further column, above all JSON, would be felt.
LISTED = (
    "name",
    "runtime_name",
    "kind",
    "cluster_id",
    "namespace",
    "model_id",
    "region",
    "template_id",
    "template_version",
    "serving_name",
    "overrides",
    "min_replicas",
    "max_replicas",
    "autoscaled",
    "accelerator_type",
    "accelerator_count",
    "endpoint",
    "intent",
    "intent_since",
    "revision",
    "phase",
    "reason",
    "message",
    "desired_replicas",
    "ready_replicas",
    "observed_at",
    "rank",
    "created_by_name",
    "created_at",
    "updated_at",
    "closed_at",
)
LISTED_OF_OTHERS = (
    "cluster__name",
    "cluster__enabled",
    "cluster__reachable",
    "cluster__last_pass_at",
    "cluster__last_moving_pass_at",
    "cluster__unread_kinds",
    "model__name",
    "template__name",
)


class DeploymentQuerySet(models.QuerySet["Deployment"]):
    """Questions about deployments in the domain's words."""

    def open(self) -> "DeploymentQuerySet":
        return self.filter(closed_at=None)

    def closed(self) -> "DeploymentQuerySet":
        return self.exclude(closed_at=None)

    def moving(self) -> "DeploymentQuerySet":
        """Return those that are on their way, or in trouble, as last seen."""
        return self.open().filter(phase__in=[phase.value for phase in MOVING])

    def with_phase(self, phase: str) -> "DeploymentQuerySet":
        return self.filter(phase=phase)

    def search(self, text: str) -> "DeploymentQuerySet":
        """Return those whose name, runtime name or model holds the text, whatever its case."""
        key = name_key(text)
        return self.filter(
            models.Q(name_key__contains=key)
            | models.Q(runtime_name__contains=key)
            | models.Q(model__id__contains=key)
        )

    def newest_first(self) -> "DeploymentQuerySet":
        return self.order_by("-created_at", "-id")

    def attention_first(self) -> "DeploymentQuerySet":
        return self.order_by("rank", "-created_at", "-id")

    def for_list(self) -> "DeploymentQuerySet":
        """Return rows as a list shows them: what it does not show stays in the database."""
        related = self.select_related("cluster", "model", "template")
        return related.only(*LISTED, *LISTED_OF_OTHERS)

    def for_pass(self) -> "DeploymentQuerySet":
        """Return records as a pass needs them: of what ends, more is read when it does."""
        return self.only(*PASSED)

    def passed_rows(self) -> list[PassedRow]:
        """Return the same as plain rows, for `record_of`."""
        return [PassedRow._make(values) for values in self.values_list(*PASSED)]


class Deployment(Ending, Leased):
    """One launch. `revision` is what is wanted, `applied_revision` what was last applied.

    `rank` is the phase's, stored so that the database can put first what needs attention.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=NAME_LENGTH)
    name_key = models.CharField(max_length=KEY_LENGTH, editable=False)
    runtime_name = models.CharField(max_length=63)
    kind = models.CharField(max_length=60)
    cluster = models.ForeignKey("deployments.Cluster", models.PROTECT, related_name="deployments")
    namespace = models.CharField(max_length=63)
    region = models.CharField(max_length=100, blank=True)
    model = models.ForeignKey("templates_app.Model", models.PROTECT, related_name="deployments")
    template = models.ForeignKey(
        "templates_app.ModelDeploymentTemplate", models.PROTECT, related_name="deployments"
    )
    template_version = models.CharField(max_length=100)
    serving_name = models.CharField(max_length=500)
    overrides = models.JSONField(default=dict)
    scaling = models.JSONField(default=dict)
    min_replicas = models.PositiveIntegerField(default=1)
    max_replicas = models.PositiveIntegerField(default=1)
    autoscaled = models.BooleanField(default=False)
    accelerator_type = models.CharField(max_length=60)
    accelerator_count = models.PositiveIntegerField(default=0)
    startup_budget_seconds = models.PositiveIntegerField(default=900)
    port = models.PositiveIntegerField(default=0)
    endpoint = models.JSONField(default=dict)
    checks = models.JSONField(default=list)

    intent = models.CharField(max_length=10, default=Intent.RUNNING.value)
    intent_since = models.DateTimeField()
    revision = models.PositiveIntegerField(default=1)
    applied_revision = models.PositiveIntegerField(default=0)
    workload_uid = models.CharField(max_length=64, blank=True)
    pod_digest = models.CharField(max_length=64, blank=True)
    last_apply = models.JSONField(default=dict)

    phase = models.CharField(max_length=12, default=Phase.DEPLOYING.value)
    reason = models.CharField(max_length=REASON_LENGTH, blank=True)
    message = models.TextField(blank=True)
    desired_replicas = models.PositiveIntegerField(default=0)
    ready_replicas = models.PositiveIntegerField(default=0)
    available_replicas = models.PositiveIntegerField(default=0)
    once_full = models.BooleanField(default=False)
    observed_at = models.DateTimeField(null=True)
    evidence = models.JSONField(default=list)
    notes = models.JSONField(default=list)
    rank = models.PositiveSmallIntegerField(default=PHASES[Phase.DEPLOYING].rank)

    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    created_by_name = models.CharField(max_length=150)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)

    objects = DeploymentQuerySet.as_manager()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("cluster", "namespace", "name_key"),
                condition=models.Q(closed_at=None),
                name="one_open_deployment_per_name",
            ),
            models.UniqueConstraint(
                fields=("cluster", "namespace", "kind", "runtime_name"),
                condition=models.Q(closed_at=None),
                name="one_open_deployment_per_object",
            ),
        )
        indexes = (
            models.Index(
                fields=("-created_at", "-id"),
                condition=models.Q(closed_at=None),
                name="deployment_open_newest",
            ),
            models.Index(
                fields=("rank", "-created_at", "-id"),
                condition=models.Q(closed_at=None),
                name="deployment_open_attention",
            ),
            models.Index(
                fields=("cluster", "phase"),
                condition=models.Q(closed_at=None),
                name="deployment_open_by_cluster",
            ),
            models.Index(fields=("phase", "-created_at"), name="deployment_by_phase"),
            models.Index(fields=("model", "-created_at"), name="deployment_by_model"),
            models.Index(fields=("created_by", "-created_at"), name="deployment_by_creator"),
        )

    def __str__(self) -> str:
        return self.name

    @classmethod
    def record_of(cls, row: PassedRow) -> "Deployment":
        """Return the record that a row was read of, as it was by then."""
        names = [column.attname for column in cls._meta.concrete_fields if column.attname in PASSED]
        return cls.from_db(DEFAULT_DB_ALIAS, names, [getattr(row, name) for name in names])

    @property
    def deletion_asked_at(self) -> datetime | None:
        """Return when its deletion was asked for, None while it was not."""
        return self.intent_since if self.intent == Intent.DELETED else None

    @property
    def replicas_text(self) -> str:
        """Return `1`, or `1[3]` for one that may grow to three."""
        return range_text(self.min_replicas, self.max_replicas if self.autoscaled else 0)


def range_text(low: int, high: int) -> str:
    """Return `1`, or `1[3]` where the replicas may grow from one to three."""
    return f"{low}[{high}]" if high > low else str(low)
