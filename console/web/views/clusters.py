"""The clusters as last seen: the rows and the counts stored in them, never a call to a cluster."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from console.web.decorators import reader_required
from console.web.htmx import render_page
from console.web.shown.clusters import show_cluster
from deployments.access import clusters_for, is_admin

PAGE_SIZE = 20


@require_safe
@reader_required
def cluster_list(request: HttpRequest) -> HttpResponse:
    """Show every cluster with what is free on it and how old that is."""
    rows = clusters_for(request.user).default_first()
    page = Paginator(rows, PAGE_SIZE).get_page(request.GET.get("page"))
    now = timezone.now()
    context = {
        "page": page,
        "clusters": [show_cluster(cluster, now=now) for cluster in page],
        "may_change": is_admin(request.user),
    }
    return render_page(request, "clusters/list.html", context, fragment="clusters")
