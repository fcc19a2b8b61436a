"""The stand-in for AIBrix's controller of RoleSets: pods by role, or PodSets of several pods each.

Where the API server refuses a pod, its words stand in a condition here, and in no event.
"""

from collections.abc import Sequence

from providers.contract.manifest import Manifest, digest_of
from providers.testing.controllers.hand import (
    Hand,
    condition_of,
    has,
    is_ending,
    now_text,
    owned,
    owner_reference,
    random_suffix,
)
from providers.testing.controllers.rollout import bounds_of, omit_zeros
from providers.testing.controllers.storm import NAME, PREFIX

FINALIZER = "orchestration.aibrix.ai/roleset-finalizer"
HASH, INDEX = "role-template-hash", f"{PREFIX}/role-replica-index"


def reconcile(hand: Hand, role_set: Manifest, units: Sequence[Manifest]) -> None:
    """Take the next step of a RoleSet; `units` are the pods and PodSets there are."""
    mine = owned(units, role_set)
    if is_ending(role_set):
        for unit in mine:
            hand.delete(unit)
        if not mine:
            hand.release(role_set, FINALIZER)
        return
    hand.hold(role_set, FINALIZER)
    roles = role_set["spec"]["roles"]
    if any(role.get("replicas") is None for role in roles):
        return  # the real one dies of it in each pass
    refusal, may_replace = "", True
    for role in roles:
        refusal = refusal or _bring(hand, role_set, role, mine, may_replace=may_replace)
        is_parallel = role_set["spec"].get("updateStrategy") == "Parallel"
        may_replace = is_parallel or (may_replace and _is_done(role, mine))
    hand.report(role_set, _status(role_set, mine, refusal))


def _bring(
    hand: Hand, role_set: Manifest, role: Manifest, mine: Sequence[Manifest], *, may_replace: bool
) -> str:
    """Make and delete what one role is of; returns why one was refused, or nothing."""
    units = _of(role, mine)
    for unit in units:
        if _is_failed(unit):
            hand.delete(unit)
    live = [unit for unit in units if not is_ending(unit) and not _is_failed(unit)]
    stale = [unit for unit in live if _labels(unit).get(HASH) != _hash_of(role)]
    bounds = bounds_of(role.get("updateStrategy") or {}, role["replicas"])
    if stale and may_replace:
        ready = [unit for unit in stale if _is_ready(unit)]
        may_go = sum(map(_is_ready, live)) - (role["replicas"] - bounds.unavailable)
        doomed = [unit for unit in stale if unit not in ready] + ready[: max(0, may_go)]
    else:
        in_order = sorted(live, key=lambda unit: (unit not in stale, _is_ready(unit), -_at(unit)))
        doomed = in_order[: max(0, len(live) - role["replicas"])]
    for unit in doomed:
        hand.delete(unit)
    # While it may not replace yet, old units stand for new ones.
    standing = len(live) - len(stale) if may_replace else len(live)
    missing = min(role["replicas"] - standing, role["replicas"] + bounds.surge - len(units))
    taken = {_at(unit) for unit in live if unit not in stale}
    free = [index for index in range(role["replicas"]) if index not in taken]
    for index in free[: max(0, missing)]:
        if refusal := hand.create(_unit(role_set, role, index)):
            return refusal
    return ""


def _unit(role_set: Manifest, role: Manifest, index: int) -> Manifest:
    number = _hash_of(role)
    is_group, is_numbered = _is_group(role), _is_group(role) or bool(role.get("stateful"))
    stem = f"{role_set['metadata']['name']}-{role['name']}-"
    name = stem + (f"{number}-{index}" if is_numbered else random_suffix())
    labels = {
        "role-name": role["name"],
        HASH: number,
        "roleset-name": role_set["metadata"]["name"],
        NAME: _labels(role_set)[NAME],
        **({INDEX: str(index)} if is_numbered else {}),
    }
    told = role_set["metadata"]["annotations"]
    place = {f"{PREFIX}/roleset-index": told[f"{PREFIX}/roleset-index"]}
    annotations = {**place, **({INDEX: str(index)} if is_numbered else {})}
    template = _with_env(role["template"], _environment(labels, place, index, is_numbered))
    metadata = {
        "name": shortened(name),
        "namespace": role_set["metadata"]["namespace"],
        "labels": labels,
        "annotations": annotations,
        "ownerReferences": [owner_reference(role_set)],
    }
    if is_group:
        spec = {"podGroupSize": role["podGroupSize"], "stateful": bool(role.get("stateful"))}
        return {"kind": "PodSet", "metadata": metadata, "spec": {**spec, "template": template}}
    revisions = {
        f"{PREFIX}/{word}": told[f"{PREFIX}/{word}.{role['name']}"]
        for word in ("role-revision", "role-revision-name")
    }
    hostname = metadata["name"] if is_numbered else ""
    return pod_of(template, {**metadata, "labels": {**labels, **revisions}}, hostname=hostname)


