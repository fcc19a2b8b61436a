"""The list of deployments: what is stored about them, never a question to a cluster."""

from django.conf import settings
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from console.web.decorators import reader_required
from deployments.access import clusters_for, deployments_for
from templates_app.access import Person

PAGE_SIZE = 50


@require_safe
@reader_required
def deployment_list(request: HttpRequest) -> HttpResponse:
    """Show the open deployments, those that need attention first."""
    found = deployments_for(request.user).open().for_list().attention_first()
    page = Paginator(found, PAGE_SIZE).get_page(request.GET.get("page"))
    context = {"page": page, "has_cluster": _has_cluster(request.user)}
    return render(request, "deployments/list.html", context)


def _has_cluster(user: Person) -> bool:
    # The row of the K8S_* environment is written at the first pass, which may be still to come.
    return settings.K8S.is_configured or clusters_for(user).enabled().exists()
