"""Work that was promised: operations until they are finished, and requests that come twice."""

import uuid

from django.conf import settings
from django.db import models


class Verb(models.TextChoices):
    """What was asked for; all between create and delete are changes of what runs.

    To reapply is to bring the cluster back to the revision that it should have, without a new one;
    to put back is to take away what others changed of it.
    """

    CREATE = "create"
    UPDATE = "update"
    ROLLBACK = "rollback"
    STOP = "stop"
    START = "start"
    REDEPLOY = "redeploy"
    REAPPLY = "reapply"
    PUT_BACK = "put_back"
    DELETE = "delete"


class OperationState(models.TextChoices):
    """Open until the cluster has it, or has refused it for good."""

    OPEN = "open"
    DONE = "done"
    REFUSED = "refused"
    SUPERSEDED = "superseded"


class OperationQuerySet(models.QuerySet["Operation"]):
    """Questions about operations in the domain's words."""

    def unfinished(self) -> "OperationQuerySet":
        return self.filter(state=OperationState.OPEN)


class Operation(models.Model):
    """One promise; whoever holds the deployment's lease may work on it.

    `accepted_at` is when the cluster last took a deletion and began to work on it. `agreed` has the
    fingerprints of what a person has agreed to put back.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    deployment = models.ForeignKey(
        "deployments.Deployment", models.PROTECT, related_name="operations"
    )
    verb = models.CharField(max_length=10, choices=Verb.choices)
    revision = models.PositiveIntegerField()
    state = models.CharField(
        max_length=12, choices=OperationState.choices, default=OperationState.OPEN
    )
    last_error = models.TextField(blank=True)
    accepted_at = models.DateTimeField(null=True)
    agreed = models.JSONField(default=list)
    actor_name = models.CharField(max_length=150)
    created_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)

    objects = OperationQuerySet.as_manager()

    class Meta:
        ordering = ("created_at",)
        constraints = (
            models.UniqueConstraint(
                fields=("deployment", "verb"),
                condition=models.Q(state=OperationState.OPEN),
                name="one_open_operation_per_verb",
            ),
        )
        indexes = (
            models.Index(
                fields=("created_at",),
                condition=models.Q(state=OperationState.OPEN),
                name="operation_unfinished",
            ),
        )

    def __str__(self) -> str:
        return f"{self.verb} {self.deployment_id}"


class IdempotencyKey(models.Model):
    """A request that may be sent twice; `deployment_id` is the id that its launch bears."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    key = models.CharField(max_length=200)
    body_digest = models.CharField(max_length=64)
    deployment_id = models.UUIDField(default=uuid.uuid4)
    taken_by = models.UUIDField(default=uuid.uuid4)
    taken_until = models.DateTimeField()
    status = models.PositiveSmallIntegerField(null=True)
    body = models.JSONField(null=True)
    expires_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("user", "key"), name="one_request_per_key"),)

    def __str__(self) -> str:
        return self.key
