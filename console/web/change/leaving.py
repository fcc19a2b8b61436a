"""The way back from a review: nothing is done, and the reason that was typed there is kept.

The person's session keeps the last one until a review of the same kind is opened again, or carried
out. The form of a change has a field for it, and an address that holds it: for what is not too long
for addresses.
"""

from dataclasses import replace

from django.http import HttpRequest

from console.web.change.addresses import back_url
from console.web.change.state import ChangeState
from console.web.launch.state import MAX_LENGTH
from deployments.models import Deployment

LEAVE = "leave"
LONGEST = 200  # characters of a reason in an address; each may take nine of a URL's bytes
_KEPT = "reason_of_review"


def leave_review(request: HttpRequest, deployment: Deployment, state: ChangeState) -> str:
    """Keep the reason that was typed, and return the address to go back to."""
    reason = request.POST.get("reason", "")[:MAX_LENGTH].strip()
    request.session[_KEPT] = {"of": _review_of(deployment, state), "reason": reason}
    return back_url(deployment, replace(state, reason=reason if len(reason) <= LONGEST else ""))


def kept_reason(request: HttpRequest, deployment: Deployment, state: ChangeState) -> str:
    """Return the reason that was typed on the review of this deed when it was left, else empty."""
    kept = request.session.get(_KEPT, {})
    return str(kept["reason"]) if kept.get("of") == _review_of(deployment, state) else ""


def forget_reason(request: HttpRequest) -> None:
    """Keep no reason any more: what it was typed for is done."""
    request.session.pop(_KEPT, None)


def _review_of(deployment: Deployment, state: ChangeState) -> str:
    return f"{deployment.pk} {state.deed}"
