"""The load of one deployment: measured now, and over the last minutes or hours."""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import api_view, permission_classes
from rest_framework.request import Request
from rest_framework.response import Response

from console.api.documented import errors
from console.api.people import person
from console.api.permissions import ReaderOnly
from console.api.serializers.metrics import MetricsAnswer
from console.load_lines import FIRST, SPANS, Load, load_of, span_of
from deployments.access import get_visible_or_404
from deployments.measuring.pods import pods_of
from deployments.models import MetricSample
from deployments.services.measuring import engine_of, measure

_SPAN = OpenApiParameter(
    "span",
    enum=list(SPANS),
    description=f"How far back `series` go, {FIRST} when left out; longer ones need a Prometheus.",
)


@extend_schema(
    operation_id="read_deployment_metrics",
    parameters=[_SPAN],
    responses={200: MetricsAnswer, **errors(400, 401, 404, 409, 422, 501, 503)},
)
@api_view(["GET"])
@permission_classes([ReaderOnly])
def metrics(request: Request, id: str) -> Response:  # noqa: A002 - the API's name of it
    """Measure a deployment, at most once in five seconds, and read its last minutes or hours."""
    found = get_visible_or_404(person(request), id)
    span = span_of(request.query_params)
    sample = measure(found)
    load = load_of(found, engine_of(found), span)
    return Response(MetricsAnswer(_answer(sample, load)).data)


def _answer(sample: MetricSample, load: Load) -> Mapping[str, Any]:
    reading = sample.metrics
    return {
        "current": {
            "at": sample.at,
            "figures": sample.figures,
            "pods": pods_of(reading),
            "use_trouble": reading.use_trouble,
            "engine_trouble": reading.engine_trouble,
        },
        "span": load.span.name,
        "series": [
            {
                "name": line.figure.name,
                "unit": line.figure.unit.value,
                "points": [{"at": at, "value": value} for at, value in line.points],
            }
            for line in load.lines
        ],
        "series_trouble": load.trouble,
    }
