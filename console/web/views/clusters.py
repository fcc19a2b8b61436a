"""The clusters as last seen: the rows and the counts stored in them, never a call to a cluster."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from console.web.decorators import cluster_required, reader_required
from console.web.htmx import render_page
from console.web.origin import origin_of
from console.web.shown.clusters import show_cluster
from deployments.access import clusters_for, is_admin
from deployments.models import Cluster
from deployments.services.trying import try_cluster

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


@require_POST
@cluster_required
def cluster_try(request: HttpRequest, cluster: Cluster) -> HttpResponse:
    """Ask a cluster now whether it answers, and go on as if it had never failed."""
    failure = try_cluster(cluster, user=request.user, origin=origin_of(request))  # type: ignore[arg-type]  # signed in, or not here
    if failure:
        messages.warning(request, f"{cluster.name} does not answer: {failure}.")
    else:
        messages.success(request, f"{cluster.name} answers; its deployments are read again now.")
    return redirect("clusters")
