"""Where an act of a page comes from, as the audit trail keeps it."""

from django.http import HttpRequest

from console.logs import REQUEST_ID
from deployments.services.auditing import Origin


def origin_of(request: HttpRequest) -> Origin:
    """Return the face and the request."""
    return Origin(source="web", request_id=str(request.META.get(REQUEST_ID, "")))
