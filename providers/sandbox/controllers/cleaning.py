"""What follows deletions and counts: dependents go, namespaces empty themselves, quotas count."""

from collections.abc import Iterable

from providers.contract.manifest import Manifest
from providers.sandbox.desk import FOREGROUND, Desk
from providers.sandbox.kinds import BY_PLURAL, KINDS
from providers.sandbox.quotas import used_of, written
from providers.sandbox.store import Change, Key, is_ending, key_of, owners_of

_BY_NAME = {kind.name: kind for kind in KINDS}


class Garbage:
    """Removes what no owner holds any longer, in the order that the deletion asked for."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._known: set[str] = set()

    def concerns(self, change: Change) -> Iterable[Key]:
        uid = change.object["metadata"]["uid"]
        if change.new is None:
            self._known.discard(uid)
            for item in self._desk.store.owned_by(uid):
                yield key_of(_BY_NAME[item["kind"]].plural, item)
            for owner in change.object["metadata"].get("ownerReferences") or ():
                if owner["kind"] in _BY_NAME:
                    namespace = change.key.namespace
                    yield Key(_BY_NAME[owner["kind"]].plural, namespace, owner["name"])
            return
        self._known.add(uid)
        if owners_of(change.new) or FOREGROUND in (change.new["metadata"].get("finalizers") or ()):
            yield change.key

    def reconcile(self, key: Key) -> float | None:
        item = self._desk.store.at(key)
        if item is None:
            return None
        metadata = item["metadata"]
        owners = owners_of(item)
        if owners and not is_ending(item) and not any(uid in self._known for uid in owners):
            self._desk.delete(key.plural, item)
        elif is_ending(item) and FOREGROUND in (metadata.get("finalizers") or ()):
            self._delete_dependents(key.plural, item)
        return None

    def _delete_dependents(self, plural: str, item: Manifest) -> None:
        dependents = self._desk.store.owned_by(item["metadata"]["uid"])
        for each in dependents:
            if not is_ending(each):
                self._desk.delete(_BY_NAME[each["kind"]].plural, each, propagation="Foreground")
        if not dependents:
            self._desk.drop_finalizer(plural, item, FOREGROUND)


class Namespaces:
    """Gives each namespace its account, and empties those that end."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def concerns(self, change: Change) -> Iterable[Key]:
        if change.key.plural == "namespaces":
            yield change.key
        elif change.new is None and change.key.namespace:
            found = self._desk.store.get("namespaces", change.key.namespace)
            if found and is_ending(found):
                yield Key("namespaces", "", change.key.namespace)

    def reconcile(self, key: Key) -> float | None:
        item = self._desk.store.at(key)
        if item is None:
            return None
        if is_ending(item):
            self._empty(item)
        elif not self._desk.store.get("serviceaccounts", "default", key.name):
            account = {"metadata": {"name": "default", "namespace": key.name}}
            self._desk.create(BY_PLURAL["serviceaccounts"], account)
        return None

    def _empty(self, item: Manifest) -> None:
        name = item["metadata"]["name"]
        inside = [
            (kind.plural, each)
            for kind in KINDS
            if kind.namespaced
            for each in self._desk.store.items(kind.plural, name)
        ]
        for plural, each in inside:
            if not is_ending(each):
                self._desk.delete(plural, each)
        if not inside:
            self._desk.store.remove("namespaces", item)


class Quotas:
    """Counts what is used."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def concerns(self, change: Change) -> Iterable[Key]:
        if change.key.plural == "resourcequotas":
            yield change.key
        elif change.key.plural == "pods" or change.old is None or change.new is None:
            for quota in self._desk.store.items("resourcequotas", change.key.namespace or "-"):
                yield key_of("resourcequotas", quota)

    def reconcile(self, key: Key) -> float | None:
        quota = self._desk.store.at(key)
        if quota is not None:
            hard = quota["spec"].get("hard") or {}
            used = used_of(self._desk.store, quota)
            told = {name: written(amount, name) for name, amount in sorted(used.items())}
            self._desk.set_status("resourcequotas", quota, {"hard": dict(hard), "used": told})
        return None
