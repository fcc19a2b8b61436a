"""Who acts on a row now: three columns that one conditional UPDATE takes and gives back.

And when the background work acted at all: one row that every turn of its clock writes.
"""

from django.db import models


class Leased(models.Model):
    """A row that one process at a time may act on; `lease_fence` counts the takings."""

    lease_owner = models.CharField(max_length=36, default="", blank=True, editable=False)
    lease_until = models.DateTimeField(null=True, blank=True, editable=False)
    lease_fence = models.PositiveBigIntegerField(default=0, editable=False)

    class Meta:
        abstract = True


class Heartbeat(models.Model):
    """When a part of the background work, by its name, acted last."""

    name = models.CharField(primary_key=True, max_length=40)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name
