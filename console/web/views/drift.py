"""What others changed on the objects of a deployment: the page, and putting it back."""

from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from console.web.decorators import deployment_required
from console.web.forms.deployments import DeletionForm
from console.web.htmx import render_page
from console.web.origin import origin_of
from console.web.shown.drift import look_at_drift
from console.web.shown.head import head_of
from console.web.shown.orphans import sentence_of
from deployments.access import require_change
from deployments.exceptions import SlipwayError
from deployments.models import Deployment
from deployments.services.restoring import Restored, put_back_drift

_DONE = "Put back as it was applied."
_PENDING = "Not put back yet; the console puts it back by itself as soon as it can."


@require_safe
@deployment_required
def deployment_drift(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    """Show what differs from what was applied, asked of the cluster now."""
    context = {**head_of(request, deployment), "drift": look_at_drift(deployment)}
    return render_page(request, "deployments/drift.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@deployment_required
def deployment_put_back(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    """Ask before our values are written again; posted, exactly those that were shown are."""
    require_change(request.user, deployment)
    form = DeletionForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        return _put_back(request, deployment, form.cleaned_data["reason"])
    drift = look_at_drift(deployment)
    if not drift.put_back:
        return redirect("deployment-drift", deployment.pk)
    context = {"deployment": deployment, "drift": drift, "form": form}
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.is_bound else HTTPStatus.OK
    return render_page(request, "deployments/put_back.html", context, status=status)


def _put_back(request: HttpRequest, deployment: Deployment, reason: str) -> HttpResponse:
    try:
        restored = put_back_drift(
            deployment,
            user=_person(request),
            digest=request.POST.get("digest", ""),
            reason=reason,
            origin=origin_of(request),
        )
    except SlipwayError as error:
        messages.error(request, f"Not put back. {sentence_of(error)}")
        return redirect("deployment-drift", deployment.pk)
    _tell(request, restored)
    return redirect("deployment-drift", deployment.pk)


def _tell(request: HttpRequest, restored: Restored) -> None:
    if not restored.done:
        messages.warning(request, _PENDING)
    elif restored.fields:
        messages.success(request, _DONE)
    else:
        messages.info(request, "There was nothing to put back any more.")


def _person(request: HttpRequest) -> User:
    if not isinstance(request.user, User):  # the decorators let nobody else in
        raise TypeError("nobody is signed in")
    return request.user
