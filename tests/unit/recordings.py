"""Recordings of what other makers' controllers left, as a pass over that cluster would read them.

A test of one kind says which struct each kind of object is read into, and gives the objects what
ours would bear. Other makers' recordings lie beside the checkout.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache
from typing import Any

import msgspec
from ruamel.yaml import YAML

from providers.contract.overrides import Scaling
from providers.contract.request import DeploymentRef, Intent
from providers.contract.status import Status
from providers.workload.bundle import Bundle
from providers.workload.index import ClusterObjects, bundles_by_id
from providers.workload.objects import moment
from providers.workload.shape import Shape
from providers.workload.slimming import slim, slim_pod
from providers.workload.status import derive_status
from tests.beside import beside

Document = dict[str, Any]

# A pass keeps these as they are.
_KEPT = frozenset({"Event", "ResourceQuota"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Recorded:
    """One deployment of a recording; `at` is the last time that anything in it tells of."""

    shape: Shape
    objects: ClusterObjects
    ref: DeploymentRef
    at: datetime

    def bundle(self) -> Bundle:
        [(_, bundle)] = bundles_by_id(self.objects, [self.ref], shape=self.shape)
        return bundle

    def status(self, *, after: float = 0, last: Status | None = None) -> Status:
        """Return the verdict so many seconds later, with the one before it."""
        known = replace(self.ref, last_status=last)
        return derive_status(self.bundle(), known, self.at + timedelta(seconds=after))


def documents_of(maker: str, case: str) -> list[Document]:
    """Return the documents of a recording, free to be changed."""
    documents: list[Document] = json.loads(_load(maker, case))
    return documents


@cache
def _load(maker: str, case: str) -> str:
    """Return the documents of a file as JSON, which is quick to read again."""
    path = beside("recorded") / maker / f"{case}.yaml"
    with path.open(encoding="utf-8") as text:
        return json.dumps([found for found in YAML(typ="safe").load_all(text) if found])


def items_by_kind(
    documents: Sequence[Document], structs: Mapping[str, Any]
) -> Mapping[str, list[Any]]:
    """Return the objects of the kinds that are read, as a pass keeps them."""
    found: dict[str, list[Any]] = defaultdict(list)
    for document in documents:
        kind = document["kind"]
        if struct := structs.get(kind):
            keep = slim_pod if kind == "Pod" else slim
            read = msgspec.json.decode(msgspec.json.encode(document), type=struct)
            found[kind].append(read if kind in _KEPT else keep(read))
    return found


def ref_to(
    workload: Document, scaling: Scaling, *, since: datetime, **changes: Any
) -> DeploymentRef:
    """Return what would be remembered of the deployment of a workload."""
    meta = workload["metadata"]
    ref = DeploymentRef(
        id=meta["name"],
        runtime_name=meta["name"],
        namespace=meta["namespace"],
        serving_name="qwen3-8b",
        intent=Intent.RUNNING,
        intent_since=since,
        revision=1,
        applied_revision=1,
        scaling=scaling,
        startup_budget_seconds=900,
        workload_uid=meta["uid"],
    )
    return replace(ref, **changes)


def times_in(value: object) -> Iterator[datetime]:
    """Yield every time that stands anywhere in a document."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            yield from times_in(one)
    elif isinstance(value, str) and value.startswith("20") and "T" in value:
        at = moment(value)
        if at is not None:
            yield at
