"""What holds an object that is being deleted: its finalizers, and whose they are, in words.

A finalizer names the program that shall take it off; where that tells a reader nothing, who put it
there stands in managedFields.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec
from msgspec import Raw

from providers.workload.drifting.holders import Entry, entries_of
from providers.workload.drifting.words import UNKNOWN, who_is
from providers.workload.objects import Item, ObjectMeta

# The garbage collector's own: they say how children go, not that somebody holds the object.
COLLECTORS_FINALIZERS = frozenset({"foregroundDeletion", "orphan"})

_NOBODY = Raw(b"")

# Ends of what comes before the slash, or of the whole of an old one without.
_OWNERS: Mapping[str, str] = {
    "argocd.argoproj.io": "Argo CD",
    "batch.kubernetes.io": "the Job controller of the cluster",
    "cattle.io": "Rancher",
    "cilium.io": "Cilium",
    "crossplane.io": "Crossplane",
    "external-secrets.io": "External Secrets",
    "fluxcd.io": "Flux",
    "istio.io": "Istio",
    "k8s.aws": "the AWS load balancer controller",
    "keda.sh": "KEDA",
    "kruise.io": "OpenKruise",
    "kubernetes.io/pv-protection": "the storage protection of the cluster",
    "kubernetes.io/pvc-protection": "the storage protection of the cluster",
    "kueue.x-k8s.io": "Kueue",
    "networking.gke.io": "the load balancer controller of GKE",
    "service.kubernetes.io": "the load balancer controller of the cloud",
    "velero.io": "Velero",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Hold:
    """One finalizer; `owner` says in a few words whose it is, or who put it there."""

    finalizer: str
    owner: str

    def __str__(self) -> str:
        """Return it for a sentence: `example.com/guard, put there by somebody with kubectl`."""
        return f"{self.finalizer}, {self.owner}"


def holds_of(item: Item) -> tuple[Hold, ...]:
    """Return what holds an object, by name; the collector's own finalizers hold nothing."""
    foreign = sorted(set(item.finalizers) - COLLECTORS_FINALIZERS)
    if not foreign:
        return ()
    entries = _entries(item.meta)
    return tuple(Hold(finalizer=name, owner=_owner(name, entries)) for name in foreign)


def managers_worth_keeping(meta: ObjectMeta) -> Raw:
    """Return who manages an object that something holds, copied from its page; else nothing."""
    is_held = meta.deletion_timestamp is not None and meta.finalizers
    return meta.managed_fields.copy() if is_held else _NOBODY


def _owner(finalizer: str, entries: Sequence[Entry]) -> str:
    known = next((who for end, who in _OWNERS.items() if _is_of(finalizer, end)), "")
    if known:
        return f"which {known} takes off"
    who = next(_who_put(finalizer, entries), UNKNOWN)
    if who != UNKNOWN:
        return f"put there by {who}"
    domain, slash, _ = finalizer.partition("/")
    return f"for whoever runs {domain} to take off" if slash else "of an unknown owner"


def _is_of(finalizer: str, end: str) -> bool:
    if "/" in end:
        return finalizer == end
    domain = finalizer.partition("/")[0]
    return domain == end or domain.endswith(f".{end}")


def _who_put(finalizer: str, entries: Sequence[Entry]) -> Iterator[str]:
    step = f"v:{json.dumps(finalizer)}"
    for entry in entries:
        meta = entry.fields.get("f:metadata")
        held = meta.get("f:finalizers") if isinstance(meta, Mapping) else None
        # An empty one holds the list as a whole.
        if isinstance(held, Mapping) and (step in held or not held):
            yield who_is(entry)


def _entries(meta: ObjectMeta) -> tuple[Entry, ...]:
    managed: object = meta.managed_fields
    text = bytes(managed) if isinstance(managed, Raw) else msgspec.json.encode(managed)
    try:
        listed = json.loads(text or b"[]")
    except ValueError:
        return ()
    return entries_of({"metadata": {"managedFields": listed if isinstance(listed, list) else []}})
