"""The stand-in for AIBrix's controller of RoleSets: pods by role, or PodSets of several pods each.

Where the API server refuses a pod, its words stand in a condition here, and in no event.
"""

from collections.abc import Sequence

from providers.contract.manifest import Manifest, digest_of
from providers.testing.controllers.hand import Hand
from providers.testing.controllers.objects import (
    below,
    bounds_of,
    condition,
    condition_of,
    has,
    is_ending,
    labels_of,
    omit_zeros,
    owned,
    random_suffix,
)
from providers.testing.controllers.storm import NAME, PREFIX

FINALIZER = "orchestration.aibrix.ai/roleset-finalizer"
HASH, PLACE = "role-template-hash", f"{PREFIX}/roleset-index"
INDEX = f"{PREFIX}/role-replica-index"


def reconcile(hand: Hand, role_set: Manifest, units: Sequence[Manifest]) -> None:
    """Take the next step of a RoleSet; `units` are the pods and PodSets there are."""
    mine = owned(units, role_set)
    roles = role_set["spec"]["roles"]
    if not hand.keeps(role_set, mine, FINALIZER):
        return
    if any(role.get("replicas") is None for role in roles):
        return  # the real one dies of it in each pass
    refusal, may_replace = "", True
    is_parallel = role_set["spec"].get("updateStrategy") == "Parallel"
    for role in roles:
        refusal = refusal or _bring(hand, role_set, role, mine, may_replace=may_replace)
        may_replace = is_parallel or (may_replace and _is_done(role, mine))
    hand.report(role_set, _status(role_set, mine, refusal))


def _bring(
    hand: Hand, role_set: Manifest, role: Manifest, mine: Sequence[Manifest], *, may_replace: bool
) -> str:
    """Make and delete what one role is of; returns why one was refused, or nothing."""
    units, wanted = _of(role, mine), role["replicas"]
    live = [unit for unit in units if not is_ending(unit) and not _is_failed(unit)]
    stale = [unit for unit in live if labels_of(unit).get(HASH) != _hash_of(role)]
    bounds = bounds_of(role.get("updateStrategy") or {}, wanted)
    if stale and may_replace:
        ready = [unit for unit in stale if _is_ready(unit)]
        may_go = sum(map(_is_ready, live)) - (wanted - bounds.unavailable)
        doomed = [unit for unit in stale if unit not in ready] + ready[: max(0, may_go)]
    else:
        in_order = sorted(live, key=lambda unit: (unit not in stale, _is_ready(unit), -_at(unit)))
        doomed = in_order[: max(0, len(live) - wanted)]
    for unit in (*filter(_is_failed, units), *doomed):
        hand.delete(unit)
    # While it may not replace yet, old units stand for new ones.
    standing = len(live) - len(stale) if may_replace else len(live)
    missing = min(wanted - standing, wanted + bounds.surge - len(units))
    taken = {_at(unit) for unit in live if unit not in stale}
    free = [index for index in range(wanted) if index not in taken]
    for index in free[: max(0, missing)]:
        if refusal := hand.create(_unit(role_set, role, index)):
            return refusal
    return ""


def _unit(role_set: Manifest, role: Manifest, index: int) -> Manifest:
    """Return a new pod, or PodSet, of a role; numbered where it is stateful or a PodSet."""
    stem, number = role_set["metadata"]["name"], _hash_of(role)
    place = role_set["metadata"]["annotations"][PLACE]
    is_group = int(role.get("podGroupSize") or 1) > 1
    is_numbered = is_group or bool(role.get("stateful"))
    at = {INDEX: str(index)} if is_numbered else {}
    suffix = f"{number}-{index}" if is_numbered else random_suffix()
    name = shortened(f"{stem}-{role['name']}-{suffix}")
    owner = labels_of(role_set)[NAME]
    labels = {"role-name": role["name"], HASH: number, "roleset-name": stem, NAME: owner, **at}
    added = {
        "STORM_SERVICE_NAME": owner,
        "ROLESET_NAME": stem,
        "ROLESET_INDEX": place,
        "ROLE_NAME": role["name"],
        "ROLE_TEMPLATE_HASH": number,
        **({"ROLE_REPLICA_INDEX": str(index)} if is_numbered else {}),
    }
    template = with_env(role["template"], added, ("containers",))
    told = {"labels": labels, "annotations": {PLACE: place, **at}}
    if not is_group:
        return pod_of(role_set, template, name, told, is_named=is_numbered)
    spec = {"podGroupSize": role["podGroupSize"], "stateful": bool(role.get("stateful"))}
    return below(role_set, "PodSet", name, told, spec={**spec, "template": template})


