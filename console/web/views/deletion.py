"""How a deployment ends: deleted, with exactly what goes said first; or forgotten by an admin."""

from http import HTTPStatus

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from console.web.decorators import deployment_required
from console.web.forms.deployments import DeletionForm, ForgettingForm
from console.web.htmx import render_page
from console.web.origin import origin_of
from console.web.shown.going import show_going
from console.web.shown.orphans import sentence_of
from deployments.access import is_admin, require_admin, require_change
from deployments.ending_errors import NotForgettable
from deployments.exceptions import SlipwayError
from deployments.models import Deployment
from deployments.selectors import seen_at, snapshot_of
from deployments.services.deleting import delete_deployment
from deployments.services.foretelling import foretell_deletion
from deployments.services.forgetting import forget_deployment, is_forgettable, last_known_objects
from deployments.services.reapplying import is_removed


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


@require_http_methods(["GET", "HEAD", "POST"])
@deployment_required
def deployment_forget(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    """Ask an admin, by the name typed, before a record is closed without its cluster."""
    require_admin(request.user, doing="forget a deployment")
    if deployment.is_closed:
        return redirect("deployment", deployment.pk)
    if not is_forgettable(deployment):
        return _answer_forgetting(request, deployment, None, NotForgettable(deployment.name))
    form = ForgettingForm(request.POST if request.method == "POST" else None, name=deployment.name)
    if not form.is_valid():
        return _answer_forgetting(request, deployment, form, None)
    try:
        forget_deployment(
            deployment,
            user=_person(request),
            reason=form.cleaned_data["reason"],
            origin=origin_of(request),
        )
    except SlipwayError as error:
        return _answer_forgetting(request, deployment, form, error)
    return redirect("deployment", deployment.pk)


def _ask(request: HttpRequest, deployment: Deployment, form: DeletionForm) -> HttpResponse:
    context = {
        "deployment": deployment,
        "shown": show_going(deployment, foretell_deletion(deployment)),
        "was_removed": is_removed(deployment, snapshot_of(deployment)),
        "may_forget": is_admin(request.user) and is_forgettable(deployment),
        "form": form,
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.is_bound else HTTPStatus.OK
    return render_page(request, "deployments/delete.html", context, status=status)


def _answer_forgetting(
    request: HttpRequest,
    deployment: Deployment,
    form: ForgettingForm | None,
    error: SlipwayError | None,
) -> HttpResponse:
    context = {
        "deployment": deployment,
        "left": last_known_objects(deployment),
        "seen_at": seen_at(deployment),
        "refusal": sentence_of(error) if error else "",
        "form": form,
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form and form.is_bound else HTTPStatus.OK
    status = HTTPStatus.CONFLICT if error else status
    return render_page(request, "deployments/forget.html", context, status=status)


def _person(request: HttpRequest) -> User:
    if not isinstance(request.user, User):  # the decorators let nobody else in
        raise TypeError("nobody is signed in")
    return request.user
