"""Where something can be launched and by what: implementations, clusters, capacity."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view, permission_classes
from rest_framework.request import Request
from rest_framework.response import Response

from console.api.documented import errors
from console.api.people import person
from console.api.permissions import ReaderOnly
from console.api.serializers.places import (
    CapacityAnswer,
    ClusterAnswer,
    ClusterListAnswer,
    ImplementationListAnswer,
)
from deployments.access import clusters_for, get_visible_cluster
from deployments.models import Cluster
from deployments.services.capacity import capacity_of
from deployments.services.clusters import synchronise_default_cluster, without_kind
from providers import registry
from providers.contract.protocols import Capabilities

_NOTHING_COUNTED: Mapping[str, object] = {
    "observed_at": None,
    "unknown_because": "nobody has counted yet, and the cluster does not answer",
    "accelerators": [],
    "namespaces": [],
}


@extend_schema(
    operation_id="list_implementations",
    responses={200: ImplementationListAnswer, **errors(401, 404)},
)
@api_view(["GET"])
@permission_classes([ReaderOnly])
def implementations(request: Request) -> Response:
    """List what can carry a deployment, and what cannot: for want of a cluster, or broken."""
    synchronise_default_cluster()
    enabled = list(clusters_for(person(request)).enabled().default_first())
    rows = [*_usable(enabled), *_broken()]
    return Response({"implementations": rows, "count": len(rows)})


@extend_schema(operation_id="list_clusters", responses={200: ClusterListAnswer, **errors(401, 404)})
@api_view(["GET"])
@permission_classes([ReaderOnly])
def clusters(request: Request) -> Response:
    """List the clusters with what was last seen of them."""
    synchronise_default_cluster()
    rows = list(clusters_for(person(request)).default_first())
    return Response({"clusters": ClusterAnswer(rows, many=True).data, "count": len(rows)})


@extend_schema(operation_id="read_capacity", responses={200: CapacityAnswer, **errors(401, 404)})
@api_view(["GET"])
@permission_classes([ReaderOnly])
def capacity(request: Request, id: str) -> Response:  # noqa: A002 - the API's name of it
    """Read what is free on a cluster, counted within the last minute where it answers."""
    counted = capacity_of(get_visible_cluster(person(request), id))
    return Response(CapacityAnswer(counted).data if counted else _NOTHING_COUNTED)


def _usable(clusters: Sequence[Cluster]) -> Iterator[Mapping[str, Any]]:
    for provider in registry.providers().values():
        missing = without_kind(clusters, provider.kind)
        is_nowhere = bool(missing) and len(missing) == len(clusters)
        yield {
            "kind": provider.kind,
            "name": provider.title,
            "available": not is_nowhere,
            "reason": f"not installed on {', '.join(missing)}" if is_nowhere else "",
            "capabilities": _words(provider.capabilities),
        }


def _broken() -> list[Mapping[str, Any]]:
    return [
        {"kind": app, "name": app, "available": False, "reason": cause, "capabilities": []}
        for app, cause in registry.broken().items()
    ]


def _words(capabilities: Capabilities) -> list[str]:
    switches = ("autoscaling", "serving_runtimes", "observes", "watches")
    able = [name for name in switches if getattr(capabilities, name)]
    return [*sorted(capabilities.topologies), *able]
