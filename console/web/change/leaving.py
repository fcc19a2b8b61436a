"""The way back from a review: nothing is done, and the reason that was typed there is kept.

The form of a change has a field for it. A stop, a start or a rollback has no form, so the person's
session keeps the last one until a review of the same kind is opened again, or carried out.
"""

from dataclasses import replace

from django.http import HttpRequest

from console.web.change.addresses import back_url
from console.web.change.state import ChangeState, Deed
from console.web.launch.state import MAX_LENGTH
from deployments.models import Deployment

LEAVE = "leave"
_KEPT = "reason_of_review"


def leave_review(request: HttpRequest, deployment: Deployment, state: ChangeState) -> str:
    """Keep the reason that was typed, and return the address to go back to."""
    reason = request.POST.get("reason", "")[:MAX_LENGTH].strip()
    if state.deed is not Deed.CHANGE:
        request.session[_KEPT] = {"of": _review_of(deployment, state), "reason": reason}
    return back_url(deployment, replace(state, reason=reason))


def kept_reason(request: HttpRequest, deployment: Deployment, state: ChangeState) -> str:
    """Return the reason that was typed on the review of this deed when it was left, else empty."""
    kept = request.session.get(_KEPT, {})
    return str(kept["reason"]) if kept.get("of") == _review_of(deployment, state) else ""


def forget_reason(request: HttpRequest) -> None:
    """Keep no reason any more: what it was typed for is done."""
    request.session.pop(_KEPT, None)


def _review_of(deployment: Deployment, state: ChangeState) -> str:
    return f"{deployment.pk} {state.deed}"
