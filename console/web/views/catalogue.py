"""The catalogue to read: models, one model, one template; each with what can be launched of it."""

from http import HTTPStatus
from uuid import UUID

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from console.web.decorators import reader_required
from console.web.forms.catalogue import CatalogueForm
from console.web.htmx import render_page
from console.web.shown.load_times import say_usual
from console.web.shown.templates import show_template
from deployments.access import can_launch, deployments_for
from deployments.load_times import load_times_of
from deployments.runs import runs_of
from deployments.selectors import open_count_by_template
from deployments.services.comparing import compare_templates
from providers.contract.yaml_text import to_yaml
from templates_app.access import can_curate
from templates_app.exceptions import Missing
from templates_app.models import Model, ModelDeploymentTemplate
from templates_app.selectors import (
    categories,
    find_model,
    find_template,
    models_for,
    templates_of,
)
from templates_app.services import warnings_of

PAGE_SIZE = 50
RUNS_PAGE_SIZE = 25


@require_safe
@reader_required
def model_list(request: HttpRequest) -> HttpResponse:
    """Show the models, narrowed by words and category."""
    form = CatalogueForm(request.GET, categories=categories())
    found = models_for(**form.cleaned_data) if form.is_valid() else Model.objects.none()
    page = Paginator(found.with_active_count().order_by("name_key"), PAGE_SIZE).get_page(
        request.GET.get("page")
    )
    narrowing = request.GET.copy()
    narrowing.pop("page", None)
    context = {
        "form": form,
        "page": page,
        "narrowing": narrowing.urlencode(),
        "is_narrowed": any(form.data.get(name) for name in form.fields),
        "may_curate": can_curate(request.user),
    }
    status = HTTPStatus.OK if form.is_valid() else HTTPStatus.UNPROCESSABLE_ENTITY
    return render_page(request, "catalogue/models.html", context, fragment="models", status=status)


@require_safe
@reader_required
def model(request: HttpRequest, model_id: str) -> HttpResponse:
    """Show one model: its facts, registered versions and templates, newest of each name first."""
    found = _model(model_id)
    own = deployments_for(request.user).filter(model=found)
    counts = open_count_by_template(own)
    templates = [show_template(template) for template in templates_of(found)]
    context = {
        "model": found,
        "versions": found.versions.all(),
        "templates": [(shown, counts.get(shown.template.pk, 0)) for shown in templates],
        "open_count": sum(counts.values()),
        "can_be_launched": any(shown.template.status == "active" for shown in templates),
        "may_launch": can_launch(request.user),
        "may_curate": can_curate(request.user),
    }
    return render_page(request, "catalogue/model.html", context)


@require_safe
@reader_required
def template(request: HttpRequest, model_id: str, template_id: UUID) -> HttpResponse:
    """Show one template: what it needs and serves, what may be changed, what stands against it."""
    found = _template(model_id, template_id)
    runs = runs_of(found, request.user)
    context = {
        "shown": show_template(found),
        "template": found,
        "model": found.model,
        "warnings": warnings_of(found),
        "yaml": to_yaml([found.spec]),
        "usual": say_usual(load_times_of([found.pk]).get(found.pk)),
        "runs": runs,
        "older": [
            (one, count, compare_templates(one, found)) for one, count in runs.older_in_use()
        ],
        "page": Paginator(runs.rows, RUNS_PAGE_SIZE).get_page(request.GET.get("page")),
        "may_launch": can_launch(request.user),
        "may_curate": can_curate(request.user),
    }
    return render_page(request, "catalogue/template.html", context)


def _model(model_id: str) -> Model:
    try:
        return find_model(model_id)
    except Missing as error:
        raise Http404 from error


def _template(model_id: str, template_id: UUID) -> ModelDeploymentTemplate:
    try:
        return find_template(model_id, template_id)
    except Missing as error:
        raise Http404 from error
