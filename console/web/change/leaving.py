"""The way back from a review: nothing is done, and the reason that was typed there is kept.

The form of a change has a field for it, and an address that holds it: for what is not too long for
addresses.
"""

from dataclasses import replace

from django.http import HttpRequest

from console.web.change.addresses import back_url
from console.web.change.state import ChangeState
from console.web.reasons import keep_reason
from deployments.models import Deployment

LONGEST = 200  # characters of a reason in an address; each may take nine of a URL's bytes


def leave_review(request: HttpRequest, deployment: Deployment, state: ChangeState) -> str:
    """Keep the reason that was typed, and return the address to go back to."""
    reason = keep_reason(request, review_of(deployment, state))
    return back_url(deployment, replace(state, reason=reason if len(reason) <= LONGEST else ""))


def review_of(deployment: Deployment, state: ChangeState) -> str:
    """Return what tells this review from others."""
    return f"{deployment.pk} {state.deed}"
