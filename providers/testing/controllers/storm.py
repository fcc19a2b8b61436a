"""The stand-in for AIBrix's controller of StormServices: RoleSets by replicas and revision.

Its status says what the real one's says: numbers of 0 are left out, one condition that is always
True, and no word of whether the RoleSets have seen their change yet.
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
from providers.testing.controllers.rollout import Bounds, bounds_of, omit_zeros

FINALIZER = "orchestration.aibrix.ai/stormservice-finalizer"
PREFIX = "stormservice.orchestration.aibrix.ai"
NAME, REVISION = "storm-service-name", "storm-service-revision"


def reconcile(
    hand: Hand, storm: Manifest, role_sets: Sequence[Manifest], services: Sequence[Manifest]
) -> None:
    """Take the next step of a StormService; every RoleSet that its selector fits counts as its."""
    wanted_labels = storm["spec"]["selector"].get("matchLabels") or {}
    sets = [one for one in role_sets if wanted_labels.items() <= _labels(one).items()]
    if is_ending(storm):
        _end(hand, storm, sets)
        return
    hand.hold(storm, FINALIZER)
    replicas = storm["spec"].get("replicas")
    if not _has_service(hand, storm, services) or replicas is None:
        return  # the real one waits, or dies, without a word
    revision = f"{storm['metadata']['name']}-{digest_of(storm['spec']['template'])[:6]}"
    refusal = _step(hand, storm, sets, replicas, revision)
    if refusal:
        hand.tell(storm, "Scaling", f"scaling error {refusal}", kind="Warning")
    hand.report(storm, _status(storm, sets, replicas, revision, refusal))


def _end(hand: Hand, storm: Manifest, sets: Sequence[Manifest]) -> None:
    for one in sets:
        hand.delete(one)
    if not sets:
        hand.release(storm, FINALIZER)


def _has_service(hand: Hand, storm: Manifest, services: Sequence[Manifest]) -> bool:
    """Make the headless Service; tell whether it stands, and is no other's of that name."""
    metadata = storm["metadata"]
    place = (metadata["namespace"], metadata["name"])
    for one in services:
        if (one["metadata"]["namespace"], one["metadata"]["name"]) == place:
            return bool(owned([one], storm) or one["spec"].get("clusterIP") == "None")
    body = {
        "kind": "Service",
        "metadata": {
            "name": metadata["name"],
            "namespace": metadata["namespace"],
            "labels": _labels(storm),
            "ownerReferences": [owner_reference(storm)],
        },
        "spec": {
            "clusterIP": "None",
            "publishNotReadyAddresses": True,
            "selector": {NAME: metadata["name"]},
        },
    }
    refusal = hand.create(body)
    if not refusal:
        told = f"Headless Service(discovery) {metadata['name']} created"
        hand.tell(storm, "HeadlessServiceSynced", told)
    return not refusal


def _step(
    hand: Hand, storm: Manifest, sets: Sequence[Manifest], replicas: int, revision: str
) -> str:
    """Make, relabel and delete RoleSets; returns why one was refused, or nothing."""
    live = [one for one in sets if not is_ending(one)]
    strategy = storm["spec"].get("updateStrategy") or {}
    stale = [one for one in live if _labels(one).get(REVISION) != revision]
    if stale and storm["spec"].get("paused"):
        source, stale = stale[0], []
    else:
        source = _role_set(storm, revision, live)
    if strategy.get("type") == "InPlaceUpdate":
        for one in stale:
            hand.merge(one, _relabelling(one, source))
        stale = []
    bounds = bounds_of(strategy, replicas)
    for one in _surplus(live, stale, replicas, bounds):
        hand.delete(one)
    missing = min(replicas - len(live) + len(stale), replicas + bounds.surge - len(sets))
    for index in range(missing):
        if refusal := hand.create(_copy(storm, source, index)):
            return refusal
    return ""


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


