"""Objects of ours on a cluster that no open record owns, as the last full pass found them."""

from django.db import models

from providers.contract.manifest import ObjectKey
from templates_app.names import NAME_LENGTH


class Orphan(models.Model):
    """One object; all but its key and uid is what it says of itself.

    There as long as passes find it: who saw it last is the cluster's last full pass.
    `created_at` is by the cluster's clock, `first_seen_at` by ours.
    """

    cluster = models.ForeignKey(
        "deployments.Cluster", models.CASCADE, related_name="unclaimed_objects"
    )
    implementation = models.CharField(max_length=60)
    api_version = models.CharField(max_length=320)
    kind = models.CharField(max_length=63)
    namespace = models.CharField(max_length=63, blank=True)
    name = models.CharField(max_length=253)
    uid = models.CharField(max_length=64)
    deployment_id = models.CharField(max_length=63, blank=True)
    is_workload = models.BooleanField(default=False)
    is_terminating = models.BooleanField(default=False)
    display_name = models.CharField(max_length=NAME_LENGTH, blank=True)
    revision = models.PositiveIntegerField(default=0)
    digest = models.CharField(max_length=64, blank=True)
    provenance = models.JSONField(null=True)
    rollout = models.CharField(max_length=20, blank=True)
    created_at = models.DateTimeField(null=True)
    first_seen_at = models.DateTimeField()

    class Meta:
        ordering = ("namespace", "deployment_id", "-is_workload", "kind", "name")
        constraints = (
            models.UniqueConstraint(fields=("cluster", "uid"), name="one_orphan_per_object"),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"

    @property
    def key(self) -> ObjectKey:
        """Return the key of the object."""
        return ObjectKey(
            api_version=self.api_version, kind=self.kind, name=self.name, namespace=self.namespace
        )
