"""What was measured of a deployment while somebody watched it: a few minutes, then forgotten."""

from datetime import datetime

from django.db import models

from deployments.measuring.documents import metrics_from
from providers.contract.observing import Metrics


class MetricSampleQuerySet(models.QuerySet["MetricSample"]):
    """Questions about samples in the domain's words."""

    def taken(self) -> "MetricSampleQuerySet":
        """Leave out the samples that somebody is taking just now."""
        return self.exclude(reading={})

    def since(self, at: datetime) -> "MetricSampleQuerySet":
        """Return the samples from a moment on, oldest first."""
        return self.filter(at__gte=at).order_by("slot")

    def until(self, at: datetime) -> "MetricSampleQuerySet":
        """Return the samples up to a moment: none that was taken before a clock was set back."""
        return self.filter(at__lte=at)

    def before(self, at: datetime) -> "MetricSampleQuerySet":
        """Return the samples older than a moment."""
        return self.filter(at__lt=at)


class MetricSample(models.Model):
    """One reading: `figures` are those of the whole deployment, `reading` has it pod by pod.

    `slot` counts the spans of a few seconds since 1970: of each span there is one sample at most,
    however many processes measure. The first to make its row takes it; until then it is empty.
    """

    deployment = models.ForeignKey(
        "deployments.Deployment", models.CASCADE, related_name="metric_samples"
    )
    slot = models.PositiveBigIntegerField()
    at = models.DateTimeField(db_index=True)
    figures = models.JSONField(default=dict)
    reading = models.JSONField(default=dict)

    objects = MetricSampleQuerySet.as_manager()

    class Meta:
        ordering = ("-slot",)
        constraints = (
            models.UniqueConstraint(fields=("deployment", "slot"), name="one_sample_per_slot"),
        )

    def __str__(self) -> str:
        return f"{self.at:%H:%M:%S}"

    @property
    def metrics(self) -> Metrics:
        """Return the reading as it was."""
        return metrics_from(self.at, self.reading)
