"""The import page of the admin: one text of YAML, whole or not at all."""

from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse

from providers.contract.yaml_text import MAX_CHARACTERS
from templates_app.admin.base import CuratedAdmin, person_of, told
from templates_app.admin.fields import EDITOR
from templates_app.exceptions import ImportRefused
from templates_app.yamlio import ImportReport, import_and_activate, import_templates

_PAGE = "admin/templates_app/modeldeploymenttemplate/import.html"


class ImportForm(forms.Form):
    """A pasted text or a file of the same form."""

    text = forms.CharField(
        required=False,
        strip=False,
        max_length=MAX_CHARACTERS,
        widget=forms.Textarea(attrs=EDITOR),
        label="YAML",
    )
    file = forms.FileField(required=False, help_text="Instead of the text.")
    activate = forms.BooleanField(
        required=False, help_text="Bring each template to the status that its document names."
    )

    def clean(self) -> dict[str, Any]:
        """Read the file where one is given; one of the two must be."""
        given = self.cleaned_data
        if given.get("file"):
            try:
                given["text"] = given["file"].read(4 * MAX_CHARACTERS).decode("utf-8")
            except UnicodeDecodeError:
                self.add_error("file", "This file is not UTF-8 text.")
        elif not self.errors and not given["text"].strip():
            self.add_error("text", "Paste a text, or choose a file.")
        return given


def import_page(request: HttpRequest, page: CuratedAdmin) -> HttpResponse:
    """Show the form; store what it holds, or show each fault with document, path and line."""
    if not page.has_add_permission(request):
        raise PermissionDenied
    form = ImportForm(request.POST or None, request.FILES or None)
    if form.is_valid():
        report = _import(request, form)
        if report:
            page.message_user(request, _counted(report), messages.SUCCESS)
            listed = reverse("admin:templates_app_modeldeploymenttemplate_changelist")
            return HttpResponseRedirect(listed)
    context = {
        **page.admin_site.each_context(request),
        "form": form,
        "opts": page.opts,
        "title": "Import templates",
    }
    status = 422 if form.errors else 200
    return TemplateResponse(request, _PAGE, context, status=status)


def _import(request: HttpRequest, form: ImportForm) -> ImportReport | None:
    act = import_and_activate if form.cleaned_data["activate"] else import_templates
    try:
        return act(form.cleaned_data["text"], by=person_of(request))
    except ImportRefused as refusal:
        form.add_error("text", told(refusal))
        return None


def _counted(report: ImportReport) -> str:
    return (
        f"{len(report.created)} created, {len(report.updated)} updated, "
        f"{len(report.unchanged)} unchanged."
    )
