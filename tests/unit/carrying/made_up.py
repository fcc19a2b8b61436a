"""A kind that no provider has: a `Flotilla` whose controller makes pods with nothing in between.

Its status says only how many ships it wants; which pods are current a label of their own tells. A
ship is two pods that answer together.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from providers.carrying.carrier import Carrier, Kind
from providers.carrying.outside import OwnedMeta, slim_owned
from providers.carrying.verbs import Carrying
from providers.contract.manifest import Manifest
from providers.contract.protocols import Endpoint
from providers.contract.request import DeploymentRef, DeployRequest
from providers.contract.target import ClusterTarget
from providers.kube.resources import Resource
from providers.workload.addresses import endpoint_of
from providers.workload.bundle import Group, Mark, Trouble, Workload
from providers.workload.labels import annotations_for, labels_for, selector_for, with_digest
from providers.workload.objects import Layer, Part, Service, moment
from providers.workload.shape import Carried, Shape, Told
from providers.workload.states.said import OK, Said

DIGEST = "slipway.dev/pod-digest"
FLOTILLAS = Resource(api_version="sea.example/v1", kind="Flotilla", plural="flotillas")


class FlotillaSpec(Part, kw_only=True, frozen=True):
    ships: int | None = None
    digest: str | None = None


class FlotillaStatus(Part, kw_only=True, frozen=True):
    seen_generation: int | None = None
    complaint: str | None = None


class Flotilla(Layer, kw_only=True, frozen=True):
    metadata: OwnedMeta | None = None
    spec: FlotillaSpec | None = None
    status: FlotillaStatus | None = None


def tell(seen: Carried) -> Told:
    """Return a Flotilla in common words."""
    found: Flotilla | None = seen.workload
    if found is None:
        return Told()
    spec, status = found.spec or FlotillaSpec(), found.status or FlotillaStatus()
    return Told(
        workload=Workload(
            kind=FLOTILLAS.kind,
            name=found.name,
            uid=found.uid,
            created_at=moment(found.meta.creation_timestamp),
            is_terminating=found.is_terminating,
            observed=(status.seen_generation or 0) >= (found.meta.generation or 0),
            desired=spec.ships,
            silence="is not installed here; ask for an admiral",
            group=Group(label="ship", role_label="rank", roles={"": 2}),
        ),
        current=Mark(label=DIGEST, value=spec.digest or ""),
        refusal=_refusal(status),
    )


def _refusal(status: FlotillaStatus) -> Trouble | None:
    told = status.complaint
    return Trouble(code="ReconcileFailed", message=told) if told else None


def _endpoint_of(ref: DeploymentRef, workload: Any, services: Sequence[Service]) -> Endpoint:
    del workload
    return endpoint_of(ref, services, suffix="-pier")


CARRIER = Carrier(
    implementation="flotilla",
    shape=Shape(kind=FLOTILLAS.kind, tell=tell, scaled_suffix="-fleet"),
    workload=Kind(
        resource=FLOTILLAS,
        struct=Flotilla,
        in_full=Flotilla,
        say=lambda found, _: Said(state="Afloat", tone=OK, message=found.name),
        keep=slim_owned,
    ),
    endpoint_of=_endpoint_of,
    service_suffix="-pier",
    is_scaled=False,
)


class FlotillaProvider(Carrying):
    """Nothing but what is rendered; every verb is the shared one."""

    carrier = CARRIER

    def render(self, request: DeployRequest, target: ClusterTarget) -> tuple[Manifest, ...]:
        """Return a Flotilla and its pier."""
        del target
        name, selector = request.runtime_name, selector_for(request)
        template = {
            "metadata": {"labels": labels_for(request, CARRIER.implementation)},
            "spec": {"containers": [{"name": "engine", "image": "registry.example/engine:1"}]},
        }
        spec = {"ships": request.scaling.min_replicas, "digest": "new", "template": template}
        flotilla = {"apiVersion": FLOTILLAS.api_version, "kind": FLOTILLAS.kind, "spec": spec}
        pier = {"apiVersion": "v1", "kind": "Service", "spec": {"selector": selector}}
        return (_of(request, flotilla, name), _of(request, pier, f"{name}-pier"))


def _of(request: DeployRequest, manifest: Manifest, name: str) -> Manifest:
    metadata = {
        "name": name,
        "namespace": request.namespace,
        "labels": labels_for(request, CARRIER.implementation),
        "annotations": annotations_for(request),
    }
    return with_digest({**manifest, "metadata": metadata})


def decoded(kind: type[Any], document: object) -> Any:
    return msgspec.json.decode(msgspec.json.encode(document), type=kind)
