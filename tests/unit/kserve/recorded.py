"""What KServe's own controller left on a cluster, as a pass over that cluster would read it.

The recordings were made with predictors that bear no digest of ours, so each object is given one by
what its pods run: the images of its containers, or the format of its model.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache
from typing import Any

import msgspec
from ruamel.yaml import YAML

from providers.contract.bounds import Metric
from providers.contract.overrides import Scaling
from providers.contract.request import DeploymentRef, Intent
from providers.contract.status import Status
from providers.kserve.objects import InferenceService, PredictorDeployment, PredictorReplicaSet
from providers.kserve.telling import SHAPE
from providers.workload.bundle import Bundle
from providers.workload.index import ClusterObjects, bundles_by_id, workloads_by_name
from providers.workload.objects import (
    Event,
    HorizontalPodAutoscaler,
    Pod,
    ResourceQuota,
    Service,
    moment,
)
from providers.workload.slimming import slim, slim_pod
from providers.workload.status import derive_status
from tests.beside import beside

Document = dict[str, Any]

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


@dataclass(frozen=True, kw_only=True, slots=True)
class Recorded:
    """One recording; `at` is the last time that anything in it tells of."""

    objects: ClusterObjects
    ref: DeploymentRef
    at: datetime

    def bundle(self) -> Bundle:
        [(_, bundle)] = bundles_by_id(self.objects, [self.ref], shape=SHAPE)
        return bundle

    def status(self, *, after: float = 0, last: Status | None = None) -> Status:
        """Return the verdict so many seconds later, with the one before it."""
        known = replace(self.ref, last_status=last)
        return derive_status(self.bundle(), known, self.at + timedelta(seconds=after))


def recorded(case: str, *, once_full: bool = False, intent: Intent = Intent.RUNNING) -> Recorded:
    """Return the deployment of a case; `once_full`: this revision was whole before."""
    documents = json.loads(load(case))
    [service] = [found for found in documents if found["kind"] == "InferenceService"]
    _give_digests(service, documents)
    at = max(_times(documents))
    return Recorded(objects=_objects(documents), ref=_ref(service, at, once_full, intent), at=at)


@cache
def load(case: str) -> str:
    """Return the documents of a file as JSON, which is quick to read again."""
    path = beside("recorded") / "kserve" / f"{case}.yaml"
    with path.open(encoding="utf-8") as text:
        return json.dumps([found for found in YAML(typ="safe").load_all(text) if found])


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


def _ref(service: Document, at: datetime, once_full: bool, intent: Intent) -> DeploymentRef:  # noqa: FBT001
    meta, predictor = service["metadata"], service["spec"]["predictor"]
    least = predictor.get("minReplicas", 1)
    most = max(least, predictor.get("maxReplicas", 0))
    scaling = Scaling(
        min_replicas=least, max_replicas=most, autoscaled=most > least, metric=Metric()
    )
    return DeploymentRef(
        id=meta["labels"][_ID],
        runtime_name=meta["name"],
        namespace=meta["namespace"],
        serving_name="qwen3-8b",
        intent=intent,
        intent_since=at,
        revision=1,
        applied_revision=1,
        scaling=scaling,
        startup_budget_seconds=900,
        workload_uid=meta["uid"],
        once_full=once_full,
    )


def _objects(documents: list[Document]) -> ClusterObjects:
    found: dict[str, list[Any]] = defaultdict(list)
    for document in documents:
        if struct := _STRUCTS.get(document["kind"]):
            keep = slim_pod if document["kind"] == "Pod" else slim
            read = msgspec.json.decode(msgspec.json.encode(document), type=struct)
            as_it_is = document["kind"] in {"Event", "ResourceQuota"}
            found[document["kind"]].append(read if as_it_is else keep(read))
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


def _times(value: object) -> Iterator[datetime]:
    """Yield every time that stands anywhere in a document."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            yield from _times(one)
    elif isinstance(value, str) and value.startswith("20") and "T" in value:
        at = moment(value)
        if at is not None:
            yield at
