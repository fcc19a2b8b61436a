"""A launch over the API: once per Idempotency-Key, whatever happens to the connection."""

from functools import partial
from http import HTTPStatus

from rest_framework.request import Request
from rest_framework.response import Response

from console.api.answers import answer_snapshot
from console.api.bodies import object_of
from console.api.once import once
from console.api.people import person
from deployments.services.auditing import Origin
from deployments.services.idempotency import Begun
from deployments.services.launching import create_deployment
from deployments.services.orders import read_order


def launch_once(request: Request) -> Response:
    """Launch what the body says; the same key again answers what the first launch did."""
    return once(request, partial(_launch, request), body=object_of(request))


def origin_of(request: Request) -> Origin:
    """Return where a call comes from, for the audit trail."""
    del request  # the middleware has bound its id and its face already
    return Origin()


def _launch(request: Request, begun: Begun | None) -> Response:
    deployment = create_deployment(
        read_order(object_of(request)),
        user=person(request),
        origin=origin_of(request),
        deployment_id=begun.deployment_id if begun else None,
    )
    return Response(answer_snapshot(deployment), status=HTTPStatus.CREATED)
