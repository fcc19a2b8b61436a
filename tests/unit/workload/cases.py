"""Reads a case of tests/objects: its objects as the cluster's lists, and what is remembered."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from ruamel.yaml import YAML

from providers.contract.bounds import Metric
from providers.contract.overrides import Scaling
from providers.contract.request import ApplyResult, DeploymentRef, Intent
from providers.contract.status import Phase, Status, evidence_from
from providers.kube.lists import as_it_is
from providers.workload import objects as k8s
from providers.workload.bundle import Bundle, Trouble
from providers.workload.index import ClusterObjects, bundles_by_id, workloads_by_name

FOLDER = Path(__file__).parents[2] / "objects"
RECORDED = FOLDER / "recorded"
PATHS = {path.stem: path for path in FOLDER.glob("**/*.yaml")}
NAMES = sorted(PATHS)

Document = Mapping[str, Any]
# The lists of `ClusterObjects`, by the kind that goes into each.
_LISTS = {
    "Namespace": "namespaces",
    "ReplicaSet": "replica_sets",
    "Pod": "pods",
    "Event": "events",
    "Service": "services",
    "EndpointSlice": "endpoint_slices",
    "HorizontalPodAutoscaler": "autoscalers",
    "ResourceQuota": "quotas",
    "Node": "nodes",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Case:
    """One file, read: `manifests` are its objects before they are decoded.

    `is_recorded`: a real API server wrote them, else somebody wrote them as one would.
    """

    name: str
    now: datetime
    known: DeploymentRef
    cluster: Document
    expect: Document
    manifests: tuple[Document, ...]
    is_recorded: bool = False

    @property
    def row(self) -> int:
        """The row of the status table that it is about."""
        return int(self.name[:2])

    def bundle(self, manifests: tuple[Document, ...] | None = None) -> Bundle:
        """Return the bundle, as a pass over the whole cluster would put it together."""
        chosen = self.manifests if manifests is None else manifests
        [(_, bundle)] = bundles_by_id(cluster_objects(chosen, self.cluster), [self.known])
        return replace(bundle, changed_outside=tuple(self.cluster.get("changed_outside", ())))


@cache
def load_case(name: str) -> Case:
    document = load_document(name)
    return read_case(name, {**document, "objects": _objects(document)})


def _objects(document: Document) -> list[Document]:
    """Return the objects of a case, with those that it has in common with another case."""
    if "objects_of" not in document:
        return list(document["objects"])
    other = load_document(document["objects_of"])
    same = [item for item in other["objects"] if item["metadata"]["uid"] in document["same"]]
    return [*same, *document["objects"]]


@cache
def load_document(name: str) -> Document:
    document: Document = YAML(typ="safe", pure=True).load(PATHS[name])
    return document


def read_case(name: str, document: Document) -> Case:
    """Return the case of a document."""
    now = datetime.fromisoformat(document["now"])
    return Case(
        name=name,
        now=now,
        known=known_of(document.get("known", {}), now),
        cluster=document.get("cluster", {}),
        expect=document.get("expect", {}),
        manifests=tuple(document["objects"]),
        is_recorded=document.get("recorded", False),
    )


def cluster_objects(
    manifests: tuple[Document, ...], cluster: Document, keep: Callable[[Any], Any] = as_it_is
) -> ClusterObjects:
    """Decode manifests as a list of each kind would be decoded; `keep` as in such a list."""
    found: dict[str, list[Any]] = defaultdict(list)
    for manifest in manifests:
        struct = getattr(k8s, manifest["kind"])
        found[manifest["kind"]].append(
            keep(msgspec.json.decode(msgspec.json.encode(manifest), type=struct))
        )
    lists: dict[str, Any] = {name: tuple(found[kind]) for kind, name in _LISTS.items()}
    return ClusterObjects(
        workloads=workloads_by_name(found["Deployment"]),
        unreadable=cluster.get("unreadable", {}),
        unread=frozenset(cluster.get("unread", ())),
        trouble=_trouble(cluster.get("trouble")),
        refusal=_trouble(cluster.get("refusal")),
        **lists,
    )


def _trouble(given: Document | None) -> Trouble | None:
    return Trouble(code=given["code"], message=given["message"]) if given else None


def known_of(given: Document, now: datetime) -> DeploymentRef:
    """Return what is remembered; a case says only what is out of the ordinary."""
    low = given.get("min", 1)
    last = given.get("last_apply", {})
    return DeploymentRef(
        id="7b1f0c52-8f0a-4c7e-9d61-2f6a3c9e5b10",
        runtime_name="qwen3-8b-7b1f0c52",
        namespace="team-a",
        serving_name="qwen3-8b",
        intent=Intent(given.get("intent", "running")),
        intent_since=now - timedelta(seconds=given.get("intent_since", 130)),
        revision=given.get("revision", 1),
        applied_revision=given.get("applied_revision", 1),
        scaling=Scaling(
            min_replicas=low,
            max_replicas=given.get("max", low),
            autoscaled=given.get("autoscaled", False),
            metric=Metric(),
        ),
        startup_budget_seconds=given.get("startup_budget_seconds", 900),
        workload_uid=given.get("workload_uid", "a1d6e5c0-93d7-4f0f-8e11-3b1f4a7c2d01"),
        once_full=given.get("once_full", False),
        last_status=_status(given.get("last_status")),
        last_apply=ApplyResult(
            code=last.get("code", ""),
            message=last.get("message", ""),
            at=now - timedelta(seconds=last.get("at", 130)),
        ),
    )


def _status(given: Document | None) -> Status | None:
    if given is None:
        return None
    return Status(
        phase=Phase(given["phase"]),
        reason=given["reason"],
        message=given["message"],
        desired_replicas=given.get("desired", 0),
        ready_replicas=given.get("ready", 0),
        available_replicas=given.get("ready", 0),
        evidence=evidence_from(given.get("evidence", ())),
    )