def _role_set(storm: Manifest, revision: str, live: Sequence[Manifest]) -> Manifest:
    """Return the RoleSet of today's template; a role that did not change keeps its revision."""
    template = storm["spec"]["template"]
    spec = {**template["spec"], "roles": [_filled(role) for role in template["spec"]["roles"]]}
    before = live[0] if live else {"metadata": {}, "spec": {"roles": []}}
    told = before["metadata"].get("annotations") or {}
    old = {role["name"]: digest_of(role["template"]) for role in before["spec"]["roles"]}
    number = 1 + max((int(v) for k, v in told.items() if "/role-revision." in k), default=0)
    annotations = {f"{PREFIX}/revision": revision}
    for role in spec["roles"]:
        name = role["name"]
        is_same = old.get(name) == digest_of(role["template"])
        keys = (f"{PREFIX}/role-revision-name.{name}", f"{PREFIX}/role-revision.{name}")
        for key, fresh in zip(keys, (revision, str(number)), strict=True):
            annotations[key] = told[key] if is_same and key in told else fresh
    metadata = template.get("metadata") or {}
    labels = {**(metadata.get("labels") or {}), NAME: storm["metadata"]["name"], REVISION: revision}
    return {
        "metadata": {
            "labels": labels,
            "annotations": {**(metadata.get("annotations") or {}), **annotations},
        },
        "spec": spec,
    }


def _filled(role: Manifest) -> Manifest:
    strategy = {"type": "Recreate", **(role.get("updateStrategy") or {})}
    return {"disruptionTolerance": {}, **role, "updateStrategy": strategy}


def _copy(storm: Manifest, source: Manifest, index: int) -> Manifest:
    """Return a new RoleSet; its index is only its place among those made at once."""
    metadata = storm["metadata"]
    stem = f"{metadata['name']}-roleset-"
    annotations = {**source["metadata"]["annotations"], f"{PREFIX}/roleset-index": str(index)}
    return {
        "kind": "RoleSet",
        "metadata": {
            "name": f"{stem[:58]}{random_suffix()}",
            "generateName": stem,
            "namespace": metadata["namespace"],
            "labels": source["metadata"]["labels"],
            "annotations": annotations,
            "ownerReferences": [owner_reference(storm)],
        },
        "spec": source["spec"],
    }


def _relabelling(one: Manifest, source: Manifest) -> Manifest:
    """Return the patch that makes a RoleSet one of the new revision, whatever its pods are."""
    changed = {name: source["metadata"][name] for name in ("labels", "annotations")}
    gone = {name: None for name in one["spec"] if name not in source["spec"]}
    return {"metadata": changed, "spec": {**gone, **source["spec"]}}


def _status(
    storm: Manifest, sets: Sequence[Manifest], replicas: int, revision: str, refusal: str
) -> Manifest:
    old = storm.get("status") or {}
    ready = [one for one in sets if has(one, "Ready")]
    relabelled = [one for one in sets if _labels(one).get(REVISION) == revision]
    updated = [one for one in relabelled if _is_updated(one, "updatedReplicas")]
    before = old.get("currentRevision", revision)
    is_over = len(relabelled) == len(sets)
    current = revision if is_over else before
    done = [one for one in ready if one in updated and _is_updated(one, "updatedReadyReplicas")]
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
        "currentReplicas": sum(_labels(one).get(REVISION) == current for one in sets),
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
    told = {"message": refusal} if refusal else {}
    old, now = condition_of(storm, kind), now_text()
    if old and old.get("message", "") == refusal:
        return old
    times = {"lastTransitionTime": now, "lastUpdateTime": now}
    return {"type": kind, "status": "True", "reason": reason, **told, **times}


def _is_updated(one: Manifest, counted: str) -> bool:
    """Tell by a RoleSet's own words, which may be older than its spec; without any it is."""
    wanted = {role["name"]: role["replicas"] for role in one["spec"]["roles"]}
    told = (one.get("status") or {}).get("roles") or ()
    return all(role.get(counted, 0) >= wanted.get(role["name"], 0) for role in told)


def _role_statuses(sets: Sequence[Manifest], relabelled: Sequence[Manifest]) -> list[Manifest]:
    """Return each role's numbers; every pod of a relabelled RoleSet counts as updated."""
    found: dict[str, dict[str, int]] = {}
    for one in sets:
        for role in (one.get("status") or {}).get("roles") or ():
            sums = found.setdefault(role["name"], {"replicas": 0})
            for name in ("replicas", "readyReplicas", "notReadyReplicas"):
                sums[name] = sums.get(name, 0) + role.get(name, 0)
            for name, source in (
                ("updatedReplicas", "replicas"),
                ("updatedReadyReplicas", "readyReplicas"),
            ):
                sums[name] = sums.get(name, 0) + (role.get(source, 0) if one in relabelled else 0)
    return [
        {"name": name, **omit_zeros(found[name]), "replicas": found[name]["replicas"]}
        for name in sorted(found)
    ]


def _labels(item: Manifest) -> dict[str, str]:
    return item["metadata"].get("labels") or {}
