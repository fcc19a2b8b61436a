"""How the catalogue's services store: locked, told of, and with races turned into causes."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.db import IntegrityError, transaction
from django.db.models import ProtectedError, RestrictedError

from templates_app.exceptions import CatalogueError


@contextmanager
def storing(conflict: Callable[[], CatalogueError]) -> Iterator[None]:
    """Open a transaction in which a broken constraint is the conflict that is found for it.

    The constraint decides, not a look beforehand: two writers at once would both have seen a free
    name.
    """
    try:
        with transaction.atomic():
            yield
    except (IntegrityError, ProtectedError, RestrictedError) as error:
        raise conflict() from error