def pod_of(
    owner: Manifest, template: Manifest, name: str, told: Manifest, *, is_named: bool
) -> Manifest:
    """Return a pod of a template, with what its controller adds; `is_named` gives it a host's."""
    given = template.get("metadata") or {}
    joined = {word: {**(given.get(word) or {}), **added} for word, added in told.items()}
    host = {"hostname": name} if is_named else {}
    spec = {**template["spec"], "subdomain": told["labels"][NAME], **host}
    return below(owner, "Pod", name, joined, spec=spec)


def with_env(template: Manifest, added: Manifest, lists: Sequence[str]) -> Manifest:
    """Return a pod template with variables put first; others of the same names are dropped."""
    first = [{"name": name, "value": value} for name, value in added.items()]
    spec = dict(template["spec"])
    for word in filter(spec.get, lists):
        spec[word] = [
            {**one, "env": [*first, *(e for e in one.get("env") or () if e["name"] not in added)]}
            for one in spec[word]
        ]
    return {**template, "spec": spec}


def shortened(name: str) -> str:
    """Return a name of at most 63: the first letter and the last 62, as AIBrix cuts them."""
    return name if len(name) < 64 else name[0] + name[-62:]


def _status(role_set: Manifest, mine: Sequence[Manifest], refusal: str) -> Manifest:
    wanted = {role["name"]: role["replicas"] for role in role_set["spec"]["roles"]}
    entries = [_entry(role, mine) for role in role_set["spec"]["roles"]]
    unready = [one["name"] for one in entries if one.get("readyReplicas", 0) < wanted[one["name"]]]
    said = [("Ready", "True", "roleset is ready", "")]
    if unready:
        told = f"role {','.join(unready)} is not ready"
        said = [("Ready", "False", "roleset is not ready", told)]
    if refusal:
        told = f"[sync pod error {refusal}]"
        said.append(("ReplicaFailure", "True", "reconcile roleset error", told))
    return {"conditions": [_said(role_set, *words) for words in said], "roles": entries}


def _said(role_set: Manifest, kind: str, status: str, reason: str, message: str) -> Manifest:
    """Return a condition; its message is written once, and goes stale, as the real one's does."""
    old = condition_of(role_set, kind)
    return old if old.get("status") == status else condition(kind, status, reason, message)


def _entry(role: Manifest, mine: Sequence[Manifest]) -> Manifest:
    units = [unit for unit in _of(role, mine) if not is_ending(unit)]
    updated = [unit for unit in units if labels_of(unit).get(HASH) == _hash_of(role)]
    ready = sum(map(_is_ready, units))
    counts = {
        "readyReplicas": ready,
        "notReadyReplicas": len(units) - ready,
        "updatedReplicas": len(updated),
        "updatedReadyReplicas": sum(map(_is_ready, updated)),
    }
    return {"name": role["name"], "replicas": len(units), **omit_zeros(counts)}


def _is_done(role: Manifest, mine: Sequence[Manifest]) -> bool:
    entry = _entry(role, mine)
    return bool(entry["replicas"] == entry.get("updatedReadyReplicas", 0) == role["replicas"])


def _of(role: Manifest, mine: Sequence[Manifest]) -> list[Manifest]:
    return [unit for unit in mine if labels_of(unit).get("role-name") == role["name"]]


def _hash_of(role: Manifest) -> str:
    return digest_of([role["template"], role.get("podGroupSize")])[:6]


def _is_ready(unit: Manifest) -> bool:
    if unit["kind"] == "PodSet":
        return bool((unit.get("status") or {}).get("phase") == "Ready")
    return has(unit, "Ready") and not is_ending(unit)


def _is_failed(unit: Manifest) -> bool:
    return bool((unit.get("status") or {}).get("phase") == "Failed")


def _at(unit: Manifest) -> int:
    return int(labels_of(unit).get(INDEX, -1))
