"""Deployments: a ReplicaSet per template, rolled out within the bounds of the strategy."""

from collections.abc import Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from math import ceil

from providers.contract.manifest import Manifest, canonical_json, digest_of
from providers.sandbox.controllers.replicasets import owner_reference, pods_of
from providers.sandbox.controllers.rollout import deployment_status, seconds_to_deadline
from providers.sandbox.desk import CONTROLLERS, Desk
from providers.sandbox.journal import Journal
from providers.sandbox.kinds import BY_PLURAL
from providers.sandbox.store import Change, Key, is_ending

COMPONENT = "deployment-controller"
REVISION = "deployment.kubernetes.io/revision"
DESIRED = "deployment.kubernetes.io/desired-replicas"
MOST = "deployment.kubernetes.io/max-replicas"
HASH = "pod-template-hash"
_LETTERS = "bcdfghjklmnpqrstvwxz2456789"


@dataclass(frozen=True, kw_only=True, slots=True)
class Bounds:
    """How many pods there may be at most and must be available at least."""

    most: int
    least: int


class Deployments:
    """Rolls out."""

    def __init__(self, desk: Desk, journal: Journal) -> None:
        self._desk, self._journal = desk, journal

    def concerns(self, change: Change) -> Iterable[Key]:
        if change.key.plural == "deployments":
            yield change.key
        elif change.key.plural == "replicasets":
            for owner in change.object["metadata"].get("ownerReferences") or ():
                if owner["kind"] == "Deployment":
                    yield Key("deployments", change.key.namespace, owner["name"])
        elif change.key.plural == "pods" and change.new is None:
            # A Recreate waits for the last old pod, which no ReplicaSet counts any longer.
            labels = change.object["metadata"].get("labels") or {}
            for item in self._desk.store.items("deployments", change.key.namespace):
                wanted = item["spec"]["selector"].get("matchLabels") or {}
                if wanted.items() <= labels.items():
                    yield Key("deployments", change.key.namespace, item["metadata"]["name"])

    def reconcile(self, key: Key) -> float | None:
        item = self._desk.store.at(key)
        if item is None:
            return None
        if not is_ending(item):
            self._roll(item)
        current = self._desk.store.at(key)
        if current is None:
            return None
        new, old = self._split(current)
        status = deployment_status(
            current, new, old, now=self._desk.clock.now(), ending=self._ending(new, old)
        )
        self._desk.set_status("deployments", current, status)
        return seconds_to_deadline(current, status, now=self._desk.clock.now())

    def _roll(self, item: Manifest) -> None:
        new, old = self._split(item)
        spec = item["spec"]
        if spec["strategy"]["type"] == "Recreate":
            self._scale_down(item, old, sum(r["spec"]["replicas"] for r in old))
            if new is None and any(pods_of(self._desk, each) for each in old):
                return
            self._grow(item, new, spec["replicas"])
            return
        bounds = bounds_of(spec)
        new = self._grow(item, new, self._room(spec["replicas"], new, old, bounds))
        self._shrink_old(item, new, old, bounds)
        if new["spec"]["replicas"] == new["status"].get("availableReplicas", 0):
            self._clean_up(item, old)

    def _split(self, item: Manifest) -> tuple[Manifest | None, list[Manifest]]:
        """Return the ReplicaSet of today's template, and the others, oldest first."""
        owned = self._desk.store.owned_by(item["metadata"]["uid"])
        sets = [each for each in owned if each["kind"] == "ReplicaSet"]
        sets.sort(key=lambda each: int(each["metadata"]["annotations"].get(REVISION, 0)))
        wanted = hash_of(item)
        new = next((r for r in sets if r["metadata"]["labels"].get(HASH) == wanted), None)
        return new, [each for each in sets if each is not new]

    def _grow(self, item: Manifest, new: Manifest | None, replicas: int) -> Manifest:
        revision = str(self._revision(item, new))
        annotations = {REVISION: revision, **_wanted(item["spec"])}
        if new is None:
            new = self._create_set(item, annotations, replicas)
            self._tell_scaled(item, new, 0, replicas)
        else:
            new = self._set_replicas(item, new, replicas, annotations)
        if (item["metadata"].get("annotations") or {}).get(REVISION) != revision:
            changed = deepcopy(item)
            changed["metadata"].setdefault("annotations", {})[REVISION] = revision
            self._desk.update(BY_PLURAL["deployments"], changed, manager=CONTROLLERS)
        return new

    def _revision(self, item: Manifest, new: Manifest | None) -> int:
        _, old = self._split(item)
        last = max((int(r["metadata"]["annotations"].get(REVISION, 0)) for r in old), default=0)
        mine = int(new["metadata"]["annotations"].get(REVISION, 0)) if new else 0
        return mine if mine > last else last + 1

    def _create_set(self, item: Manifest, annotations: Manifest, replicas: int) -> Manifest:
        template, number = deepcopy(item["spec"]["template"]), hash_of(item)
        labels = template.setdefault("metadata", {}).setdefault("labels", {})
        labels[HASH] = number
        selector = {"matchLabels": {**item["spec"]["selector"]["matchLabels"], HASH: number}}
        body = {
            "metadata": {
                "name": f"{item['metadata']['name']}-{number}",
                "namespace": item["metadata"]["namespace"],
                "labels": dict(labels),
                "annotations": annotations,
                "ownerReferences": [owner_reference(item)],
            },
            "spec": {"replicas": replicas, "selector": selector, "template": template},
        }
        return self._desk.create(BY_PLURAL["replicasets"], body)

    def _set_replicas(
        self, item: Manifest, each: Manifest, replicas: int, annotations: Manifest | None = None
    ) -> Manifest:
        before, metadata = each["spec"]["replicas"], each["metadata"]
        noted = {**metadata["annotations"], **(annotations or {})}
        changed = {
            **each,
            "metadata": {**metadata, "annotations": noted},
            "spec": {**each["spec"], "replicas": replicas},
        }
        written = self._desk.write("replicasets", changed)
        if before != replicas:
            self._tell_scaled(item, each, before, replicas)
        return written

    def _tell_scaled(self, item: Manifest, each: Manifest, before: int, after: int) -> None:
        if before == after:
            return
        way = "up" if after > before else "down"
        message = f"Scaled {way} replica set {each['metadata']['name']} from {before} to {after}"
        self._journal.tell(item, "ScalingReplicaSet", message, by=COMPONENT)

    @staticmethod
    def _room(wanted: int, new: Manifest | None, old: Sequence[Manifest], bounds: Bounds) -> int:
        """Return the replicas that the new ReplicaSet may have now."""
        present: int = new["spec"]["replicas"] if new else 0
        if present >= wanted:
            return wanted
        # What an old ReplicaSet still runs counts, whatever it is asked for by now.
        still = sum(max(r["spec"]["replicas"], r["status"].get("replicas", 0)) for r in old)
        if not still:
            return wanted
        more: int = min(max(0, bounds.most - present - still), wanted - present)
        return present + more

    def _shrink_old(
        self, item: Manifest, new: Manifest, old: Sequence[Manifest], bounds: Bounds
    ) -> None:
        """Take away old pods: those that are not available first, then as many as may go."""
        every = [new, *old]
        total = sum(each["spec"]["replicas"] for each in every)
        missing = new["spec"]["replicas"] - new["status"].get("availableReplicas", 0)
        may_go = total - bounds.least - missing
        for number, each in enumerate(old):
            spare = each["spec"]["replicas"] - each["status"].get("availableReplicas", 0)
            gone = max(0, min(may_go, spare))
            if gone:
                replicas = each["spec"]["replicas"] - gone
                shrunk = self._set_replicas(item, each, replicas, _wanted(item["spec"]))
                old = [*old[:number], shrunk, *old[number + 1 :]]
                may_go -= gone
        available = sum(each["status"].get("availableReplicas", 0) for each in every)
        self._scale_down(item, old, min(available - bounds.least, may_go))

    def _scale_down(self, item: Manifest, old: Sequence[Manifest], may_go: int) -> None:
        for each in old:
            gone = max(0, min(may_go, each["spec"]["replicas"]))
            if gone:
                replicas = each["spec"]["replicas"] - gone
                self._set_replicas(item, each, replicas, _wanted(item["spec"]))
                may_go -= gone

    def _clean_up(self, item: Manifest, old: Sequence[Manifest]) -> None:
        empty = [r for r in old if not r["spec"]["replicas"] and not pods_of(self._desk, r)]
        for each in empty[: max(0, len(empty) - item["spec"]["revisionHistoryLimit"])]:
            self._desk.delete("replicasets", each)

    def _ending(self, new: Manifest | None, old: Sequence[Manifest]) -> int:
        every = [*old, new] if new else old
        return sum(is_ending(pod) for each in every for pod in pods_of(self._desk, each))


