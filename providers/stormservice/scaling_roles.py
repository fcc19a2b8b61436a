"""Another number of a role's replicas, so that pods are added or removed and none is replaced.

To AIBrix any change of the template is a new revision, which replaces whole replicas. Not so in
place: there the controller relabels its RoleSets and changes the number. So such a change takes two
steps: in place first, and once every RoleSet has it, the strategy that was asked for, which is no
part of a revision. A way that is broken off between the two goes on where it was.

In place every replica is changed at once, and a role that went keeps its pods. So this way is taken
only where no other change is on its own: else the numbers go along with that one.
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
from providers.stormservice.roles import roles_in
from providers.stormservice.telling import ROLE_SETS
from providers.workload.drifting.comparing import is_covered
from providers.workload.labels import ANNOTATION_DIGEST, LABEL_ID

IN_PLACE = "InPlaceUpdate"
PAUSE_SECONDS = 0.1
# A write needs some of the time that is left, once the controller has acted.
KEPT_SECONDS = 2.0
# What the API server or an autoscaler fills in, and no pod is made anew for.
_FILLED_IN = frozenset({"protocol", "updateStrategy", "disruptionTolerance"})


def scale_roles(wanted: Manifest, target: ClusterTarget, *, deadline: Deadline) -> None:
    """Bring the numbers of the roles to those that are wanted, where nothing else of them differs.

    Raises Unavailable while the controller has not acted: the same update goes on from there.
    """
    client = client_for(target, deadline=deadline)
    require_same_cluster(client, target, deadline=deadline)
    live = _read(client, wanted, deadline)
    if live is None or not _is_acted_on(live, wanted):
        return
    if is_numbers_alone(live, wanted) and _keeps_its_holder(live, wanted):
        if not _is_at_rest(client, wanted, deadline):
            return
        apply_object(client, in_place(live, wanted), deadline=deadline)
    elif not is_on_its_way(live, wanted):
        return
    _wait_until_taken(client, wanted, deadline)


def is_numbers_alone(live: Manifest, wanted: Manifest) -> bool:
    """Tell whether roles differ, and in their numbers of replicas alone."""
    return _has_its_pods(live, wanted) and _numbers(live) != _numbers(wanted)


def is_on_its_way(live: Manifest, wanted: Manifest) -> bool:
    """Tell whether the first step was taken and the second was not."""
    strategy = live["spec"].get("updateStrategy") or {}
    same = _has_its_pods(live, wanted) and _numbers(live) == _numbers(wanted)
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


def _is_acted_on(live: Manifest, wanted: Manifest) -> bool:
    """Tell whether it is ours, and nothing keeps its controller from taking a change of it.

    That is a deletion, a pause that somebody asked for, or a number that is not there.
    """
    is_ours = labels_of(live).get(LABEL_ID) == labels_of(wanted)[LABEL_ID]
    is_held = live["metadata"].get("deletionTimestamp") or live["spec"].get("paused")
    numbers = [live["spec"].get("replicas"), *_numbers(live)]
    return is_ours and not is_held and None not in numbers


def _keeps_its_holder(live: Manifest, wanted: Manifest) -> bool:
    """Tell whether the number of the whole stays with whoever holds it now."""
    return ("replicas" in wanted["spec"]) == (MANAGER in managers_of(live, "spec", "replicas"))


def _has_its_pods(live: Manifest, wanted: Manifest) -> bool:
    """Tell whether roles are made from what is wanted, and nobody has changed or added to that."""
    ours, theirs = _without_numbers(wanted), _without_numbers(live)
    return is_covered(ours, theirs, ()) and is_covered(_as_written(theirs), ours, ())


def _without_numbers(workload: Manifest) -> list[Manifest]:
    roles = roles_in(workload)
    return [{name: part for name, part in role.items() if name != "replicas"} for role in roles]


def _as_written(value: object) -> object:
    """Return a value without what is filled in by itself."""
    if isinstance(value, list):
        return [_as_written(item) for item in value]
    if isinstance(value, dict):
        return {name: _as_written(part) for name, part in value.items() if name not in _FILLED_IN}
    return value


def _numbers(workload: Manifest) -> list[object]:
    return [role.get("replicas") for role in roles_in(workload)]


def _is_at_rest(client: KubeClient, wanted: Manifest, deadline: Deadline) -> bool:
    """Tell whether no RoleSet is left of a revision before that of now."""
    live = _once_seen(client, wanted, deadline)
    return live is not None and _is_everywhere(client, live, deadline)


def _wait_until_taken(client: KubeClient, wanted: Manifest, deadline: Deadline) -> None:
    while live := _once_seen(client, wanted, deadline):
        if _is_everywhere(client, live, deadline):
            return
        _pause(wanted, deadline)


def _once_seen(client: KubeClient, wanted: Manifest, deadline: Deadline) -> Manifest | None:
    """Return the object once its controller has seen every change of it, None where it is gone."""
    while live := _read(client, wanted, deadline):
        seen = (live.get("status") or {}).get("observedGeneration") or 0
        if seen >= live["metadata"].get("generation", 0):
            return live
        _pause(wanted, deadline)
    return None


def _pause(wanted: Manifest, deadline: Deadline) -> None:
    if seconds_left(deadline) < KEPT_SECONDS:
        raise Unavailable(
            f"the controller of {key_of(wanted)} has not taken the new numbers of its roles "
            "yet; the change goes on from there",
            code="ControllerNotResponding",
        )
    time.sleep(PAUSE_SECONDS)


def _is_everywhere(client: KubeClient, live: Manifest, deadline: Deadline) -> bool:
    """Tell whether every RoleSet that stays is of the newest revision."""
    key = key_of(live)
    found = read_list(
        client,
        ROLE_SETS,
        RoleSet,
        Selection(namespace=key.namespace, labels=f"{LABEL_NAME}={key.name}"),
        deadline=deadline,
    )
    newest = live["status"].get("updateRevision")
    return all(item.revision == newest for item in found.items if not item.is_terminating)


def _read(client: KubeClient, wanted: Manifest, deadline: Deadline) -> Manifest | None:
    key = key_of(wanted)
    return read_object(client, STORM_SERVICES, key.name, key.namespace, deadline=deadline)
