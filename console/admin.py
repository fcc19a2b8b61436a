"""People and their roles in Django's admin, with every change of them in the audit trail.

Who may do what follows from groups, so a change of them is an act like any other.
"""

from collections.abc import Mapping
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from deployments.services.auditing import Act, Outcome, record_audit

if TYPE_CHECKING:
    _UserAdmin = UserAdmin[User]
else:
    # Django's own class takes no type arguments when the program runs.
    _UserAdmin = UserAdmin

Document = Mapping[str, object]

# Importing Django's own module has registered its class.
admin.site.unregister(User)


@admin.register(User)
class PeopleAdmin(_UserAdmin):
    """Django's own pages of people; what they store is told in the same transaction."""

    def change_view(
        self, request: HttpRequest, object_id: str, *args: Any, **options: Any
    ) -> HttpResponse:
        """Change a person, and tell what is otherwise."""
        with transaction.atomic():
            before = self._stored(request, object_id)
            response = super().change_view(request, object_id, *args, **options)
            user = self.get_object(request, unquote(object_id))
            if user is not None and before != document_of(user):
                _tell("user.change", user, by=request, before=before, after=document_of(user))
        return response

    def user_change_password(
        self,
        request: HttpRequest,
        id: str,  # noqa: A002 - Django's
        form_url: str = "",
    ) -> HttpResponse:
        """Set a person's password, and tell that it was set."""
        with transaction.atomic():
            response = super().user_change_password(request, id, form_url)
            user = self.get_object(request, unquote(id))
            if request.method == "POST" and response.status_code == HTTPStatus.FOUND and user:
                _tell("user.password", user, by=request)
        return response

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:  # noqa: FBT001 - Django's
        """Store what belongs to a person; a new one is told of."""
        super().save_related(request, form, formsets, change)
        if not change:
            _tell("user.create", form.instance, by=request, after=document_of(form.instance))

    def delete_model(self, request: HttpRequest, obj: User) -> None:
        """Remove a person."""
        with transaction.atomic():
            _tell("user.delete", obj, by=request, before=document_of(obj))
            super().delete_model(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        """Remove several people."""
        with transaction.atomic():
            for user in queryset:
                _tell("user.delete", user, by=request, before=document_of(user))
            super().delete_queryset(request, queryset)

    def _stored(self, request: HttpRequest, object_id: str) -> Document | None:
        user = self.get_object(request, unquote(object_id))
        return document_of(user) if user else None


def document_of(user: User) -> Document:
    """Return what the trail keeps of a person: who it is, and what gives rights."""
    return {
        "username": user.get_username(),
        "email": user.email,
        "is_active": user.is_active,
        "is_superuser": user.is_superuser,
        "groups": sorted(user.groups.values_list("name", flat=True)),
    }


def _tell(
    action: str,
    user: User,
    *,
    by: HttpRequest,
    before: Document | None = None,
    after: Document | None = None,
) -> None:
    act = Act(
        action=action,
        object_type="user",
        object_id=str(user.pk),
        object_name=user.get_username(),
        outcome=Outcome.SUCCEEDED,
        before=before,
        after=after,
    )
    record_audit(act, actor=by.user)