def _wanted(spec: Manifest) -> Manifest:
    rolling = "rollingUpdate" in spec["strategy"]
    most = bounds_of(spec).most if rolling else spec["replicas"]
    return {DESIRED: str(spec["replicas"]), MOST: str(most)}


def bounds_of(spec: Manifest) -> Bounds:
    """Return the bounds of a rolling update: surge rounds up, unavailable down, not both to 0."""
    rolling, replicas = spec["strategy"]["rollingUpdate"], spec["replicas"]
    surge = _share(rolling["maxSurge"], replicas, up=True)
    unavailable = _share(rolling["maxUnavailable"], replicas, up=False)
    if not surge and not unavailable:
        unavailable = 1
    return Bounds(most=replicas + surge, least=max(0, replicas - unavailable))


def _share(value: int | str, of: int, *, up: bool) -> int:
    if isinstance(value, int):
        return value
    exact = int(value.rstrip("%")) * of / 100
    return ceil(exact) if up else int(exact)


def hash_of(item: Manifest) -> str:
    """Return the hash of a template as a name's part; the same template has always the same."""
    number = int(digest_of(canonical_json(item["spec"]["template"]))[:12], 16)
    letters = ""
    while len(letters) < 10:  # noqa: PLR2004 - as long as the real ones
        number, rest = divmod(number, len(_LETTERS))
        letters += _LETTERS[rest]
    return letters
