"""What happened: revisions, changes of status and the audit trail, all only ever appended to."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models

from deployments.models.appended import Appended, AppendOnlyQuerySet, SweptQuerySet
from deployments.models.operations import Verb
from providers.contract.status import Phase

# The outcome of an act that has not ended.
ACCEPTED = "accepted"
# The phases that somebody will ask about later.
FAULTS = (Phase.FAILED.value, Phase.DEGRADED.value)


# What is said of a revision while it is on its way to the cluster, and how long that takes at most
# where nothing hinders it.
ON_ITS_WAY = ("ApplyPending", "WaitingForController")
PASSING = timedelta(seconds=2)


class RevisionOutcome(models.TextChoices):
    """How the application of a revision ended."""

    PENDING = "pending"
    APPLIED = "applied"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"


class RevisionQuerySet(AppendOnlyQuerySet["Revision"]):
    """Revisions; their outcome is the one thing that is told later."""

    def record_outcome(self, outcome: RevisionOutcome) -> int:
        """Tell how the revisions that are still pending ended."""
        return models.QuerySet.update(self.filter(outcome=RevisionOutcome.PENDING), outcome=outcome)


class Revision(Appended):
    """One entry of a deployment's history: all that is needed to render it again.

    `verb` is what was asked for; of a rollback, `restores` is the number that it took up again.
    A `stopped` one runs nothing, whatever its overrides say. `restart` and `resume_at` are those of
    its request.
    """

    deployment = models.ForeignKey(
        "deployments.Deployment", models.PROTECT, related_name="revisions"
    )
    number = models.PositiveIntegerField()
    verb = models.CharField(max_length=10, choices=Verb.choices, default=Verb.CREATE)
    restores = models.PositiveIntegerField(null=True)
    template = models.ForeignKey(
        "templates_app.ModelDeploymentTemplate", models.PROTECT, related_name="+"
    )
    template_version = models.CharField(max_length=100)
    overrides = models.JSONField(default=dict)
    spec = models.JSONField()
    source = models.JSONField(null=True)
    serving_name = models.CharField(max_length=500)
    engine_args = models.JSONField(default=dict)
    enable_multi_lora = models.BooleanField(default=False)
    rollout = models.CharField(max_length=20)
    scaling = models.JSONField()
    stopped = models.BooleanField(default=False)
    restart = models.CharField(max_length=20, blank=True)
    resume_at = models.PositiveIntegerField(default=0)
    manifests = models.JSONField()
    digest = models.CharField(max_length=64)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    author_name = models.CharField(max_length=150)
    reason = models.TextField(blank=True)
    created_at = models.DateTimeField()
    outcome = models.CharField(
        max_length=12, choices=RevisionOutcome.choices, default=RevisionOutcome.PENDING
    )

    objects = RevisionQuerySet.as_manager()

    class Meta:
        ordering = ("-number",)
        constraints = (
            models.UniqueConstraint(fields=("deployment", "number"), name="one_revision_number"),
        )

    def __str__(self) -> str:
        return f"revision {self.number}"


class StatusChangeQuerySet(SweptQuerySet["StatusChange"]):
    """Changes of status; when they ended is the one thing that is told later."""

    def may_go(self) -> "StatusChangeQuerySet":
        """Leave out the verdict that each record has now, and the first it ever had."""
        earlier = StatusChange.objects.filter(
            deployment=models.OuterRef("deployment"), at__lt=models.OuterRef("at")
        )
        return self.exclude(until=None).filter(models.Exists(earlier))

    def faults(self) -> "StatusChangeQuerySet":
        return self.filter(phase__in=FAULTS)

    def others(self) -> "StatusChangeQuerySet":
        return self.exclude(phase__in=FAULTS)

    def lasting(self) -> "StatusChangeQuerySet":
        """Leave out what a revision passes through on its way to the cluster, if nobody waited."""
        soon_over = models.Q(until__lt=models.F("at") + PASSING)
        return self.exclude(soon_over, reason__in=ON_ITS_WAY)

    def record_end(self, at: datetime) -> int:
        """Tell until when the verdicts held that still do."""
        return models.QuerySet.update(self.filter(until=None), until=at)


class StatusChange(Appended):
    """A verdict at the moment it changed, with its evidence, which the cluster soon forgets.

    It held until `until`, None for the one that a record has now.
    """

    deployment = models.ForeignKey(
        "deployments.Deployment", models.PROTECT, related_name="status_changes"
    )
    phase = models.CharField(max_length=12)
    reason = models.CharField(max_length=60, blank=True)
    message = models.TextField(blank=True)
    desired_replicas = models.PositiveIntegerField(default=0)
    ready_replicas = models.PositiveIntegerField(default=0)
    available_replicas = models.PositiveIntegerField(default=0)
    evidence = models.JSONField(default=list)
    at = models.DateTimeField()
    until = models.DateTimeField(null=True)

    objects = StatusChangeQuerySet.as_manager()

    class Meta:
        ordering = ("-at", "-id")
        indexes = (
            models.Index(fields=("deployment", "-at"), name="status_change_newest"),
            models.Index(fields=("until",), name="status_change_ended"),
        )

    def __str__(self) -> str:
        return f"{self.phase}: {self.reason}"


class AuditEntryQuerySet(AppendOnlyQuerySet["AuditEntry"]):
    """Audit entries; an act of two ends is two of them, told together by its beginning."""

    def acts(self) -> "AuditEntryQuerySet":
        """Return one entry for each act: its beginning, or the only one that there is."""
        return self.filter(models.Q(operation_id="") | models.Q(outcome=ACCEPTED))

    def ends(self) -> "AuditEntryQuerySet":
        """Return the entries that tell how acts of two ends ended."""
        return self.exclude(operation_id="").exclude(outcome=ACCEPTED)

    def ended_with(self, outcome: str) -> "AuditEntryQuerySet":
        """Return those of some acts that ended so; `accepted` for those that have not ended."""
        if outcome == ACCEPTED:
            return self.filter(~models.Exists(_ends_of_each()), outcome=ACCEPTED)
        is_end = models.Exists(_ends_of_each().filter(outcome=outcome))
        return self.filter(is_end | models.Q(operation_id="", outcome=outcome))

    def through(self, source: str) -> "AuditEntryQuerySet":
        """Return those of some acts that began or ended through a face."""
        is_ended = models.Exists(_ends_of_each().filter(source=source))
        return self.filter(models.Q(source=source) | is_ended)


def _ends_of_each() -> AuditEntryQuerySet:
    """Return the ends of the act that an outer query is at."""
    return AuditEntry.objects.ends().filter(operation_id=models.OuterRef("operation_id"))


class AuditEntry(Appended):
    """Who did what to which object, before and after, why, and how it ended."""

    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    actor_name = models.CharField(max_length=150)
    role = models.CharField(max_length=20, blank=True)
    action = models.CharField(max_length=60)
    object_type = models.CharField(max_length=40)
    object_id = models.CharField(max_length=100)
    object_name = models.CharField(max_length=300, blank=True)
    before = models.JSONField(null=True)
    after = models.JSONField(null=True)
    reason = models.TextField(blank=True)
    outcome = models.CharField(max_length=20)
    message = models.TextField(blank=True)
    source = models.CharField(max_length=20)
    request_id = models.CharField(max_length=100, blank=True)
    operation_id = models.CharField(max_length=36, blank=True)
    at = models.DateTimeField()

    objects = AuditEntryQuerySet.as_manager()

    class Meta:
        ordering = ("-at", "-id")
        verbose_name_plural = "audit entries"
        indexes = (
            models.Index(fields=("-at", "-id"), name="audit_newest"),
            models.Index(fields=("object_type", "object_id", "-at"), name="audit_by_object"),
            models.Index(fields=("actor_name", "-at"), name="audit_by_actor"),
            models.Index(fields=("operation_id",), name="audit_by_operation"),
        )

    def __str__(self) -> str:
        return f"{self.actor_name} {self.action} {self.object_name}"
