"""What the lists can be narrowed by, for API and pages alike; knows no page and no answer."""

from typing import Any

import django_filters as filters
from django.db.models import QuerySet
from django.http import QueryDict
from rest_framework.request import Request

from deployments.exceptions import InvalidOrder
from deployments.models import AuditEntry, Deployment
from deployments.models.deployment import DeploymentQuerySet
from providers.contract.status import Phase


class DeploymentFilter(filters.FilterSet):  # type: ignore[misc]  # django-filter ships no types
    """`created_by=me` is the person who asks; an unknown status is an error, not an empty list."""

    search = filters.CharFilter(method="search_text")
    status = filters.ChoiceFilter(field_name="phase", choices=[(p.value, p.value) for p in Phase])
    model_id = filters.CharFilter(field_name="model_id")
    cluster = filters.CharFilter(field_name="cluster__name")
    namespace = filters.CharFilter(field_name="namespace")
    implementation_kind = filters.CharFilter(field_name="kind")
    created_by = filters.CharFilter(method="by_creator")

    class Meta:
        model = Deployment
        fields: tuple[str, ...] = ()

    def search_text(self, rows: DeploymentQuerySet, _name: str, text: str) -> DeploymentQuerySet:
        """Keep rows whose names hold the text."""
        return rows.search(text)

    def by_creator(self, rows: DeploymentQuerySet, _name: str, text: str) -> DeploymentQuerySet:
        """Keep what a person launched, by user name or `me`."""
        if text == "me":
            return rows.filter(created_by=self.request.user)
        return rows.filter(created_by_name=text)


class AuditFilter(filters.FilterSet):  # type: ignore[misc]  # django-filter ships no types
    """By who, by what it was done to (its id), by what was done."""

    actor = filters.CharFilter(field_name="actor_name")
    object = filters.CharFilter(field_name="object_id")
    action = filters.CharFilter(field_name="action")

    class Meta:
        model = AuditEntry
        fields: tuple[str, ...] = ()


def narrowed(
    kind: type[filters.FilterSet], rows: QuerySet[Any], asked: QueryDict, request: Request
) -> QuerySet[Any]:
    """Return the rows that remain; raises InvalidOrder for a value that cannot be one.

    Where nothing is asked no form is built, which would cost as much as the query.
    """
    if not any(asked.get(name) for name in kind.base_filters):
        return rows
    narrowing = kind(asked, queryset=rows, request=request)
    if not narrowing.is_valid():
        raise InvalidOrder.about({k: tuple(map(str, v)) for k, v in narrowing.errors.items()})
    remaining: QuerySet[Any] = narrowing.qs
    return remaining
