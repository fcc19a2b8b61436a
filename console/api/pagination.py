"""Pages of a list: a cursor, so that what is added meanwhile neither repeats nor hides a row."""

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from rest_framework.exceptions import NotFound
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request
from rest_framework.serializers import BaseSerializer

from console.whole_numbers import whole_number
from deployments.exceptions import InvalidOrder

PAGE_SIZE, LARGEST_PAGE = 50, 200


class Pages(CursorPagination):
    """Cursor pages in a fixed order; a wrong size or cursor is a 400 that names it."""

    page_size = PAGE_SIZE
    page_size_query_param = "page_size"
    max_page_size = LARGEST_PAGE

    def __init__(self, ordering: tuple[str, ...]) -> None:
        """Take the order; its last member must be unique."""
        super().__init__()
        self.ordering = ordering

    def get_ordering(self, request: Request, queryset: Any, view: Any) -> tuple[str, ...]:
        """Return the order, whatever the request says."""
        del request, queryset, view
        return tuple(self.ordering)

    def get_page_size(self, request: Request) -> int:
        """Return the wanted size; raises InvalidOrder for one that is no size."""
        text = request.query_params.get("page_size", "") or str(PAGE_SIZE)
        size = whole_number(text, least=1, most=LARGEST_PAGE)
        if size is None:
            raise InvalidOrder.of("page_size", f"must be a whole number from 1 to {LARGEST_PAGE}")
        return size

    def decode_cursor(self, request: Request) -> Any:
        """Return the cursor; raises NotFound also for one that no database could compare with."""
        cursor = super().decode_cursor(request)
        if "\0" in str(getattr(cursor, "position", "")):
            raise NotFound
        return cursor

    def answer(self, name: str, rows: Any, *, count: int) -> Mapping[str, Any]:
        """Return a page that was read, under its name, with the links to those beside it."""
        return {
            name: rows,
            "count": count,
            "next": self.get_next_link() or "",
            "previous": self.get_previous_link() or "",
        }

    def page_of(self, queryset: QuerySet[Any], request: Request) -> list[Any]:
        """Return the rows of the page that the request asks for."""
        try:
            return list(self.paginate_queryset(queryset, request) or [])
        except (NotFound, ValidationError, ValueError) as error:
            raise InvalidOrder.of("cursor", "is not one that this list has given out") from error


def answer_page(
    name: str,
    queryset: QuerySet[Any],
    request: Request,
    *,
    ordering: tuple[str, ...],
    serializer: type[BaseSerializer[Any]],
) -> Mapping[str, Any]:
    """Return one page of a list under its name, with the count of all and the pages beside it."""
    pages = Pages(ordering)
    rows = pages.page_of(queryset, request)
    return pages.answer(name, serializer(rows, many=True).data, count=queryset.count())
