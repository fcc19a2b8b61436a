"""What KServe's own controller left on a cluster, as a pass over that cluster would read it.

The recordings were made with predictors that bear no digest of ours, so each object is given one by
what its pods run: the images of its containers, or the format of its model.
"""

from collections.abc import Mapping
from typing import Any

from providers.contract.bounds import Metric
from providers.contract.overrides import Scaling
from providers.contract.request import Intent
from providers.kserve.objects import InferenceService, PredictorDeployment, PredictorReplicaSet
from providers.kserve.telling import SHAPE
from providers.workload.index import ClusterObjects, workloads_by_name
from providers.workload.objects import (
    Event,
    HorizontalPodAutoscaler,
    Pod,
    ResourceQuota,
    Service,
)
from tests.unit.recordings import (
    Document,
    Recorded,
    documents_of,
    items_by_kind,
    ref_to,
    times_in,
)

# The recordings have neither the namespace nor slices nor nodes.
UNREAD = frozenset({"Namespace", "EndpointSlice", "Node"})
_ID, _DIGEST = "slipway.dev/id", "slipway.dev/pod-digest"
_FIRST_FORMAT = "vLLM"  # of every recorded model, until one was changed
_STRUCTS: Mapping[str, Any] = {
    "InferenceService": InferenceService,
    "Deployment": PredictorDeployment,
    "ReplicaSet": PredictorReplicaSet,
    "Pod": Pod,
    "Event": Event,
    "Service": Service,
    "HorizontalPodAutoscaler": HorizontalPodAutoscaler,
    "ResourceQuota": ResourceQuota,
}


def recorded(case: str, *, once_full: bool = False, intent: Intent = Intent.RUNNING) -> Recorded:
    """Return the deployment of a case; `once_full`: this revision was whole before."""
    documents = documents_of("kserve", case)
    [service] = [found for found in documents if found["kind"] == "InferenceService"]
    _give_digests(service, documents)
    at = max(times_in(documents))
    ref = ref_to(
        service,
        _scaling(service),
        id=service["metadata"]["labels"][_ID],
        intent=intent,
        since=at,
        once_full=once_full,
    )
    return Recorded(shape=SHAPE, objects=_objects(documents), ref=ref, at=at)


def _give_digests(service: Document, documents: list[Document]) -> None:
    predictor = service["spec"]["predictor"]
    _mark(predictor, _digest(predictor, predictor.get("model", {}).get("modelFormat", {})))
    for found in documents:
        if found["kind"] in {"Deployment", "ReplicaSet"}:
            template = found["spec"]["template"]
            pod = {} if "model" in predictor else template["spec"]
            _mark(template.setdefault("metadata", {}), _digest(pod, {"name": _FIRST_FORMAT}))


def _mark(bearer: Document, digest: str) -> None:
    bearer.setdefault("annotations", {})[_DIGEST] = digest


def _digest(pod: Document, model: Document) -> str:
    images = [one["image"] for one in pod.get("containers", ())]
    return ",".join(images) or str(model["name"])


def _scaling(service: Document) -> Scaling:
    predictor = service["spec"]["predictor"]
    least = predictor.get("minReplicas", 1)
    most = max(least, predictor.get("maxReplicas", 0))
    return Scaling(min_replicas=least, max_replicas=most, autoscaled=most > least, metric=Metric())


def _objects(documents: list[Document]) -> ClusterObjects:
    found = items_by_kind(documents, _STRUCTS)
    return ClusterObjects(
        workloads=workloads_by_name(found["InferenceService"]),
        further={"Deployment": found["Deployment"]},
        replica_sets=found["ReplicaSet"],
        pods=found["Pod"],
        events=found["Event"],
        services=found["Service"],
        autoscalers=found["HorizontalPodAutoscaler"],
        quotas=found["ResourceQuota"],
        unread=UNREAD,
    )
