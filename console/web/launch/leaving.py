"""The way from the review of a launch to another look: nothing is done, and the reason is kept."""

from django.http import HttpRequest

from console.web.launch.state import LaunchState
from console.web.launch.steps import url_of
from console.web.reasons import LEAVE, keep_reason

REVIEW, OVERRIDES = "review", "overrides"


def leave_review(request: HttpRequest, state: LaunchState) -> str:
    """Keep the reason that was typed, and return the address of the step that was asked for."""
    keep_reason(request, review_of(state))
    return url_of(REVIEW if request.POST[LEAVE] == REVIEW else OVERRIDES, state)


def review_of(state: LaunchState) -> str:
    """Return what tells the review of this launch from others."""
    return f"launch {state.model_id}"