def pod_of(template: Manifest, metadata: Manifest, *, hostname: str) -> Manifest:
    """Return a pod of a template, with what its controller adds to labels and annotations."""
    given = template.get("metadata") or {}
    joined = {
        name: {**(given.get(name) or {}), **metadata[name]} for name in ("labels", "annotations")
    }
    named = {"subdomain": metadata["labels"][NAME], **({"hostname": hostname} if hostname else {})}
    return {
        "kind": "Pod",
        "metadata": {**metadata, **joined},
        "spec": {**template["spec"], **named},
    }


def _environment(labels: Manifest, place: Manifest, index: int, is_numbered: bool) -> Manifest:  # noqa: FBT001 - as told by its only caller
    numbered = {"ROLE_REPLICA_INDEX": str(index)} if is_numbered else {}
    return {
        "STORM_SERVICE_NAME": labels[NAME],
        "ROLESET_NAME": labels["roleset-name"],
        "ROLESET_INDEX": place[f"{PREFIX}/roleset-index"],
        "ROLE_NAME": labels["role-name"],
        "ROLE_TEMPLATE_HASH": labels[HASH],
        **numbered,
    }


def _with_env(template: Manifest, added: Manifest) -> Manifest:
    return with_env(template, added, ("containers",))


def with_env(template: Manifest, added: Manifest, lists: Sequence[str]) -> Manifest:
    """Return a pod template with variables put first; others of the same names are dropped."""
    first = [{"name": name, "value": value} for name, value in added.items()]
    spec = dict(template["spec"])
    for word in lists:
        containers = spec.get(word) or ()
        if containers:
            spec[word] = [{**one, "env": [*first, *_others(one, added)]} for one in containers]
    return {**template, "spec": spec}


def _others(container: Manifest, added: Manifest) -> list[Manifest]:
    return [one for one in container.get("env") or () if one["name"] not in added]


def shortened(name: str) -> str:
    """Return a name of at most 63: the first letter and the last 62, as AIBrix cuts them."""
    return name if len(name) < 64 else name[0] + name[-62:]


def _status(role_set: Manifest, mine: Sequence[Manifest], refusal: str) -> Manifest:
    roles = role_set["spec"]["roles"]
    entries = [_entry(role, mine) for role in roles]
    unready = [
        entry["name"]
        for role, entry in zip(roles, entries, strict=True)
        if entry.get("readyReplicas", 0) < role["replicas"]
    ]
    told = f"role {','.join(unready)} is not ready" if unready else ""
    reason = "roleset is not ready" if unready else "roleset is ready"
    conditions = [_condition(role_set, "Ready", "False" if unready else "True", reason, told)]
    if refusal:
        told = f"[sync pod error {refusal}]"
        failure = _condition(role_set, "ReplicaFailure", "True", "reconcile roleset error", told)
        conditions.append(failure)
    return {"conditions": conditions, "roles": entries}


def _condition(role_set: Manifest, kind: str, status: str, reason: str, message: str) -> Manifest:
    """Return a condition; its message is written once, and goes stale, as the real one's does."""
    old, now = condition_of(role_set, kind), now_text()
    if old.get("status") == status:
        return old
    told = {"message": message} if message else {}
    times = {"lastTransitionTime": now, "lastUpdateTime": now}
    return {"type": kind, "status": status, "reason": reason, **told, **times}


def _entry(role: Manifest, mine: Sequence[Manifest]) -> Manifest:
    units = [unit for unit in _of(role, mine) if not is_ending(unit)]
    ready = [unit for unit in units if _is_ready(unit)]
    updated = [unit for unit in units if _labels(unit).get(HASH) == _hash_of(role)]
    counts = {
        "readyReplicas": len(ready),
        "notReadyReplicas": len(units) - len(ready),
        "updatedReplicas": len(updated),
        "updatedReadyReplicas": sum(map(_is_ready, updated)),
    }
    return {"name": role["name"], "replicas": len(units), **omit_zeros(counts)}


def _is_done(role: Manifest, mine: Sequence[Manifest]) -> bool:
    entry = _entry(role, mine)
    return bool(entry["replicas"] == entry.get("updatedReadyReplicas", 0) == role["replicas"])


def _of(role: Manifest, mine: Sequence[Manifest]) -> list[Manifest]:
    return [unit for unit in mine if _labels(unit).get("role-name") == role["name"]]


def _hash_of(role: Manifest) -> str:
    return digest_of([role["template"], role.get("podGroupSize")])[:6]


def _is_group(role: Manifest) -> bool:
    return int(role.get("podGroupSize") or 1) > 1


def _is_ready(unit: Manifest) -> bool:
    if unit["kind"] == "PodSet":
        return bool((unit.get("status") or {}).get("phase") == "Ready")
    return has(unit, "Ready") and not is_ending(unit)


def _is_failed(unit: Manifest) -> bool:
    return bool((unit.get("status") or {}).get("phase") == "Failed")


def _at(unit: Manifest) -> int:
    return int(_labels(unit).get(INDEX, -1))


def _labels(item: Manifest) -> dict[str, str]:
    return item["metadata"].get("labels") or {}
