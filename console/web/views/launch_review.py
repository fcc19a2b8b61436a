"""The end of the launch flow: the review, and the one POST that launches what was reviewed."""

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import NoReverseMatch, reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from console.web.decorators import launcher_required
from console.web.launch.answers import Refusal, answered_review
from console.web.launch.leaving import leave_review
from console.web.launch.orders import judge_entered, read_entered
from console.web.launch.passing import Passed, pass_place
from console.web.launch.review import unticked
from console.web.launch.state import read_state
from console.web.origin import origin_of
from console.web.reasons import LEAVE, forget_reason
from console.web.views.launch import go, in_flow
from deployments.exceptions import SlipwayError
from deployments.models import Deployment
from deployments.services.launching import create_deployment

UNREVIEWED = Refusal(message="This form is not one of a review; look at the review below first.")
UNTICKED = Refusal(message="Tick every warning below first: it says that you have read it.")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@launcher_required
@in_flow
def launch_review(request: HttpRequest) -> HttpResponse:
    """Last step: what will happen; posted, it happens, or is left as it is."""
    passed = pass_place(read_state(request.GET), user=request.user)
    if LEAVE in request.POST:
        return redirect(leave_review(request, passed.state))
    if request.method == "POST":
        return _launch(request, passed)
    return _review(request, passed)


def _launch(request: HttpRequest, passed: Passed) -> HttpResponse:
    """Launch what was reviewed; whatever stands against it is told on the review, nothing lost."""
    given = request.POST
    if not given.get("launch"):
        return _review(request, passed, UNREVIEWED)
    if unticked(given.getlist("warned"), frozenset(given.getlist("ticked"))):
        return _review(request, passed, UNTICKED)
    try:
        deployment = _create(request, passed)
    except SlipwayError as error:
        return _review(request, passed, Refusal.by(error))
    forget_reason(request)
    return go(request, _address_of(deployment))


def _create(request: HttpRequest, passed: Passed) -> Deployment:
    given = request.POST
    order = read_entered(
        passed.state, passed.spec, launch=given["launch"], reason=given.get("reason", "")
    )
    return create_deployment(order, user=_person(request), origin=origin_of(request))


def _review(request: HttpRequest, passed: Passed, refusal: Refusal | None = None) -> HttpResponse:
    # What needs no cluster is judged first: then the step at fault shows it beside its field.
    judged = judge_entered(passed.state, passed.spec)
    return answered_review(request, passed, judged, refusal, user=_person(request))


def _address_of(deployment: Deployment) -> str:
    try:
        return reverse("deployment", args=[deployment.pk])
    except NoReverseMatch:
        return reverse("deployments")


def _person(request: HttpRequest) -> User:
    person = request.user
    if not isinstance(person, User):
        raise TypeError("a launch needs somebody who is signed in")
    return person
