"""Applying again what was removed outside: asked first, done once."""

from http import HTTPStatus

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from console.web.decorators import deployment_required
from console.web.forms.deployments import DeletionForm
from console.web.htmx import render_page
from console.web.launch.answers import STATUS_OF
from console.web.origin import origin_of
from console.web.shown.orphans import sentence_of
from deployments.access import require_change
from deployments.ending_errors import NotRemoved
from deployments.exceptions import ClusterUnavailable, SlipwayError
from deployments.models import Deployment
from deployments.selectors import current_revision
from deployments.services.reapplying import reapply_deployment, require_removed
from providers.contract.manifest import key_of
from providers.registry import is_carried


@require_http_methods(["GET", "HEAD", "POST"])
@deployment_required
def deployment_reapply(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    """Ask before what was removed is made anew; what ends is only looked at."""
    require_change(request.user, deployment)
    if deployment.is_closed or deployment.is_deleting:
        return redirect("deployment", deployment.pk)
    form = DeletionForm(request.POST if request.method == "POST" else None)
    if not form.is_bound:
        return _ask(request, deployment, form, _nothing_to_apply(deployment))
    if not form.is_valid():
        return _ask(request, deployment, form, None)
    try:
        reapply_deployment(
            deployment,
            user=_person(request),
            reason=form.cleaned_data["reason"],
            origin=origin_of(request),
        )
    except SlipwayError as error:
        return _ask(request, deployment, form, error)
    return redirect("deployment", deployment.pk)


def _nothing_to_apply(deployment: Deployment) -> SlipwayError | None:
    """Return why it cannot be applied again; None where it can, or where nobody knows."""
    try:
        require_removed(deployment)
    except NotRemoved as error:
        return error
    except ClusterUnavailable as error:
        return None if is_carried(deployment.kind) else error
    return None


def _ask(
    request: HttpRequest,
    deployment: Deployment,
    form: DeletionForm,
    error: SlipwayError | None,
) -> HttpResponse:
    """Answer with the form and what stands against it; without one where there is nothing to do."""
    manifests = current_revision(deployment).manifests
    context = {
        "deployment": deployment,
        "objects": [key_of(manifest) for manifest in manifests],
        "refusal": sentence_of(error) if error else "",
        "form": None if isinstance(error, NotRemoved) else form,
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.is_bound else HTTPStatus.OK
    status = STATUS_OF[error.category] if error else status
    return render_page(request, "deployments/reapply.html", context, status=status)


def _person(request: HttpRequest) -> User:
    if not isinstance(request.user, User):  # the decorators let nobody else in
        raise TypeError("nobody is signed in")
    return request.user
