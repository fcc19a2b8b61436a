"""Another number of a role's replicas, so that pods are added or removed and none is replaced.

To AIBrix any change of the template is a new revision, which replaces whole replicas. Not so in
place: there the controller relabels its RoleSets and changes the number. So such a change takes two
steps: in place first, and once every RoleSet has it, the strategy that was asked for, which is no
part of a revision. A way that is broken off between the two goes on where it was.
"""

import time

from providers.carrying.parts import at_replicas, labels_of, replicas_of
from providers.contract.errors import Unavailable
from providers.contract.manifest import Manifest, key_of
from providers.contract.protocols import Deadline
from providers.contract.target import ClusterTarget
from providers.kube.apply import MANAGER, apply_object, managers_of
from providers.kube.client import KubeClient, client_for
from providers.kube.clock import seconds_left
from providers.kube.identity import require_same_cluster
from providers.kube.lists import Selection, read_list, read_object
from providers.kube.resources import STORM_SERVICES
from providers.stormservice.objects import LABEL_NAME, RoleSet
from providers.stormservice.render import LABEL_POD_DIGEST
from providers.stormservice.roles import roles_in
from providers.stormservice.telling import ROLE_SETS
from providers.workload.labels import ANNOTATION_DIGEST, LABEL_ID

IN_PLACE = "InPlaceUpdate"
PAUSE_SECONDS = 0.1
# A write needs some of the time that is left, once the controller has acted.
KEPT_SECONDS = 2.0

Pods = list[tuple[str, str, object]]


def scale_roles(wanted: Manifest, target: ClusterTarget, *, deadline: Deadline) -> None:
    """Bring the numbers of the roles to those that are wanted, where nothing else of them differs.

    Raises Unavailable while the controller has not acted: the same update goes on from there.
    """
    if len(roles_in(wanted)) == 1:
        return
    client = client_for(target, deadline=deadline)
    require_same_cluster(client, target, deadline=deadline)
    live = _read(client, wanted, deadline)
    if live is None or labels_of(live).get(LABEL_ID) != labels_of(wanted)[LABEL_ID]:
        return
    if is_numbers_alone(live, wanted) and _keeps_its_holder(live, wanted):
        apply_object(client, in_place(live, wanted), deadline=deadline)
    elif not is_on_its_way(live, wanted):
        return
    _wait_until_taken(client, wanted, deadline)


def is_numbers_alone(live: Manifest, wanted: Manifest) -> bool:
    """Tell whether roles differ, and in their numbers of replicas alone."""
    return _pods(live) == _pods(wanted) and _numbers(live) != _numbers(wanted)


def is_on_its_way(live: Manifest, wanted: Manifest) -> bool:
    """Tell whether the first step was taken and the second was not."""
    strategy = live["spec"].get("updateStrategy") or {}
    same = _pods(live) == _pods(wanted) and _numbers(live) == _numbers(wanted)
    return same and strategy.get("type") == IN_PLACE


def in_place(live: Manifest, wanted: Manifest) -> Manifest:
    """Return the first step: the number of the whole stays, and no digest says that it is done."""
    spec = {**wanted["spec"], "updateStrategy": {"type": IN_PLACE}}
    step = {**wanted, "spec": spec}
    if "replicas" in spec:
        return at_replicas(step, replicas_of(live))
    annotations = {**wanted["metadata"].get("annotations", {})}
    annotations.pop(ANNOTATION_DIGEST, None)
    return {**step, "metadata": {**wanted["metadata"], "annotations": annotations}}


def _keeps_its_holder(live: Manifest, wanted: Manifest) -> bool:
    """Tell whether the number of the whole stays with whoever holds it now."""
    return ("replicas" in wanted["spec"]) == (MANAGER in managers_of(live, "spec", "replicas"))


def _pods(workload: Manifest) -> Pods:
    found = roles_in(workload)
    return [(role.get("name", ""), _digest(role), role.get("podGroupSize")) for role in found]


def _digest(role: Manifest) -> str:
    metadata = (role.get("template") or {}).get("metadata") or {}
    return str((metadata.get("labels") or {}).get(LABEL_POD_DIGEST) or "")


def _numbers(workload: Manifest) -> list[object]:
    return [role.get("replicas") for role in roles_in(workload)]


def _wait_until_taken(client: KubeClient, wanted: Manifest, deadline: Deadline) -> None:
    while not _is_taken(client, wanted, deadline):
        if seconds_left(deadline) < KEPT_SECONDS:
            raise Unavailable(
                f"the controller of {key_of(wanted)} has not taken the new numbers of its roles "
                "yet; the change goes on from there",
                code="ControllerNotResponding",
            )
        time.sleep(PAUSE_SECONDS)


def _is_taken(client: KubeClient, wanted: Manifest, deadline: Deadline) -> bool:
    live = _read(client, wanted, deadline)
    if live is None:
        return True
    status = live.get("status") or {}
    if (status.get("observedGeneration") or 0) < live["metadata"].get("generation", 0):
        return False
    key = key_of(wanted)
    found = read_list(
        client,
        ROLE_SETS,
        RoleSet,
        Selection(namespace=key.namespace, labels=f"{LABEL_NAME}={key.name}"),
        deadline=deadline,
    )
    sets = [item for item in found.items if not item.is_terminating]
    return all(item.revision == status.get("updateRevision") for item in sets)


def _read(client: KubeClient, wanted: Manifest, deadline: Deadline) -> Manifest | None:
    key = key_of(wanted)
    return read_object(client, STORM_SERVICES, key.name, key.namespace, deadline=deadline)
