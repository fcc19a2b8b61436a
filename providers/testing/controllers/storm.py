"""The stand-in for AIBrix's controller of StormServices: RoleSets by replicas and revision.

Its status says what the real one's says: numbers of 0 are left out, one condition that is always
True, and no word of whether the RoleSets have seen their change yet. How often a role was changed,
which the real one numbers, it does not say.
"""

from collections.abc import Sequence

from providers.contract.manifest import Manifest, digest_of
from providers.testing.controllers.hand import Hand
from providers.testing.controllers.objects import (
    Bounds,
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

FINALIZER = "orchestration.aibrix.ai/stormservice-finalizer"
PREFIX = "stormservice.orchestration.aibrix.ai"
NAME, REVISION = "storm-service-name", "storm-service-revision"


def reconcile(
    hand: Hand, storm: Manifest, role_sets: Sequence[Manifest], services: Sequence[Manifest]
) -> None:
    """Take the next step of a StormService; every RoleSet that its selector fits counts as its."""
    wanted_labels = storm["spec"]["selector"].get("matchLabels") or {}
    sets = [one for one in role_sets if wanted_labels.items() <= labels_of(one).items()]
    if not hand.keeps(storm, sets, FINALIZER):
        return
    replicas = storm["spec"].get("replicas")
    if not _has_service(hand, storm, services) or replicas is None:
        return  # the real one waits, or dies, without a word
    revision = f"{storm['metadata']['name']}-{digest_of(storm['spec']['template'])[:6]}"
    refusal = _step(hand, storm, sets, replicas, revision)
    if refusal:
        hand.tell(storm, "Scaling", f"scaling error {refusal}")
    hand.report(storm, _status(storm, sets, replicas, revision, refusal))


def _has_service(hand: Hand, storm: Manifest, services: Sequence[Manifest]) -> bool:
    """Make the headless Service; tell whether it stands, and is no other's of that name."""
    name, namespace = storm["metadata"]["name"], storm["metadata"]["namespace"]
    for one in services:
        if (one["metadata"]["namespace"], one["metadata"]["name"]) == (namespace, name):
            return bool(owned([one], storm) or one["spec"].get("clusterIP") == "None")
    spec = {"clusterIP": "None", "publishNotReadyAddresses": True, "selector": {NAME: name}}
    refusal = hand.create(below(storm, "Service", name, {"labels": labels_of(storm)}, spec=spec))
    if not refusal:
        told = f"Headless Service(discovery) {name} created"
        hand.tell(storm, "HeadlessServiceSynced", told, kind="Normal")
    return not refusal


def _step(
    hand: Hand, storm: Manifest, sets: Sequence[Manifest], replicas: int, revision: str
) -> str:
    """Make, relabel and delete RoleSets; returns why one was refused, or nothing."""
    live = [one for one in sets if not is_ending(one)]
    strategy = storm["spec"].get("updateStrategy") or {}
    stale = [one for one in live if labels_of(one).get(REVISION) != revision]
    source = _source(storm, revision)
    if stale and storm["spec"].get("paused"):
        source, stale = stale[0], []
    if strategy.get("type") == "InPlaceUpdate":
        for one in stale:
            hand.merge(one, _relabelling(one, source))
        stale = []
    bounds = bounds_of(strategy, replicas)
    for one in _surplus(live, stale, replicas, bounds):
        hand.delete(one)
    missing = min(replicas - len(live) + len(stale), replicas + bounds.surge - len(sets))
    for index in range(missing):
        if refusal := _unselected(storm) or hand.create(_role_set(storm, source, index)):
            return refusal
    return ""


def _unselected(storm: Manifest) -> str:
    """Say that a new RoleSet would not be its own, or nothing."""
    selector = storm["spec"]["selector"].get("matchLabels") or {}
    labels = (storm["spec"]["template"].get("metadata") or {}).get("labels") or {}
    if selector.items() <= labels.items():
        return ""
    return f"roleSet labels {labels} does not match stormService selector {selector}"


def _surplus(
    live: Sequence[Manifest], stale: Sequence[Manifest], replicas: int, bounds: Bounds
) -> Sequence[Manifest]:
    """Return what has to go: of another revision within the bounds, the unready at once."""
    if not stale:
        by_use = sorted(live, key=lambda one: has(one, "Ready"))
        return by_use[: max(0, len(live) - replicas)]
    ready = [one for one in stale if has(one, "Ready")]
    serving = sum(has(one, "Ready") for one in live)
    may_go = max(0, serving - (replicas - bounds.unavailable))
    return [one for one in stale if one not in ready] + ready[:may_go]


def _source(storm: Manifest, revision: str) -> Manifest:
    """Return what RoleSets of today's template are made of."""
    template = storm["spec"]["template"]
    metadata, spec = template.get("metadata") or {}, template["spec"]
    marks = {NAME: storm["metadata"]["name"], REVISION: revision}
    annotations = {**(metadata.get("annotations") or {}), f"{PREFIX}/revision": revision}
    told = {"labels": {**(metadata.get("labels") or {}), **marks}, "annotations": annotations}
    roles = []
    for role in spec["roles"]:
        strategy = {"type": "Recreate", **(role.get("updateStrategy") or {})}
        roles.append({"disruptionTolerance": {}, **role, "updateStrategy": strategy})
    return {"metadata": told, "spec": {**spec, "roles": roles}}


def _role_set(storm: Manifest, source: Manifest, index: int) -> Manifest:
    """Return a new RoleSet; its index is only its place among those made at once."""
    stem, told = f"{storm['metadata']['name']}-roleset-", source["metadata"]
    annotations = {**told["annotations"], f"{PREFIX}/roleset-index": str(index)}
    marks = {"generateName": stem, "labels": told["labels"], "annotations": annotations}
    name = f"{stem[:58]}{random_suffix()}"
    return below(storm, "RoleSet", name, marks, spec=source["spec"])


def _relabelling(one: Manifest, source: Manifest) -> Manifest:
    """Return the patch that makes a RoleSet one of the new revision, whatever its pods are."""
    gone = {name: None for name in one["spec"] if name not in source["spec"]}
    return {"metadata": source["metadata"], "spec": {**gone, **source["spec"]}}


def _status(
    storm: Manifest, sets: Sequence[Manifest], replicas: int, revision: str, refusal: str
) -> Manifest:
    old = storm.get("status") or {}
    ready = [one for one in sets if has(one, "Ready")]
    relabelled = [one for one in sets if labels_of(one).get(REVISION) == revision]
    updated = [one for one in relabelled if _is_updated(one, "updatedReplicas")]
    done = [one for one in ready if one in updated and _is_updated(one, "updatedReadyReplicas")]
    is_over = len(relabelled) == len(sets)
    current = revision if is_over else old.get("currentRevision", revision)
    is_ready = is_over and len(ready) >= replicas and len(sets) == len(updated) == replicas
    said = {
        "collisionCount": old.get("collisionCount", 0),
        "conditions": [_condition(storm, is_ready=is_ready, refusal=refusal)],
        "currentRevision": current,
        "updateRevision": revision,
        "observedGeneration": storm["metadata"]["generation"],
    }
    if refusal:
        return said
    counts = {
        "replicas": len(sets),
        "readyReplicas": len(ready),
        "notReadyReplicas": len(sets) - len(ready),
        "currentReplicas": sum(labels_of(one).get(REVISION) == current for one in sets),
        "updatedReplicas": len(updated),
        "updatedReadyReplicas": len(done),
    }
    roles = _role_statuses(sets, relabelled)
    return {
        **said,
        **omit_zeros(counts),
        **({"roleStatuses": roles} if roles else {}),
        "scalingTargetSelector": f"{NAME}={storm['metadata']['name']}",
    }


def _condition(storm: Manifest, *, is_ready: bool, refusal: str) -> Manifest:
    kind, reason = ("Ready", "Ready") if is_ready else ("Progressing", "Processing")
    if refusal:
        kind, reason = "ReplicaFailure", "Failure"
    old = condition_of(storm, kind)
    is_same = old and old.get("message", "") == refusal
    return old if is_same else condition(kind, "True", reason, refusal)


def _is_updated(one: Manifest, counted: str) -> bool:
    """Tell by a RoleSet's own words, which may be older than its spec; without any it is."""
    wanted = {role["name"]: role.get("replicas", 0) for role in one["spec"]["roles"]}
    return all(role.get(counted, 0) >= wanted.get(role["name"], 0) for role in _told(one))


def _role_statuses(sets: Sequence[Manifest], relabelled: Sequence[Manifest]) -> list[Manifest]:
    """Return each role's numbers; every pod of a relabelled RoleSet counts as updated."""
    found = []
    for name in sorted({role["name"] for one in sets for role in _told(one)}):
        every = [role for one in sets for role in _told(one) if role["name"] == name]
        updated = [role for one in relabelled for role in _told(one) if role["name"] == name]
        counts = {
            "readyReplicas": _sum(every, "readyReplicas"),
            "notReadyReplicas": _sum(every, "notReadyReplicas"),
            "updatedReplicas": _sum(updated, "replicas"),
            "updatedReadyReplicas": _sum(updated, "readyReplicas"),
        }
        found.append({"name": name, "replicas": _sum(every, "replicas"), **omit_zeros(counts)})
    return found


def _sum(roles: Sequence[Manifest], counted: str) -> int:
    return sum(role.get(counted, 0) for role in roles)


def _told(one: Manifest) -> Sequence[Manifest]:
    return (one.get("status") or {}).get("roles") or ()
