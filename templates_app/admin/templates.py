"""Templates in the admin: a YAML editor for drafts, the moves, import and export."""

from collections.abc import Callable
from typing import Any

from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from templates_app import services
from templates_app.admin.base import CuratedAdmin, person_of
from templates_app.admin.fields import as_yaml
from templates_app.admin.forms import TemplateForm
from templates_app.admin.importing import import_page
from templates_app.admin.previewing import show_previews
from templates_app.exceptions import CatalogueError
from templates_app.models import ModelDeploymentTemplate
from templates_app.yamlio import export_templates

Template = ModelDeploymentTemplate
Status = ModelDeploymentTemplate.Status


@admin.register(ModelDeploymentTemplate)
class TemplateAdmin(CuratedAdmin):
    form = TemplateForm
    list_display = ("model", "name", "version", "status", "updated_at")
    list_display_links = ("name",)
    list_filter = ("status",)
    search_fields = ("name", "version", "model__search_text")
    list_select_related = ("model",)
    actions = ("activate", "deprecate", "make_new_version", "export")
    change_form_template = "admin/templates_app/modeldeploymenttemplate/change_form.html"

    def has_change_permission(self, request: HttpRequest, obj: Template | None = None) -> bool:
        """Say no to a frozen template: it is shown, its moves stand beside it."""
        return super().has_change_permission(request, obj) and not (obj and obj.is_frozen)

    def get_fields(self, request: HttpRequest, obj: Template | None = None) -> Any:
        del request
        if obj is None:
            return ("model", "name", "version", "spec_text")
        return ("model", "name", "version", "status", "spec_yaml" if obj.is_frozen else "spec_text")

    def get_readonly_fields(self, request: HttpRequest, obj: Template | None = None) -> Any:
        """Keep model and status of a stored template; a frozen one altogether."""
        if obj and obj.is_frozen:
            return self.get_fields(request, obj)
        return ("model", "status") if obj else ()

    @admin.display(description="Spec")
    def spec_yaml(self, obj: Template) -> SafeString:
        """Return the spec to read."""
        return format_html("<pre>{}</pre>", as_yaml(obj.spec))

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """Show below a stored template what it would become."""
        stored = context.get("original")
        if stored is not None:
            # The form may have written what was typed into its copy; what is stored is shown.
            context["previews"] = show_previews(self._stored(stored))
        return super().render_change_form(request, context, *args, **kwargs)

    def get_urls(self) -> list[URLPattern]:
        """Add the import, and one address for each move of one template."""
        site = self.admin_site.admin_view
        return [
            path("import/", site(self.import_view), name="import_templates"),
            path("<uuid:pk>/move/<slug:verb>/", site(self.move_view), name="move_template"),
            *super().get_urls(),
        ]

    def save_model(self, request: HttpRequest, obj: Template, form: Any, change: bool) -> None:  # noqa: FBT001 - Django's signature
        """Store a draft through the services, and show what stands against it."""
        by = person_of(request)
        if change:
            stored = services.update_template(obj, form.entry, by=by)
        else:
            stored = services.create_template(obj.model, form.entry, by=by)
        obj.pk = stored.pk
        obj.refresh_from_db()
        for notice in services.warnings_of(stored):
            line = f"{stored}: {notice.path}: {notice.message}"
            self.message_user(request, line, messages.WARNING)

    def delete_one(self, obj: Template, *, by: User) -> None:
        services.delete_template(obj, by=by)

    @admin.action(description="Activate")
    def activate(self, request: HttpRequest, queryset: QuerySet[Template]) -> None:
        self._each(request, queryset, services.activate_template)

    @admin.action(description="Deprecate")
    def deprecate(self, request: HttpRequest, queryset: QuerySet[Template]) -> None:
        self._each(request, queryset, services.deprecate_template)

    @admin.action(description="New version from this")
    def make_new_version(self, request: HttpRequest, queryset: QuerySet[Template]) -> None:
        self._each(request, queryset, services.new_version_from)

    @admin.action(description="Export as YAML")
    def export(self, request: HttpRequest, queryset: QuerySet[Template]) -> HttpResponse:
        """Answer a file that an import takes."""
        del request
        answer = HttpResponse(
            export_templates(queryset), content_type="application/yaml; charset=utf-8"
        )
        answer["Content-Disposition"] = 'attachment; filename="templates.yaml"'
        return answer

    def import_view(self, request: HttpRequest) -> HttpResponse:
        """Take a file of templates, whole or not at all."""
        return import_page(request, self)

    def move_view(self, request: HttpRequest, pk: str, verb: str) -> HttpResponse:
        """Do one of the moves from a template's own page."""
        if not self.has_view_permission(request) or request.method != "POST":
            raise PermissionDenied
        act = _VERBS.get(verb)
        if act is None:
            raise Http404
        moved = self._move(request, get_object_or_404(Template, pk=pk), act)
        page = reverse("admin:templates_app_modeldeploymenttemplate_change", args=[moved.pk])
        return HttpResponseRedirect(page)

    def _stored(self, template: Template) -> Template:
        return Template.objects.select_related("model").get(pk=template.pk)

    def _each(self, request: HttpRequest, queryset: QuerySet[Template], act: "_Act") -> None:
        for template in queryset.select_related("model"):
            self._move(request, template, act)

    def _move(self, request: HttpRequest, template: Template, act: "_Act") -> Template:
        try:
            moved = act(template, by=person_of(request))
        except CatalogueError as refusal:
            self.tell_refusal(request, refusal, about=template)
            return template
        self.message_user(request, f"{moved} is {moved.status}.", messages.SUCCESS)
        return moved


_Act = Callable[..., Template]
_VERBS: dict[str, _Act] = {
    "activate": services.activate_template,
    "deprecate": services.deprecate_template,
    "new-version": services.new_version_from,
}
