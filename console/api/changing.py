"""A change over the API: once per Idempotency-Key, and only of the revision that is expected."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from console.api.answers import answer_snapshot
from console.api.bodies import object_of
from console.api.etags import expected_revision, tagged
from console.api.launching import origin_of
from console.api.once import once
from console.api.people import person
from console.api.serializers.changes import ChangePreviewAnswer
from deployments.models import Deployment
from deployments.services.change_orders import read_change, read_rollback
from deployments.services.change_plans import AnyOrder
from deployments.services.changing import ChangePreview, change_deployment, preview_change
from deployments.services.idempotency import Begun
from deployments.services.meddling import Meddling, meddling_with

Read = Callable[..., AnyOrder]
"""Reads a body as an order, `read_change` or `read_rollback`."""


def change_once(request: Request, deployment: Deployment, read: Read = read_change) -> Response:
    """Change what the body says; the same key again answers what the first call did."""
    # The same body may be meant for another deployment, or for a change and for a rollback.
    told = [request.method, request.path, dict(object_of(request))]
    return tagged(once(request, partial(_change, request, deployment, read), body=told))


def answer_change_preview(
    request: Request, deployment: Deployment, read: Read = read_change
) -> Response:
    """Answer what a change would do."""
    order = read(object_of(request), expected=expected_revision(request))
    preview = preview_change(order, deployment=deployment, user=person(request))
    told = _told(preview, meddling_with(deployment, preview))
    return tagged(Response(ChangePreviewAnswer(told).data))


def _change(request: Request, deployment: Deployment, read: Read, begun: Begun | None) -> Response:
    changed = change_deployment(
        read(object_of(request), expected=expected_revision(request)),
        deployment=deployment,
        user=person(request),
        origin=origin_of(request),
        operation_id=begun.deployment_id if begun else None,
    )
    return Response({**answer_snapshot(changed.deployment), "changed": changed.is_change})


def _told(preview: ChangePreview, meddling: Meddling) -> Mapping[str, Any]:
    plan = preview.plan
    return {
        "revision": preview.base.revision.number,
        "changes": preview.is_change,
        "action": plan.wanted.verb.value,
        "intent": preview.comparison.words,
        "objects": preview.comparison.objects,
        "effects": preview.effects.as_dict(),
        "load_time": preview.load_times,
        "checks": preview.checks,
        "co_managers": meddling.others,
        "puts_back": meddling.undone,
        "manifests": plan.plan.manifests,
        "change": preview.change,
    }


roll_back_once = partial(change_once, read=read_rollback)
answer_rollback_preview = partial(answer_change_preview, read=read_rollback)
