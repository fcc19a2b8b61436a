"""Who acts on a row now: three columns that one conditional UPDATE takes and gives back."""

from django.db import models


class Leased(models.Model):
    """A row that one process at a time may act on; `lease_fence` counts the takings."""

    lease_owner = models.CharField(max_length=36, default="", blank=True, editable=False)
    lease_until = models.DateTimeField(null=True, blank=True, editable=False)
    lease_fence = models.PositiveBigIntegerField(default=0, editable=False)

    class Meta:
        abstract = True
