"""Models and their registered versions in the admin."""

from typing import Any, ClassVar

from django.contrib import admin
from django.contrib.auth.models import User
from django.http import HttpRequest

from templates_app import services
from templates_app.admin.base import CuratedAdmin, person_of
from templates_app.admin.forms import ModelForm, VersionForm
from templates_app.models import Model, ModelVersion


@admin.register(Model)
class ModelAdmin(CuratedAdmin):
    form = ModelForm
    list_display = ("name", "id", "serving_name", "context_length", "licence", "updated_at")
    search_fields = ("search_text",)

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> Any:
        """Keep the id of a stored model: deployments and addresses refer to it."""
        del request
        return ("id",) if obj else ()

    def save_model(self, request: HttpRequest, obj: Model, form: Any, change: bool) -> None:  # noqa: FBT001 - Django's signature
        """Store through the services; `obj` becomes what is stored."""
        by = person_of(request)
        if change:
            services.update_model(obj, form.entry, by=by)
        else:
            obj.pk = services.create_model(form.entry, by=by).pk
        obj.refresh_from_db()

    def delete_one(self, obj: Model, *, by: User) -> None:
        services.delete_model(obj, by=by)


@admin.register(ModelVersion)
class ModelVersionAdmin(CuratedAdmin):
    form = VersionForm
    list_display = ("model", "label", "source_type", "uri", "revision", "created_at")
    list_filter: ClassVar = ["source_type"]
    search_fields = ("label_key", "uri", "model__search_text")
    list_select_related = ("model",)

    def has_change_permission(self, request: HttpRequest, obj: ModelVersion | None = None) -> bool:
        """Say no: a label always means the same weights; register another one."""
        del request, obj
        return False

    def save_model(self, request: HttpRequest, obj: ModelVersion, form: Any, change: bool) -> None:  # noqa: FBT001 - Django's signature
        """Register through the services; `obj` becomes what is stored."""
        del change
        stored = services.add_version(obj.model, form.entry, by=person_of(request))
        obj.pk = stored.pk
        obj.refresh_from_db()

    def delete_one(self, obj: ModelVersion, *, by: User) -> None:
        services.delete_version(obj, by=by)
