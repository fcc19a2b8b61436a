"""The objects of one deployment side by side: as rendered, and as they stand on the cluster.

Knows which of them is which, whether they are ours, and whether they need writing at all.
"""

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import partial

from providers.contract.errors import Rejected, Unavailable
from providers.contract.manifest import Manifest, ObjectKey, key_of
from providers.contract.protocols import Deadline
from providers.kube.bounded import run_all
from providers.kube.client import KubeClient
from providers.kube.lists import read_object
from providers.kube.resources import AUTOSCALERS, DEPLOYMENTS, SERVICES, Resource
from providers.workload.labels import ANNOTATION_DIGEST, LABEL_ID


@dataclass(frozen=True, kw_only=True, slots=True)
class Parts:
    """What was rendered; without an autoscaler the Deployment carries its number of replicas."""

    deployment: Manifest
    service: Manifest
    autoscaler: Manifest | None = None

    @property
    def keys(self) -> tuple[ObjectKey, ...]:
        """Return the keys in the order of apply."""
        given = (self.deployment, self.service, self.autoscaler)
        return tuple(key_of(manifest) for manifest in given if manifest is not None)


@dataclass(frozen=True, kw_only=True, slots=True)
class Live:
    """The same objects as they stand on the cluster, None where there is none."""

    deployment: Manifest | None = None
    service: Manifest | None = None
    autoscaler: Manifest | None = None


def parts_of(manifests: tuple[Manifest, ...]) -> Parts:
    """Return rendered manifests by their place."""
    by_kind = {manifest["kind"]: manifest for manifest in manifests}
    return Parts(
        deployment=by_kind[DEPLOYMENTS.kind],
        service=by_kind[SERVICES.kind],
        autoscaler=by_kind.get(AUTOSCALERS.kind),
    )


def read_live(client: KubeClient, parts: Parts, *, deadline: Deadline) -> Live:
    """Read the three objects side by side; raises Rejected when a name is somebody else's."""
    key = key_of(parts.deployment)
    kinds = (DEPLOYMENTS, SERVICES, AUTOSCALERS)
    deployment, service, autoscaler = run_all(
        client.threads,
        [
            partial(read_object, client, kind, key.name, key.namespace, deadline=deadline)
            for kind in kinds
        ],
    )
    deployment_id = labels_of(parts.deployment)[LABEL_ID]
    for kind, found in zip(kinds, (deployment, service, autoscaler), strict=True):
        _check_ours(kind, found, deployment_id)
    return Live(deployment=deployment, service=service, autoscaler=autoscaler)


def labels_of(manifest: Manifest | None) -> Mapping[str, str]:
    """Return the labels of an object, none for none."""
    return ((manifest or {}).get("metadata") or {}).get("labels") or {}


def uid_of(live: Manifest) -> str:
    return str(live["metadata"].get("uid") or "")


def replicas_of(live: Manifest) -> int:
    """Return the number of replicas that an object asks for now; the API's default is 1."""
    replicas = (live.get("spec") or {}).get("replicas")
    return 1 if replicas is None else int(replicas)


def is_current(live: Manifest | None, wanted: Manifest) -> bool:
    """Tell whether the object on the cluster was written from this very body, for this owner."""
    if live is None or live["metadata"].get("deletionTimestamp"):
        return False
    return _digest(live) == _digest(wanted) != "" and _owners(live) >= _owners(wanted)


def owned_by(manifest: Manifest, deployment: Manifest) -> Manifest:
    """Return the object with the Deployment as its owner, so that nothing of it survives that."""
    owner = {
        "apiVersion": DEPLOYMENTS.api_version,
        "kind": DEPLOYMENTS.kind,
        "name": deployment["metadata"]["name"],
        "uid": uid_of(deployment),
    }
    return {**manifest, "metadata": {**manifest["metadata"], "ownerReferences": [owner]}}


def at_replicas(deployment: Manifest, replicas: int) -> Manifest:
    """Return a step on the way: the Deployment with another number, and without its digest.

    So a way that was broken off is not taken for finished.
    """
    step = deepcopy(deployment)
    step["spec"]["replicas"] = replicas
    step["metadata"].get("annotations", {}).pop(ANNOTATION_DIGEST, None)
    return step


def scale_stub(deployment: Manifest, replicas: int | None) -> Manifest:
    """Return what the second field manager applies: a number of replicas, or nothing at all."""
    metadata = deployment["metadata"]
    return {
        "apiVersion": deployment["apiVersion"],
        "kind": deployment["kind"],
        "metadata": {"name": metadata["name"], "namespace": metadata["namespace"]},
        "spec": {} if replicas is None else {"replicas": replicas},
    }


def _check_ours(kind: Resource, found: Manifest | None, deployment_id: str) -> None:
    if found is None:
        return
    name = found["metadata"].get("name", "")
    if labels_of(found).get(LABEL_ID) != deployment_id:
        raise Rejected(
            f"a {kind.kind} {name} that does not belong to this deployment is there already; "
            "rename or remove it",
            code="NameTaken",
        )
    if kind is DEPLOYMENTS and found["metadata"].get("deletionTimestamp"):
        raise Unavailable(f"{kind.kind} {name} is still being deleted", code="StillDeleting")


def _digest(manifest: Manifest) -> str:
    annotations = manifest["metadata"].get("annotations") or {}
    return str(annotations.get(ANNOTATION_DIGEST) or "")


def _owners(manifest: Manifest) -> frozenset[str]:
    owners = manifest["metadata"].get("ownerReferences") or ()
    return frozenset(str(owner.get("uid")) for owner in owners)
