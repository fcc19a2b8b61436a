"""The one namespace that a launch may make, and unmaking it when that launch is refused."""

from collections.abc import Sequence
from functools import partial

from providers.contract.errors import ProviderError
from providers.contract.manifest import Manifest
from providers.contract.protocols import Deadline
from providers.contract.request import DeployRequest
from providers.contract.target import ClusterTarget
from providers.kube.apply import Written, create_object, delete_object
from providers.kube.bounded import run_all
from providers.kube.client import KubeClient
from providers.kube.errors import NOT_FOUND
from providers.kube.lists import Read, Selection, read_list
from providers.kube.resources import (
    AUTOSCALERS,
    CLAIMS,
    DEPLOYMENTS,
    NAMESPACES,
    PODS,
    REPLICA_SETS,
    SECRETS,
    SERVICES,
    Resource,
)
from providers.workload.labels import LABEL_MANAGED_BY, MANAGED_BY
from providers.workload.objects import Item

ANNOTATION_MADE_FOR = "slipway.dev/made-for"
_LOOKED_AT = (PODS, SERVICES, CLAIMS, SECRETS, DEPLOYMENTS, REPLICA_SETS, AUTOSCALERS)


def ensure_namespace(
    client: KubeClient, request: DeployRequest, target: ClusterTarget, *, deadline: Deadline
) -> Written | None:
    """Make the namespace when it is missing and may be made; None when nothing was made."""
    name = request.namespace
    if name != target.creatable_namespace:
        return None
    if client.get(NAMESPACES.item(name), deadline=deadline).status != NOT_FOUND:
        return None
    return create_object(client, _namespace(request), deadline=deadline)


def remove_if_empty(
    client: KubeClient, made: Written, kinds: Sequence[Resource], *, deadline: Deadline
) -> bool:
    """Delete a namespace that we made if nobody has put anything into it; tell whether we did."""
    looks = run_all(
        client.threads,
        [
            partial(_first_of, client, kind, made.key.name, deadline)
            for kind in {*_LOOKED_AT, *kinds}
        ],
    )
    if any(look.items or look.trouble for look in looks):
        return False
    try:
        delete_object(client, made.key, uid=made.uid, deadline=deadline, propagation="Background")
    except ProviderError:
        return False
    return True


def _first_of(client: KubeClient, kind: Resource, namespace: str, deadline: Deadline) -> Read[Item]:
    selection = Selection(namespace=namespace, most=1)
    return read_list(client, kind, Item, selection, deadline=deadline)


def _namespace(request: DeployRequest) -> Manifest:
    return {
        "apiVersion": NAMESPACES.api_version,
        "kind": NAMESPACES.kind,
        "metadata": {
            "name": request.namespace,
            "labels": {LABEL_MANAGED_BY: MANAGED_BY},
            "annotations": {ANNOTATION_MADE_FOR: request.id},
        },
    }
