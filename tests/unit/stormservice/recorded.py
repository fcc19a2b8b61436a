"""What AIBrix's own controllers left on a cluster, as a pass over that cluster would read it.

The recordings were made with templates that bear no digest of ours, so each pod is given that of
its role's template where it runs what that template says, and another one where it does not. Ids
are given likewise, by the name of the StormService that an object belongs to; a PodSet has that of
its pods, as the controller gives it none.
"""

import json
from collections import defaultdict
from collections.abc import Container, Iterator, Mapping
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
from providers.stormservice.objects import PodAutoscaler, PodSet, RoleSet, StormService
from providers.stormservice.telling import SHAPE
from providers.workload.bundle import Bundle
from providers.workload.index import ClusterObjects, bundles_by_id, workloads_by_name
from providers.workload.objects import (
    Event,
    HorizontalPodAutoscaler,
    Pod,
    ResourceQuota,
    moment,
)
from providers.workload.slimming import slim, slim_pod
from providers.workload.status import derive_status
from tests.beside import beside

Document = dict[str, Any]

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


@dataclass(frozen=True, kw_only=True, slots=True)
class Recorded:
    """One deployment of a recording; `at` is the last time that anything in it tells of."""

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


def recorded(
    case: str,
    *,
    name: str = "",
    once_full: bool = False,
    intent: Intent = Intent.RUNNING,
    without: Container[str] = (),
) -> Recorded:
    """Return a deployment of a case: the only one, or that of this name, without some kinds."""
    documents = json.loads(load(case))
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
    at = max(_times(documents))
    return Recorded(objects=_objects(documents), ref=_ref(workload, at, once_full, intent), at=at)


@cache
def load(case: str) -> str:
    """Return the documents of a file as JSON, which is quick to read again."""
    path = beside("recorded") / "stormservice" / f"{case}.yaml"
    with path.open(encoding="utf-8") as text:
        return json.dumps([found for found in YAML(typ="safe").load_all(text) if found])


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


def _ref(workload: Document, at: datetime, once_full: bool, intent: Intent) -> DeploymentRef:  # noqa: FBT001
    meta = workload["metadata"]
    return DeploymentRef(
        id=meta["name"],
        runtime_name=meta["name"],
        namespace=meta["namespace"],
        serving_name="qwen3-8b",
        intent=intent,
        intent_since=at,
        revision=1,
        applied_revision=1,
        scaling=_FIXED,
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
            found[document["kind"]].append(read if document["kind"] == "Event" else keep(read))
    return ClusterObjects(
        workloads=workloads_by_name(found["StormService"]),
        further={kind: found[kind] for kind in ("RoleSet", "PodSet", "PodAutoscaler")},
        pods=found["Pod"],
        events=found["Event"],
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
