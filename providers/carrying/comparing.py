"""What others changed on a workload and what stands beside it, read live.

Reads the objects that the manifests name, and every autoscaler of the namespace: one that is not
ours may hold the number of replicas.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from providers.carrying.carrier import Carrier
from providers.carrying.parts import owned_by
from providers.contract.drifting import CoManager, Drift, DriftedField
from providers.contract.errors import Rejected
from providers.contract.manifest import Manifest, ObjectKey, key_of
from providers.contract.protocols import Deadline
from providers.contract.request import DeploymentRef
from providers.contract.target import ClusterTarget
from providers.kube.bounded import run_all
from providers.kube.client import KubeClient, client_for
from providers.kube.identity import require_same_cluster
from providers.kube.lists import Read, Selection, read_list, read_object
from providers.kube.resources import AUTOSCALERS, resource_of
from providers.workload.drifting.co_managers import co_managers_of, stray_autoscaler
from providers.workload.drifting.telling import gone, tell
from providers.workload.labels import LABEL_ID
from providers.workload.objects import HorizontalPodAutoscaler

NO_WORKLOAD = "the whole deployment is gone, so there is nothing to put it back on"
GOING = "it is being removed; wait until it is gone"


@dataclass(frozen=True, kw_only=True, slots=True)
class Pair:
    """One object as it was applied, and as it stands now; None where there is none."""

    manifest: Manifest
    live: Manifest | None

    @property
    def key(self) -> ObjectKey:
        return key_of(self.manifest)


@dataclass(frozen=True, kw_only=True, slots=True)
class Compared:
    """All objects of a deployment, the workload first, and autoscalers of others on it."""

    pairs: tuple[Pair, ...]
    strays: tuple[ObjectKey, ...] = ()

    @property
    def stray(self) -> str:
        """Return the autoscaler of somebody else that holds the replicas, empty for none."""
        return str(self.strays[0]) if self.strays else ""


def drift(
    carrier: Carrier,
    manifests: Sequence[Manifest],
    ref: DeploymentRef,
    target: ClusterTarget,
    *,
    deadline: Deadline,
) -> Drift:
    """Compare what was applied with what is there."""
    client = client_for(target, deadline=deadline)
    require_same_cluster(client, target, deadline=deadline)
    return drift_in(read_pairs(client, carrier, manifests, ref, deadline=deadline), ref)


def read_pairs(
    client: KubeClient,
    carrier: Carrier,
    manifests: Sequence[Manifest],
    ref: DeploymentRef,
    *,
    deadline: Deadline,
) -> Compared:
    """Read every object of the manifests, side by side."""
    keys = [key_of(manifest) for manifest in manifests]
    calls: list[partial[Any]] = [
        partial(read_object, client, resource_of(k), k.name, k.namespace, deadline=deadline)
        for k in keys
    ]
    chosen = Selection(namespace=ref.namespace)
    calls.append(
        partial(read_list, client, AUTOSCALERS, HorizontalPodAutoscaler, chosen, deadline=deadline)
    )
    *found, autoscalers = run_all(client.threads, calls)
    pairs = (Pair(manifest=m, live=live) for m, live in zip(manifests, found, strict=True))
    strays = _strays(carrier, autoscalers, keys, ref)
    return Compared(pairs=tuple(pairs), strays=tuple(strays))


def drift_in(compared: Compared, ref: DeploymentRef) -> Drift:
    """Return what differs between the objects of a deployment and their manifests."""
    workload = compared.pairs[0]
    obstacle = _obstacle(workload, ref) or ("" if workload.live else NO_WORKLOAD)
    if obstacle:
        return Drift(fields=(gone(workload.key, obstacle=obstacle),))
    return Drift(
        fields=tuple(_fields(compared, ref)), co_managers=tuple(_co_managers(compared, ref))
    )


def _fields(compared: Compared, ref: DeploymentRef) -> Iterator[DriftedField]:
    for pair in compared.pairs:
        if pair.live is None:
            yield gone(pair.key)
        elif obstacle := _obstacle(pair, ref):
            yield gone(pair.key, obstacle=obstacle)
        else:
            yield from tell(_owned(pair, compared), pair.live, autoscaler=compared.stray)


def _owned(pair: Pair, compared: Compared) -> Manifest:
    """Return the manifest as it was applied: what stands beside the workload goes with it."""
    workload = compared.pairs[0]
    if pair is workload or workload.live is None:
        return pair.manifest
    return owned_by(pair.manifest, workload.live)


def _co_managers(compared: Compared, ref: DeploymentRef) -> Iterator[CoManager]:
    for pair in compared.pairs:
        if pair.live is not None and not _obstacle(pair, ref):
            yield from co_managers_of(pair.live)
    for key in compared.strays:
        yield stray_autoscaler(key, compared.pairs[0].key)


def _obstacle(pair: Pair, ref: DeploymentRef) -> str:
    """Return why nothing may be written on an object; empty where it is ours and stays."""
    if pair.live is None:
        return ""
    if not _is_ours(pair.live, ref):
        return f"another {pair.key.kind} that is not of this deployment bears its name"
    return GOING if pair.live["metadata"].get("deletionTimestamp") else ""


def _is_ours(live: Manifest, ref: DeploymentRef) -> bool:
    """Tell whether it is the object that we made, whatever became of its labels."""
    metadata = live["metadata"]
    owners = metadata.get("ownerReferences") or ()
    uids = {metadata.get("uid"), *(owner.get("uid") for owner in owners)}
    if ref.workload_uid and ref.workload_uid in uids:
        return True
    return (metadata.get("labels") or {}).get(LABEL_ID) == ref.id


def _strays(
    carrier: Carrier,
    read: Read[HorizontalPodAutoscaler],
    keys: Sequence[ObjectKey],
    ref: DeploymentRef,
) -> Iterator[ObjectKey]:
    if read.forbidden:
        raise Rejected(f"autoscalers may not be read: {read.forbidden}", code="Forbidden")
    for item in read.items:
        key = AUTOSCALERS.key(item.name, ref.namespace)
        scales_ours = (item.target.kind, item.target.name) == carrier.scaled(ref.runtime_name)
        if scales_ours and key not in keys and not _is_made_for_it(item):
            yield key


def _is_made_for_it(item: HorizontalPodAutoscaler) -> bool:
    """Tell whether the workload's own controller, or an autoscaler of ours, made it."""
    return item.controller is not None and bool(item.labels.get(LABEL_ID))
