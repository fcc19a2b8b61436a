"""The review of a change: what would happen, shown; after a refusal with the reason on top."""

from functools import partial
from http import HTTPStatus

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse

from console.web.change.addresses import back_url, form_url, review_url
from console.web.change.effects import show_effects
from console.web.change.faults import form_name
from console.web.change.leaving import review_of
from console.web.change.orders import order_of
from console.web.change.refusals import Refusal
from console.web.change.seen import Seen, see
from console.web.change.state import ChangeState, Deed
from console.web.change.words import DEEDS
from console.web.htmx import render_page
from console.web.launch.fields import label_of
from console.web.launch.outlook import Outlooks
from console.web.launch.review import Cure, show_checks
from console.web.reasons import kept_reason
from console.web.shown.able import able_of
from console.web.shown.diffs import show_diffs
from deployments.models import Deployment
from deployments.services.changing import ChangePreview, preview_change
from deployments.services.meddling import Meddling, meddling_with

REPLACE = "replace"


def rebased(seen: Seen, deployment: Deployment) -> Seen:
    """Return a change on the revision that is wanted now, with what its person wants otherwise."""
    if seen.state.base == deployment.revision:
        return seen
    return see(seen.state.on(deployment.revision, seen.changed), deployment)


def answered_dead_end(request: HttpRequest, seen: Seen, refusal: Refusal) -> HttpResponse:
    """Answer with why there is no review of a change, and the way back."""
    words = DEEDS[seen.state.deed]
    context = {
        "deployment": seen.deployment,
        "heading": words.heading.format(seen.deployment.name),
        "refusal": refusal,
        "back_url": back_url(seen.deployment, seen.state),
    }
    return render_page(request, "change/dead_end.html", context, status=refusal.status)


def answered_review(
    request: HttpRequest, seen: Seen, refusal: Refusal | None, *, user: User
) -> HttpResponse:
    """Answer with the review of a change; raises what its preview raises."""
    deployment, state = seen.deployment, seen.state
    preview = preview_change(order_of(seen, expected=None), deployment=deployment, user=user)
    checks = show_checks(
        preview.checks,
        partial(_cure, deployment, state),
        frozenset(request.POST.getlist("ticked")),
    )
    meddling = meddling_with(deployment, preview) if preview.is_change else Meddling()
    effects = show_effects(
        preview.effects, preview.plan.plan.capacity, preview.load_times, meddling.undone
    )
    context = {
        "deployment": deployment,
        "seen": seen,
        "state": state,
        "words": DEEDS[state.deed],
        "heading": DEEDS[state.deed].heading.format(deployment.name),
        "refusal": refusal,
        "preview": preview,
        "changes": preview.comparison.words,
        "diffs": show_diffs(preview.comparison.objects),
        "meddling": meddling,
        "effects": effects,
        "outlook": Outlooks(
            cluster=deployment.cluster.name,
            counted_at=preview.base.deployment.cluster.capacity_at,
            types=effects.outlooks,
        ),
        "checks": checks,
        "can_confirm": preview.is_change and not checks.failed,
        "replace_url": _replace_url(seen, preview),
        "reason": _reason(request, seen),
        "here": review_url(deployment, state),
    }
    status = refusal.status if refusal else HTTPStatus.OK
    return render_page(request, "change/review.html", context, status=status)


def _reason(request: HttpRequest, seen: Seen) -> str:
    """Return the reason as it was typed: just now, on the form, or when the review was left."""
    if "reason" in request.POST:
        return request.POST["reason"]
    return seen.state.reason or kept_reason(request, review_of(seen.deployment, seen.state))


def _cure(deployment: Deployment, state: ChangeState, path: str) -> Cure:
    """Return the way to the form's field, where the form has one for a path."""
    name = form_name(path)
    if state.deed is not Deed.CHANGE or name == path:
        return Cure(words="Back", url=back_url(deployment, state))
    anchor = f"#field-{name.replace('.', '-')}"
    words = f"Change {label_of(name).lower()}"
    return Cure(words=words, url=f"{form_url(deployment, state)}{anchor}")


def _replace_url(seen: Seen, preview: ChangePreview) -> str:
    """Return the way to a rollout that needs no spare accelerator; empty where none is offered."""
    bound, able = seen.spec.overridable.get("rollout"), able_of(seen.deployment).rollouts
    is_open = REPLACE in able and (bound is None or bound.values is None or REPLACE in bound.values)
    is_replacing = preview.effects.rollout.value == REPLACE
    is_form_s = seen.state.deed is Deed.CHANGE
    if not (is_open and is_form_s and preview.effects.surge) or is_replacing:
        return ""
    return review_url(seen.deployment, seen.state.with_entered(rollout=REPLACE))
