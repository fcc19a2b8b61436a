"""Which other implementations could carry a deployment, and how to launch the same there."""

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view, permission_classes
from rest_framework.request import Request
from rest_framework.response import Response

from console.api.documented import errors
from console.api.people import person
from console.api.permissions import ReaderOnly
from console.api.serializers.implementations import OtherKindsAnswer
from deployments.access import get_visible_or_404
from deployments.models import Deployment
from deployments.services.other_kinds import OtherKind, other_kinds


@extend_schema(
    operation_id="list_other_implementations",
    responses={200: OtherKindsAnswer, **errors(401, 404)},
)
@api_view(["GET"])
@permission_classes([ReaderOnly])
def implementations(request: Request, id: str) -> Response:  # noqa: A002 - the API's name of it
    """Tell what other implementations would make of a deployment; nothing is done."""
    deployment = get_visible_or_404(person(request), id)
    found = [_answer(deployment, one) for one in other_kinds(deployment)]
    return Response(OtherKindsAnswer({"implementations": found}).data)


def _answer(deployment: Deployment, other: OtherKind) -> dict[str, object]:
    template = other.template
    return {
        "kind": other.kind,
        "title": other.title,
        "template_name": template.name,
        "template_version": template.version,
        "keeps_template": other.keeps_template,
        "objects": other.objects,
        "lost": other.lost,
        "fault": other.fault,
        "installed": deployment.cluster.kinds.get(other.kind),
        "order": {
            "template": {"model_id": deployment.model_id, "template_id": str(template.pk)},
            "implementation": {"kind": other.kind},
            "target": {"cluster": deployment.cluster.name, "namespace": deployment.namespace},
            "overrides": other.overrides,
        },
    }
