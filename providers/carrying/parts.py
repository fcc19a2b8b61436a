"""The objects of one deployment side by side: as rendered, and as they stand on the cluster.

Knows which of them is which, whether they are ours, and whether they need writing at all.
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from typing import Any

from providers.carrying.carrier import Carrier, spec_replicas
from providers.contract.errors import Rejected, Unavailable
from providers.contract.manifest import Manifest, ObjectKey, key_of
from providers.contract.protocols import Deadline
from providers.kube.bounded import run_all
from providers.kube.client import KubeClient
from providers.kube.lists import read_object
from providers.kube.resources import SERVICES, resource_of
from providers.workload.labels import ANNOTATION_DIGEST, LABEL_ID


@dataclass(frozen=True, kw_only=True, slots=True)
class Parts:
    """What was rendered; without an autoscaler the workload carries its number of replicas."""

    workload: Manifest
    service: Manifest | None = None
    autoscaler: Manifest | None = None

    @property
    def companions(self) -> tuple[Manifest, ...]:
        """Return what stands beside the workload, in the order of apply."""
        return tuple(part for part in (self.service, self.autoscaler) if part is not None)

    @property
    def keys(self) -> tuple[ObjectKey, ...]:
        """Return the keys in the order of apply."""
        return tuple(key_of(manifest) for manifest in (self.workload, *self.companions))


@dataclass(frozen=True, kw_only=True, slots=True)
class Live:
    """The same objects as they stand on the cluster, None where there is none."""

    workload: Manifest | None = None
    service: Manifest | None = None
    autoscaler: Manifest | None = None


def parts_of(carrier: Carrier, manifests: Sequence[Manifest]) -> Parts:
    """Return rendered manifests by their place."""
    by_kind = {manifest["kind"]: manifest for manifest in manifests}
    scalers = (by_kind.get(kind.kind) for kind in carrier.autoscalers)
    return Parts(
        workload=by_kind[carrier.workload.resource.kind],
        service=by_kind.get(SERVICES.kind),
        autoscaler=next((scaler for scaler in scalers if scaler is not None), None),
    )


def read_live(client: KubeClient, carrier: Carrier, parts: Parts, *, deadline: Deadline) -> Live:
    """Read the objects side by side; raises Rejected when a name is somebody else's."""
    key = key_of(parts.workload)
    services = [] if parts.service is None else [key_of(parts.service)]
    scalers = [kind.key(key.name, key.namespace) for kind in carrier.autoscalers]
    keys = [key, *services, *scalers]
    found = run_all(client.threads, [partial(_read, client, one, deadline) for one in keys])
    deployment_id = labels_of(parts.workload)[LABEL_ID]
    for one, live in zip(keys, found, strict=True):
        _check_ours(one, live, deployment_id, is_workload=one == key)
    workload, *beside = found
    return Live(
        workload=workload,
        service=beside[0] if services else None,
        autoscaler=next((live for live in beside[len(services) :] if live is not None), None),
    )


def _read(client: KubeClient, key: ObjectKey, deadline: Deadline) -> Manifest | None:
    return read_object(client, resource_of(key), key.name, key.namespace, deadline=deadline)


def labels_of(manifest: Manifest | None) -> Mapping[str, str]:
    """Return the labels of an object, none for none."""
    return ((manifest or {}).get("metadata") or {}).get("labels") or {}


def uid_of(live: Manifest) -> str:
    return str(live["metadata"].get("uid") or "")


def replicas_of(live: Manifest) -> int:
    """Return the number of replicas that an object with a scale asks for now."""
    return spec_replicas(live)


def is_current(live: Manifest | None, wanted: Manifest) -> bool:
    """Tell whether the object on the cluster was written from this very body, for this owner."""
    if live is None or live["metadata"].get("deletionTimestamp"):
        return False
    return _digest(live) == _digest(wanted) != "" and _owners(live) >= _owners(wanted)


def owned_by(manifest: Manifest, workload: Manifest) -> Manifest:
    """Return the object with the workload as its owner, so that nothing of it survives that."""
    owner = {
        "apiVersion": workload["apiVersion"],
        "kind": workload["kind"],
        "name": workload["metadata"]["name"],
        "uid": uid_of(workload),
    }
    return {**manifest, "metadata": {**manifest["metadata"], "ownerReferences": [owner]}}


def at_replicas(workload: Manifest, replicas: int) -> Manifest:
    """Return a step on the way: the workload with another number, and without its digest.

    So a way that was broken off is not taken for finished.
    """
    step: dict[str, Any] = deepcopy(workload)
    step["spec"]["replicas"] = replicas
    step["metadata"].get("annotations", {}).pop(ANNOTATION_DIGEST, None)
    return step


def scale_stub(workload: Manifest, replicas: int | None) -> Manifest:
    """Return what the second field manager applies: a number of replicas, or nothing at all."""
    metadata = workload["metadata"]
    return {
        "apiVersion": workload["apiVersion"],
        "kind": workload["kind"],
        "metadata": {"name": metadata["name"], "namespace": metadata["namespace"]},
        "spec": {} if replicas is None else {"replicas": replicas},
    }


def _check_ours(
    key: ObjectKey, found: Manifest | None, deployment_id: str, *, is_workload: bool
) -> None:
    if found is None:
        return
    if _has_lost_labels(found):
        raise Rejected(
            f"somebody took the labels of Slipway off {key}, without which it is not changed; "
            "put them back first, where the deployment's page tells what others changed",
            code="LabelsRemoved",
        )
    if labels_of(found).get(LABEL_ID) != deployment_id:
        raise Rejected(
            f"a {key} that does not belong to this deployment is there already; "
            "rename or remove it",
            code="NameTaken",
        )
    if is_workload and found["metadata"].get("deletionTimestamp"):
        raise Unavailable(f"{key} is still being deleted", code="StillDeleting")


def _has_lost_labels(found: Manifest) -> bool:
    """Tell whether an object without our label was made by us, as its annotation says."""
    return LABEL_ID not in labels_of(found) and bool(_digest(found))


def _digest(manifest: Manifest) -> str:
    annotations = manifest["metadata"].get("annotations") or {}
    return str(annotations.get(ANNOTATION_DIGEST) or "")


def _owners(manifest: Manifest) -> frozenset[str]:
    owners = manifest["metadata"].get("ownerReferences") or ()
    return frozenset(str(owner.get("uid")) for owner in owners)
