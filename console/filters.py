"""What the lists can be narrowed by, for API and pages alike; knows no page and no answer."""

from datetime import UTC, datetime, time
from typing import Any

import django_filters as filters
from django import forms
from django.db.models import Q, QuerySet
from django.http import QueryDict
from django.utils.dateparse import parse_date, parse_datetime
from rest_framework.request import Request

from deployments.exceptions import InvalidOrder
from deployments.models import AuditEntry, Deployment
from deployments.models.deployment import DeploymentQuerySet
from deployments.models.history import AuditEntryQuerySet
from deployments.services.auditing import Outcome
from deployments.services.tracing import Source
from providers.contract.status import Phase

_FORM = "must be like 2026-11-30 or 2026-11-30T18:00:00Z"


class MomentField(forms.CharField):
    """A day or a moment; of a day its first moment, or with `ends_day` its last."""

    def __init__(self, *, ends_day: bool = False, **options: Any) -> None:
        super().__init__(**options)
        self._at = time.max if ends_day else time.min

    def clean(self, value: Any) -> Any:
        """Return the moment with its zone, None for nothing; raises ValidationError."""
        text = super().clean(value)
        return self._moment(text) if text else None

    def _moment(self, text: str) -> datetime:
        if not text.isascii():  # the digits of every script are read there
            raise forms.ValidationError(_FORM)
        try:
            day, moment = parse_date(text), parse_datetime(text)
        except ValueError as error:
            raise forms.ValidationError("is no day that there is") from error
        # A day alone is a moment as well to who reads moments.
        found = datetime.combine(day, self._at) if day else moment
        if found is None:
            raise forms.ValidationError(_FORM)
        return _in_utc(found)


def _in_utc(moment: datetime) -> datetime:
    """Return a moment in UTC, where one without a zone is; raises ValidationError."""
    try:
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except OverflowError as error:  # the first and the last day there are, of another zone
        raise forms.ValidationError("is no day that there is") from error


class MomentFilter(filters.Filter):  # type: ignore[misc]  # as below
    """Takes a day or a moment."""

    field_class = MomentField


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
    """Entries by who, by what it was done to (its id), by what was done, how it ended and when.

    `since` and `until` take a day, whole, or a moment; either without a zone is in UTC.
    """

    actor = filters.CharFilter(field_name="actor_name")
    object = filters.CharFilter(field_name="object_id")
    action = filters.CharFilter(field_name="action")
    outcome = filters.ChoiceFilter(choices=[(one.value, one.value) for one in Outcome])
    source = filters.ChoiceFilter(choices=[(one.value, one.value) for one in Source])
    operation_id = filters.CharFilter(field_name="operation_id")
    since = MomentFilter(field_name="at", lookup_expr="gte")
    until = MomentFilter(field_name="at", lookup_expr="lte", ends_day=True)

    class Meta:
        model = AuditEntry
        fields: tuple[str, ...] = ()


class ActFilter(AuditFilter):
    """Acts, each by what tells of its beginning; by outcome and face, its end counts as well."""

    object = filters.CharFilter(method="about")
    outcome = filters.ChoiceFilter(
        choices=[(one.value, one.value) for one in Outcome], method="ended"
    )
    source = filters.ChoiceFilter(
        choices=[(one.value, one.value) for one in Source], method="came_through"
    )

    def about(self, rows: AuditEntryQuerySet, _name: str, text: str) -> AuditEntryQuerySet:
        """Keep acts on what has this id, or a name that holds the text."""
        return rows.filter(Q(object_id=text) | Q(object_name__icontains=text))

    def ended(self, rows: AuditEntryQuerySet, _name: str, outcome: str) -> AuditEntryQuerySet:
        """Keep acts that ended so; `accepted` are those that have not ended."""
        return rows.ended_with(outcome)

    def came_through(self, rows: AuditEntryQuerySet, _name: str, source: str) -> AuditEntryQuerySet:
        """Keep acts that began or ended through a face."""
        return rows.through(source)


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
