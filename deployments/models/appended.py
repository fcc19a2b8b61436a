"""History that nobody rewrites: rows that can be added and read, never changed or removed."""

from collections.abc import Collection
from typing import TypeVar

from django.db import models

_Row = TypeVar("_Row", bound=models.Model)


class AppendOnlyError(RuntimeError):
    """Someone tried to change history."""


class AppendOnlyQuerySet(models.QuerySet[_Row]):
    """Refuses the bulk ways around `save`."""

    def update(self, **_values: object) -> int:
        raise AppendOnlyError("history is only ever appended to")

    def delete(self) -> tuple[int, dict[str, int]]:
        raise AppendOnlyError("history is only ever appended to")


class SweptQuerySet(AppendOnlyQuerySet[_Row]):
    """History with a term, which only whoever keeps the terms removes."""

    def sweep(self, keys: Collection[int]) -> int:
        """Remove the rows of these keys for good; return how many there were."""
        count, _ = models.QuerySet.delete(self.filter(pk__in=keys))
        return count


class Appended(models.Model):
    """A row that is written once."""

    class Meta:
        abstract = True

    def save(self, *args: object, **kwargs: object) -> None:
        if not self._state.adding:
            raise AppendOnlyError("history is only ever appended to")
        super().save(*args, **kwargs)  # type: ignore[arg-type]

    def delete(self, *_args: object, **_kwargs: object) -> tuple[int, dict[str, int]]:
        raise AppendOnlyError("history is only ever appended to")
