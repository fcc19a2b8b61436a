"""Pieces of the OpenAPI document that many addresses share."""

from collections.abc import Mapping

from drf_spectacular.utils import OpenApiParameter, OpenApiResponse

from console.api.serializers.changes import ChangeConflictAnswer
from console.api.serializers.common import ErrorAnswer

_CAUSES = {
    400: "A field is wrong; `fields` says which and what to do.",
    401: "No credentials, or none that are valid.",
    403: "Visible, but your role may not do this.",
    404: "There is nothing here, or nothing that you may see.",
    409: "What is stored stands against it.",
    413: "The body is larger than 256 KiB.",
    422: "The cluster refused; the message has its own words.",
    501: "Not there yet, or not offered by the implementation that carries the deployment.",
    503: "The cluster does not answer, or nothing here carries its kind; nothing was stored.",
}


def errors(*statuses: int) -> Mapping[int, OpenApiResponse]:
    """Return the documented errors of an address."""
    return {
        status: OpenApiResponse(response=ErrorAnswer, description=_CAUSES[status])
        for status in statuses
    }


def change_errors(*statuses: int) -> Mapping[int, OpenApiResponse]:
    """Return the documented errors of an address that changes a deployment."""
    conflict = OpenApiResponse(response=ChangeConflictAnswer, description=_CAUSES[409])
    return {**errors(400, 401, 403, 404, 413, 503, *statuses), 409: conflict}


def paged() -> list[OpenApiParameter]:
    """Return the parameters that every paged list takes."""
    return [
        OpenApiParameter("page_size", int, description="1 to 200, 50 when left out."),
        OpenApiParameter("cursor", str, description="From `next` or `previous`."),
    ]


def searchable() -> list[OpenApiParameter]:
    """Return the parameters of a paged list that can be searched."""
    return [OpenApiParameter("search", str), *paged()]
