"""What all admin pages of the catalogue share: rights by role, changes by the services only."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.db import models
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

from templates_app.access import can_curate
from templates_app.exceptions import CatalogueError

if TYPE_CHECKING:
    _ModelAdmin = admin.ModelAdmin[Any]  # a generic class to the stubs only
else:
    _ModelAdmin = admin.ModelAdmin


def person_of(request: HttpRequest) -> User:
    """Return who is signed in; the admin site lets nobody else so far."""
    if not isinstance(request.user, User):
        raise TypeError("the admin site let in somebody who is not signed in")
    return request.user


def told(refusal: CatalogueError) -> list[str]:
    """Return a refusal as lines to show, one per fault where it names fields."""
    faults = ((path, text) for path, texts in refusal.fields.items() for text in texts)
    lines = [f"{path}: {text}" if path else text for path, text in faults]
    return lines or [refusal.message]


class CuratedAdmin(_ModelAdmin):
    """Rights come from the role alone; what a service refuses is shown, and changes nothing.

    A subclass says how one object is deleted.
    """

    class Media:
        css: ClassVar = {"all": ["templates_app/admin.css"]}

    def delete_one(self, obj: Any, *, by: User) -> None:
        """Delete by the service; raises CatalogueError."""
        raise NotImplementedError

    def has_module_permission(self, request: HttpRequest) -> bool:
        return can_curate(request.user)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        del obj
        return can_curate(request.user)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return can_curate(request.user)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        del obj
        return can_curate(request.user)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        del obj
        return can_curate(request.user)

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """Show what only the database could know, such as a name taken a moment ago."""
        try:
            return super().changeform_view(request, *args, **kwargs)
        except CatalogueError as refusal:
            return self._refused(request, refusal)

    def delete_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """Delete after a question, or say why not."""
        try:
            return super().delete_view(request, *args, **kwargs)
        except CatalogueError as refusal:
            return self._refused(request, refusal)

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        """Delete one object through its service."""
        self.delete_one(obj, by=person_of(request))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        """Delete one by one; what is refused is told and stays."""
        for obj in queryset:
            try:
                self.delete_one(obj, by=person_of(request))
            except CatalogueError as refusal:
                self.tell_refusal(request, refusal, about=obj)

    def get_deleted_objects(
        self, objs: Iterable[models.Model], request: HttpRequest
    ) -> tuple[list[str], dict[str, int], set[str], list[str]]:
        """List what was chosen; whether it may go is the service's matter, not a guess here."""
        del request
        names = [str(obj) for obj in objs]
        return names, {str(self.opts.verbose_name_plural): len(names)}, set(), []

    def _refused(self, request: HttpRequest, refusal: CatalogueError) -> HttpResponse:
        self.tell_refusal(request, refusal)
        return HttpResponseRedirect(request.get_full_path())

    def tell_refusal(
        self, request: HttpRequest, refusal: CatalogueError, *, about: object = "Not stored"
    ) -> None:
        """Show each fault; what it is about comes first, because Django raises a first letter."""
        for line in told(refusal):
            self.message_user(request, f"{about}: {line}", messages.ERROR)
