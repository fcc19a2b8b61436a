"""The revision of a deployment as its ETag, and what a caller expects it to be.

It tells what is wanted of a deployment, not how it is: so it guards changes, and no cache.
"""

import re

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from deployments.exceptions import InvalidOrder

IF_MATCH = OpenApiParameter(
    "If-Match",
    str,
    OpenApiParameter.HEADER,
    description="The ETag of what you have read: 409 with what changed when it is another now.",
)

_HEADER = "If-Match"
# A proxy that packs answers makes weak tags of strong ones.
_TAG = re.compile(r'(?:W/)?"?([0-9]{1,9})"?')


def expected_revision(request: Request) -> int | None:
    """Return the revision that a call expects, None for any; raises InvalidOrder for no number."""
    given = request.headers.get(_HEADER, "").strip()
    if given in ("", "*"):
        return None
    found = _TAG.fullmatch(given)
    if found is None:
        raise InvalidOrder.of(_HEADER, 'must be the ETag of a deployment, such as "3", or *')
    return int(found[1])


def tagged(response: Response) -> Response:
    """Return an answer with the revision that it tells of as its ETag."""
    response.headers["ETag"] = f'"{response.data["revision"]}"'
    return response
