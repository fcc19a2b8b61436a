"""The log of one container of a deployment, as plain text."""

from datetime import UTC

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import api_view, permission_classes
from rest_framework.request import Request

from console.api.documented import errors
from console.api.people import person
from console.api.permissions import ReaderOnly
from console.log_queries import MOST_LINES, log_query_of, switch_of
from deployments.access import get_visible_or_404
from deployments.services.logs import require_log
from providers.contract.observing import LogLine

_ASKED = (
    OpenApiParameter("pod", str, description="The one that fails, or the newest, when left out."),
    OpenApiParameter("container", str, description="The one that fails when left out."),
    OpenApiParameter("previous", bool, description="Of the run before this one."),
    OpenApiParameter(
        "tail_lines", int, description=f"1 to {MOST_LINES} from the end, 500 when left out."
    ),
    OpenApiParameter(
        "since_time", OpenApiTypes.DATETIME, description="Only what is not older, with a zone."
    ),
    OpenApiParameter(
        "timestamps", bool, description="Begin each line with its time, to go on from there."
    ),
)


@extend_schema(
    operation_id="read_deployment_logs",
    parameters=list(_ASKED),
    responses={
        (200, "text/plain"): OpenApiTypes.STR,
        **errors(400, 401, 404, 409, 422, 501, 503),
    },
)
@api_view(["GET"])
@permission_classes([ReaderOnly])
def logs(request: Request, id: str) -> HttpResponse:  # noqa: A002 - the API's name of it
    """Read the end of a log, secrets masked; 409 says why there is none, such as not started."""
    found = get_visible_or_404(person(request), id)
    stamped = switch_of(request.query_params, "timestamps")
    log = require_log(found, log_query_of(request.query_params))
    text = "".join(f"{_stamp(line) if stamped else ''}{line.text}\n" for line in log.lines)
    answer = HttpResponse(text, content_type="text/plain; charset=utf-8")
    # Which one was chosen, where the request left that open.
    answer["X-Log-Pod"], answer["X-Log-Container"] = log.pod, log.container
    return answer


def _stamp(line: LogLine) -> str:
    return f"{line.at.astimezone(UTC).isoformat()} " if line.at else ""
