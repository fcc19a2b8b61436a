"""Changing a deployment: the form, and the review whose one POST does what was reviewed."""

from dataclasses import replace
from http import HTTPStatus

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_http_methods, require_safe

from console.web.change.addresses import form_url
from console.web.change.faults import fault_of
from console.web.change.fields import form_context
from console.web.change.leaving import LONGEST, leave_review
from console.web.change.orders import order_of
from console.web.change.refusals import Refusal, refusal_by
from console.web.change.reviewing import answered_dead_end, answered_review, rebased
from console.web.change.seen import Seen, see
from console.web.change.state import Deed, read_change_state
from console.web.change.words import DEEDS
from console.web.decorators import deployment_required
from console.web.htmx import render_page
from console.web.launch.review import unticked
from console.web.origin import origin_of
from console.web.reasons import LEAVE, forget_reason
from deployments.access import require_change
from deployments.exceptions import SlipwayError
from deployments.models import Deployment
from deployments.services.change_bases import conflict_since
from deployments.services.changing import change_deployment
from providers.registry import is_carried

BACK = "back"
_UNREVIEWED = "This form is not one of a review; look at the review below first."
_UNTICKED = "Tick every warning below first: it says that you have read it."


@require_safe
@cache_control(private=True, no_cache=True)
@deployment_required
def deployment_change(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    """Ask what shall be otherwise: every field holds what is wanted now, or what was entered."""
    require_change(request.user, deployment)
    if deployment.is_closed or deployment.is_deleting or not is_carried(deployment.kind):
        return redirect("deployment", deployment.pk)
    told = _seen(request, deployment)
    seen, conflict = rebased(told, deployment), _conflict(told, deployment)
    fault = fault_of(seen) if BACK in request.GET or seen.lacks_template else None
    faults = fault.fields if fault else {}
    context = {
        "deployment": deployment,
        "seen": seen,
        "fault": fault,
        "conflict": conflict,
        "longest_reason": LONGEST,
        **form_context(seen, faults),
    }
    status = conflict.status if conflict else HTTPStatus.OK
    status = HTTPStatus.UNPROCESSABLE_ENTITY if fault else status
    return render_page(request, "change/form.html", context, status=status)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@deployment_required
def deployment_change_review(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    """Show what a change would do; posted, it is done, or left as it is."""
    require_change(request.user, deployment)
    if deployment.is_closed or deployment.is_deleting:
        return redirect("deployment", deployment.pk)
    seen = _seen(request, deployment)
    if seen.lacks_template:
        return _back_to_form(request, seen)
    if request.method != "POST":
        return _review(request, seen, _conflict(seen, deployment))
    if LEAVE in request.POST:
        return redirect(leave_review(request, deployment, seen.state))
    refusal = _refuse_unread(request, seen) or _change(request, seen)
    if refusal is None:
        forget_reason(request)
        return redirect("deployment", deployment.pk)
    deployment.refresh_from_db()
    return _review(request, seen, refusal)


def _change(request: HttpRequest, seen: Seen) -> Refusal | None:
    """Do what was reviewed; return what stands against it."""
    given = request.POST
    try:
        order = order_of(seen, expected=None, token=given["change"], reason=given.get("reason", ""))
        change_deployment(
            order,
            deployment=seen.deployment,
            user=_person(request),
            origin=origin_of(request),
        )
    except SlipwayError as error:
        return refusal_by(error, DEEDS[seen.state.deed])
    return None


def _review(request: HttpRequest, told: Seen, refusal: Refusal | None) -> HttpResponse:
    """Answer with the review; where there can be none, with the form, or with why."""
    if told.deployment.is_closed or told.deployment.is_deleting:
        return redirect("deployment", told.deployment.pk)
    seen = rebased(told, told.deployment)
    try:
        return answered_review(request, seen, refusal, user=_person(request))
    except SlipwayError as error:
        if seen.state.deed is Deed.CHANGE and error.fields:
            return _back_to_form(request, seen)
        return answered_dead_end(request, seen, refusal_by(error, DEEDS[seen.state.deed]))


def _back_to_form(request: HttpRequest, seen: Seen) -> HttpResponse:
    """Lead to the form, which says what is wrong with what was entered; nothing of it is lost."""
    reason = request.POST.get("reason", "").strip()
    kept = replace(seen.state, reason=reason[:LONGEST] or seen.state.reason)
    return redirect(form_url(seen.deployment, kept, **{BACK: "1"}))


def _refuse_unread(request: HttpRequest, seen: Seen) -> Refusal | None:
    given, undone = request.POST, DEEDS[seen.state.deed].undone
    message = ""
    if not given.get("change"):
        message = _UNREVIEWED
    elif unticked(given.getlist("warned"), frozenset(given.getlist("ticked"))):
        message = _UNTICKED
    if not message:
        return None
    return Refusal(title=undone, message=message, status=HTTPStatus.UNPROCESSABLE_ENTITY)


def _conflict(seen: Seen, deployment: Deployment) -> Refusal | None:
    """Return what came in between where what was entered was for an earlier revision."""
    if seen.state.base in {0, deployment.revision}:
        return None
    conflict = conflict_since(deployment, seen.state.base)
    return refusal_by(conflict, DEEDS[seen.state.deed])


def _seen(request: HttpRequest, deployment: Deployment) -> Seen:
    return see(read_change_state(request.GET), deployment)


def _person(request: HttpRequest) -> User:
    if not isinstance(request.user, User):  # the decorators let nobody else in
        raise TypeError("nobody is signed in")
    return request.user
