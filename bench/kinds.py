"""Other makers' kinds on a control plane, as open as a schema can be: only their names count here.

Made from what the providers say that they read, so that nothing beside the checkout is needed.
"""

from collections.abc import Sequence

from bench.copies import Kind
from providers import registry
from providers.carrying.carrier import Carrier
from providers.carrying.verbs import Carrying
from providers.contract.manifest import Manifest
from providers.kube.resources import Resource

_OPEN = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
_SCALE = {"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas"}
_BUILT_IN = frozenset({"apps", "autoscaling", "v1"})


def carriers() -> Sequence[Carrier]:
    """Return how each kind of deployment stands on a cluster."""
    return [one.carrier for one in registry.providers().values() if isinstance(one, Carrying)]


def foreign_kinds() -> Sequence[Kind]:
    """Return all kinds that Kubernetes itself does not have, and where etcd keeps them."""
    return [
        Kind(
            name=one.kind,
            version=one.api_version,
            plural=one.plural,
            stored=f"{_group_of(one)}/{one.plural}",
        )
        for one in _foreign()
    ]


def open_schemas() -> tuple[Manifest, ...]:
    """Return a definition of each of them."""
    return tuple(_definition(one) for one in _foreign())


def _foreign() -> Sequence[Resource]:
    read = (kind for one in carriers() for kind in (*(k.resource for k in one.kinds), *one.own))
    return [one for one in dict.fromkeys(read) if _group_of(one) not in _BUILT_IN]


def _group_of(resource: Resource) -> str:
    return resource.api_version.partition("/")[0]


def _definition(resource: Resource) -> Manifest:
    group, _, version = resource.api_version.partition("/")
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{resource.plural}.{group}"},
        "spec": {
            "group": group,
            "scope": "Namespaced",
            "names": {
                "kind": resource.kind,
                "plural": resource.plural,
                "singular": resource.kind.lower(),
            },
            "versions": [
                {
                    "name": version,
                    "served": True,
                    "storage": True,
                    "schema": {"openAPIV3Schema": _OPEN},
                    "subresources": {"status": {}, "scale": _SCALE},
                }
            ],
        },
    }
