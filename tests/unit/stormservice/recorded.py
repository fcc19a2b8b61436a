"""What AIBrix's own controllers left on a cluster, as a pass over that cluster would read it.

The recordings were made with templates that bear no digest of ours, so each pod is given that of
its role's template where it runs what that template says, and another one where it does not. Ids
are given likewise, by the name of the StormService that an object belongs to; a PodSet has that of
its pods, as the controller gives it none.
"""

from collections.abc import Container, Mapping
from typing import Any

from providers.contract.bounds import Metric
from providers.contract.overrides import Scaling
from providers.contract.request import Intent
from providers.stormservice.objects import PodAutoscaler, PodSet, RoleSet, StormService
from providers.stormservice.telling import SHAPE
from providers.workload.index import ClusterObjects, workloads_by_name
from providers.workload.objects import Event, HorizontalPodAutoscaler, Pod, ResourceQuota
from tests.unit.recordings import (
    Document,
    Recorded,
    documents_of,
    items_by_kind,
    ref_to,
    times_in,
)

# The recordings have neither our Service nor the namespace nor nodes.
UNREAD = frozenset({"Namespace", "Service", "EndpointSlice", "Node"})
_NAME, _ID, _DIGEST = "storm-service-name", "slipway.dev/id", "slipway.dev/pod-digest"
_STRUCTS: Mapping[str, Any] = {
    "StormService": StormService,
    "RoleSet": RoleSet,
    "PodSet": PodSet,
    "PodAutoscaler": PodAutoscaler,
    "Pod": Pod,
    "Event": Event,
    "HorizontalPodAutoscaler": HorizontalPodAutoscaler,
    "ResourceQuota": ResourceQuota,
}

_FIXED = Scaling(min_replicas=1, max_replicas=1, autoscaled=False, metric=Metric())


def recorded(
    case: str,
    *,
    name: str = "",
    once_full: bool = False,
    intent: Intent = Intent.RUNNING,
    without: Container[str] = (),
) -> Recorded:
    """Return a deployment of a case: the only one, or that of this name, without some kinds."""
    documents = documents_of("stormservice", case)
    [workload] = [
        found
        for found in documents
        if found["kind"] == "StormService" and name in {"", found["metadata"]["name"]}
    ]
    named = workload["metadata"]["name"]
    documents = [found for found in documents if found["kind"] not in without]
    for found in documents:
        _give_id(found, named)
    _give_digests(workload, [found for found in documents if found["kind"] == "Pod"])
    at = max(times_in(documents))
    ref = ref_to(workload, _FIXED, intent=intent, since=at, once_full=once_full)
    return Recorded(shape=SHAPE, objects=_objects(documents), ref=ref, at=at)


def _give_id(found: Document, name: str) -> None:
    if found["kind"] == "PodSet":
        return
    labels = found["metadata"].setdefault("labels", {})
    target = found.get("spec", {}).get("scaleTargetRef", {}).get("name")
    if name in {labels.get(_NAME), target} or found["metadata"]["name"] == name:
        labels[_ID] = name


def _give_digests(workload: Document, pods: list[Document]) -> None:
    roles = {role["name"]: role for role in workload["spec"]["template"]["spec"]["roles"]}
    for role in roles.values():
        role["template"].setdefault("metadata", {}).setdefault("labels", {})[_DIGEST] = role["name"]
    for pod in pods:
        labels = pod["metadata"]["labels"]
        role = roles.get(labels.get("role-name"))
        fits = role is not None and _runs(pod) == _runs(role["template"])
        labels[_DIGEST] = role["name"] if role is not None and fits else "another"


def _runs(pod: Document) -> list[tuple[str, str]]:
    return [(one["name"], one["image"]) for one in pod["spec"]["containers"]]


def _objects(documents: list[Document]) -> ClusterObjects:
    found = items_by_kind(documents, _STRUCTS)
    return ClusterObjects(
        workloads=workloads_by_name(found["StormService"]),
        further={kind: found[kind] for kind in ("RoleSet", "PodSet", "PodAutoscaler")},
        pods=found["Pod"],
        events=found["Event"],
        autoscalers=found["HorizontalPodAutoscaler"],
        quotas=found["ResourceQuota"],
        unread=UNREAD,
    )
