"""The reason that was typed on a review, for as long as the review is left.

The person's session keeps the last one until a review of the same is opened again, or carried out.
"""

from django.http import HttpRequest

from console.web.launch.state import MAX_LENGTH

LEAVE = "leave"
_KEPT = "reason_of_review"


def keep_reason(request: HttpRequest, of: str) -> str:
    """Keep the reason that was typed on the review `of` something, and return it."""
    reason = request.POST.get("reason", "")[:MAX_LENGTH].strip()
    request.session[_KEPT] = {"of": of, "reason": reason}
    return reason


def kept_reason(request: HttpRequest, of: str) -> str:
    """Return the reason that was typed on that review when it was left, else empty."""
    kept = request.session.get(_KEPT, {})
    return str(kept["reason"]) if kept.get("of") == of else ""


def forget_reason(request: HttpRequest) -> None:
    """Keep no reason any more: what it was typed for is done."""
    request.session.pop(_KEPT, None)
