"""How long replicas took from their node to their first answer, for those who launch the like."""

from django.db import models
from django.db.models import F, Window
from django.db.models.functions import RowNumber

from deployments.models.appended import Appended, SweptQuerySet

# Of each version of a template: older ones tell of older images and clusters.
KEPT = 50
_PLACE = Window(
    RowNumber(), partition_by=F("template_id"), order_by=(F("at").desc(), F("pk").desc())
)


class LoadTimeQuerySet(SweptQuerySet["LoadTime"]):
    """Questions about load times in the domain's words."""

    def newest(self, count: int = KEPT) -> "LoadTimeQuerySet":
        """Return so many of each version of a template, the latest of them."""
        return self.annotate(place=_PLACE).filter(place__lte=count)

    def beyond(self, count: int = KEPT) -> "LoadTimeQuerySet":
        """Return all but so many of each version of a template."""
        return self.annotate(place=_PLACE).filter(place__gt=count)


class LoadTime(Appended):
    """One first start without a restart: `seconds` until `at`, when the pod answered."""

    template = models.ForeignKey(
        "templates_app.ModelDeploymentTemplate", models.PROTECT, related_name="load_times"
    )
    deployment = models.ForeignKey("deployments.Deployment", models.PROTECT, related_name="+")
    pod_uid = models.CharField(max_length=64, unique=True)
    seconds = models.PositiveIntegerField()
    at = models.DateTimeField()

    objects = LoadTimeQuerySet.as_manager()

    class Meta:
        ordering = ("-at", "-id")
        indexes = (models.Index(fields=("template", "-at"), name="load_time_newest"),)

    def __str__(self) -> str:
        return f"{self.seconds} s"
