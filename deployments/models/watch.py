"""Who follows a cluster: a row for each cluster and kind, so that nothing is done twice."""

from django.db import models

from deployments.models.leases import Leased


class Watch(Leased):
    """The lease that one thread of a watcher holds while it follows a kind on a cluster."""

    cluster = models.ForeignKey("deployments.Cluster", models.CASCADE, related_name="watches")
    kind = models.CharField(max_length=60)

    class Meta:
        ordering = ("cluster", "kind")
        constraints = (
            models.UniqueConstraint(fields=("cluster", "kind"), name="one_watch_per_kind"),
        )

    def __str__(self) -> str:
        return f"{self.cluster_id}/{self.kind}"
