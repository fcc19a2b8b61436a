"""How a step answers: its page with what is wrong said on it, and the status that goes with it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from pydantic import ValidationError

from console.web.htmx import render_page
from console.web.launch.fields import field_groups, fields_of, name_field, said_values
from console.web.launch.leaving import review_of
from console.web.launch.orders import (
    judge_entered,
    read_entered,
    reason_fault,
    sentence,
    sentences,
)
from console.web.launch.outlook import Outlooks, outlook_for
from console.web.launch.passing import Passed, fault_of, notes_of
from console.web.launch.places import count_uncounted
from console.web.launch.review import cure_in_flow, say_launch, show_checks
from console.web.launch.steps import StepFault, progress, url_of
from console.web.launch.telling import tell_faults
from console.web.reasons import kept_reason
from console.web.shown.load_times import say_usual
from console.web.shown.manifests import show_manifests
from deployments.exceptions import Category, Change, ClusterRefused, LaunchChanged, SlipwayError
from deployments.load_times import load_times_of
from deployments.services.capacity import stored_capacity
from deployments.services.launching import Preview, preview_launch
from deployments.services.plans import Judged
from providers.contract.checks import Check, Result
from providers.contract.errors import InvalidRequest
from providers.contract.overrides import Overrides, Scaling, resolve_scaling
from providers.contract.template import TemplateSpec
from templates_app.names import NAME_LENGTH

STATUS_OF: Mapping[Category, HTTPStatus] = {
    Category.INVALID: HTTPStatus.UNPROCESSABLE_ENTITY,
    Category.CONFLICT: HTTPStatus.CONFLICT,
    Category.NOT_FOUND: HTTPStatus.NOT_FOUND,
    Category.FORBIDDEN: HTTPStatus.FORBIDDEN,
    Category.REFUSED: HTTPStatus.UNPROCESSABLE_ENTITY,
    Category.UNAVAILABLE: HTTPStatus.SERVICE_UNAVAILABLE,
}


CHANGED = "What would be applied is no longer what you reviewed; look at it again, then launch."


@dataclass(frozen=True, kw_only=True, slots=True)
class Refusal:
    """Why a launch was not carried out; `record` is the id of a closed record that tells more.

    `reason` is what is wrong with the reason that was typed, if that is why.
    """

    message: str
    status: HTTPStatus = HTTPStatus.UNPROCESSABLE_ENTITY
    changes: tuple[Change, ...] = ()
    record: str = ""
    reason: str = ""

    @classmethod
    def by(cls, error: SlipwayError) -> "Refusal":
        """Return a refusal in the words of an error."""
        if isinstance(error, LaunchChanged):
            # The digest follows from the rest, and says nothing to a reader.
            told = tuple(one for one in error.changes if not one.path.endswith("/digest"))
            return cls(message=CHANGED, status=STATUS_OF[error.category], changes=told)
        of_token = error.fields.get("launch", ())
        return cls(
            message=sentence(of_token[0] if of_token else error.message),
            status=STATUS_OF[error.category],
            record=error.deployment_id if isinstance(error, ClusterRefused) else "",
            reason=reason_fault(error),
        )


def answered(
    request: HttpRequest,
    template: str,
    context: Mapping[str, object],
    fault: StepFault | None,
    *,
    fragment: str = "",
) -> HttpResponse:
    """Answer with a step's page: 422 with the reason when its own choice cannot be taken."""
    status = HTTPStatus.UNPROCESSABLE_ENTITY if fault else HTTPStatus.OK
    full = {**context, "fault": fault}
    return render_page(request, template, full, fragment=fragment, status=status)


def overrides_context(
    passed: Passed, *, is_asked: bool
) -> tuple[Mapping[str, object], StepFault | None]:
    """Return what the fourth step shows, and what is wrong with it.

    Raises StepFault when an earlier step is at fault.
    """
    state, spec = passed.state, passed.spec
    count_uncounted([passed.cluster])
    judged, fault = _judged(passed, is_asked=is_asked or state.is_filled_in)
    scaling = judged.request.scaling if judged else None if fault else _own_scaling(spec)
    faults = fault.fields if fault else {}
    name = name_field(state, _proposal(passed), sentences(faults))
    groups = field_groups(spec, passed.cluster, state, sentences(faults), passed.able)
    return {
        "state": state,
        "steps": progress("overrides", state, notes_of(state, passed.model, passed.chosen)),
        "chosen": passed.chosen,
        "cluster": passed.cluster,
        "name": name,
        "groups": groups,
        "told": tell_faults(faults, (name, *fields_of(groups))),
        "outlook": _outlook(passed, scaling) if scaling else None,
        "carried": _carried(passed),
    }, fault


def answered_review(
    request: HttpRequest, passed: Passed, judged: Judged, refusal: Refusal | None, *, user: User
) -> HttpResponse:
    """Answer with the review of a launch, after a refused one with the reason on top."""
    preview, checks = _preview(passed, user)
    state, ticked = passed.state, frozenset(request.POST.getlist("ticked"))
    shown = show_checks(checks, partial(cure_in_flow, state), ticked)
    context = {
        "state": state,
        "steps": progress("review", state, notes_of(state, passed.model, passed.chosen)),
        "passed": passed,
        "request_": judged.request,
        "sentences": say_launch(judged.request),
        "usual": _usual(passed),
        "preview": preview,
        "checks": shown,
        "can_launch": preview is not None and not shown.failed,
        "manifests": show_manifests(preview.manifests, preview.template_manifests)
        if preview
        else (),
        "outlook": _outlook(passed, judged.request.scaling, preview),
        "changed": said_values(passed.spec, state),
        "refusal": refusal,
        "reason": request.POST.get("reason", kept_reason(request, review_of(state))),
        "here": url_of("review", state),
    }
    status = refusal.status if refusal else HTTPStatus.OK
    return render_page(request, "launch/review.html", context, status=status)


def _judged(passed: Passed, *, is_asked: bool) -> tuple[Judged | None, StepFault | None]:
    found: list[Judged] = []
    fault = fault_of(
        lambda: found.append(judge_entered(passed.state, passed.spec)), is_asked=is_asked
    )
    if fault and fault.step != "overrides":
        raise fault
    return (found[0] if found else None), fault


def _usual(passed: Passed) -> str:
    template = passed.chosen.template.pk
    return say_usual(load_times_of([template]).get(template))


def _preview(passed: Passed, user: User) -> tuple[Preview | None, tuple[Check, ...]]:
    """Return the preview; what refuses one altogether is a failed check."""
    try:
        preview = preview_launch(read_entered(passed.state, passed.spec), user=user)
    except SlipwayError as error:
        field = next(iter(error.fields), "")
        told = Check(code=error.code, result=Result.FAIL, message=error.message, field=field)
        return None, (told,)
    return preview, preview.checks


def _outlook(passed: Passed, scaling: Scaling, preview: Preview | None = None) -> Outlooks:
    cluster = preview.cluster if preview else passed.cluster
    return outlook_for(
        passed.spec,
        scaling,
        preview.capacity if preview else stored_capacity(cluster),
        cluster=cluster.name,
        counted_at=cluster.capacity_at,
    )


def _own_scaling(spec: TemplateSpec) -> Scaling | None:
    try:
        return resolve_scaling(spec, Overrides())
    except (InvalidRequest, ValidationError):
        return None  # a template without a maximum leaves it to the deployer


def _proposal(passed: Passed) -> str:
    return passed.model.name[:NAME_LENGTH]


def _carried(passed: Passed) -> tuple[tuple[str, str], ...]:
    return passed.state.without(*passed.state.entered)
