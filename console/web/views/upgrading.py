"""What a newer version of its template would change of a deployment: only to look at."""

import uuid

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from console.web.decorators import deployment_required
from console.web.htmx import render_page
from console.web.shown.diffs import show_diffs
from console.web.shown.head import head_of
from deployments.exceptions import SlipwayError
from deployments.models import Deployment
from deployments.services.upgrading import preview_template
from templates_app.exceptions import Missing
from templates_app.models import ModelDeploymentTemplate
from templates_app.selectors import find_template


@require_safe
@deployment_required
def deployment_newer(
    request: HttpRequest, deployment: Deployment, template_id: uuid.UUID
) -> HttpResponse:
    """Show what would be otherwise with another version of the template; no cluster is asked."""
    template = _template(deployment, template_id)
    context = {**head_of(request, deployment), "template": template}
    try:
        found = preview_template(deployment, template)
    except SlipwayError as refusal:
        context["refusal"] = refusal
    else:
        context |= {"changes": found.words, "diffs": show_diffs(found.objects)}
    return render_page(request, "deployments/newer.html", context)


def _template(deployment: Deployment, template_id: uuid.UUID) -> ModelDeploymentTemplate:
    try:
        return find_template(deployment.model_id, template_id)
    except Missing as error:
        raise Http404 from error
