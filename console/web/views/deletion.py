"""Deleting a deployment: a page that lists exactly what goes, and the deed."""

from http import HTTPStatus

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from console.web.decorators import deployment_required
from console.web.forms.deployments import DeletionForm
from console.web.htmx import render_page
from console.web.origin import origin_of
from deployments.access import require_change
from deployments.models import Deployment
from deployments.selectors import current_revision
from deployments.services.deleting import delete_deployment
from providers.contract.manifest import key_of


@require_http_methods(["GET", "HEAD", "POST"])
@deployment_required
def deployment_delete(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    """Ask before a deployment is deleted; what goes already is only looked at."""
    require_change(request.user, deployment)
    if deployment.is_closed or deployment.is_deleting:
        return redirect("deployment", deployment.pk)
    form = DeletionForm(request.POST if request.method == "POST" else None)
    if not form.is_valid():
        return _ask(request, deployment, form)
    delete_deployment(
        deployment,
        user=_person(request),
        reason=form.cleaned_data["reason"],
        origin=origin_of(request),
    )
    return redirect("deployment", deployment.pk)


def _ask(request: HttpRequest, deployment: Deployment, form: DeletionForm) -> HttpResponse:
    manifests = current_revision(deployment).manifests
    context = {
        "deployment": deployment,
        "objects": [key_of(manifest) for manifest in manifests],
        "form": form,
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.is_bound else HTTPStatus.OK
    return render_page(request, "deployments/delete.html", context, status=status)


def _person(request: HttpRequest) -> User:
    if not isinstance(request.user, User):  # the decorators let nobody else in
        raise TypeError("nobody is signed in")
    return request.user
