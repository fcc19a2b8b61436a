"""Manifests as the API answers them: the objects, or one file that `kubectl apply` takes."""

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from console.manifests import file_name
from deployments.exceptions import InvalidOrder
from deployments.models import Deployment, Revision
from providers.contract.manifest_yaml import manifests_yaml

AS = OpenApiParameter("as", str, enum=["json", "yaml"])


def answer_manifests(request: Request, deployment: Deployment, revision: Revision) -> HttpResponse:
    """Return the exact objects of a revision in the form that `as` asks for."""
    form = request.query_params.get("as", "json")
    if form not in {"json", "yaml"}:
        raise InvalidOrder.of("as", "must be json or yaml")
    if form == "json":
        return Response({"manifests": revision.manifests, "revision": revision.number})
    download = HttpResponse(manifests_yaml(revision.manifests), content_type="application/yaml")
    name = file_name(deployment, revision)
    download["Content-Disposition"] = f'attachment; filename="{name}"'
    return download
