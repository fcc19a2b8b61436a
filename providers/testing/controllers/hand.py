"""What a stand-in controller does to a cluster: list, create, change, delete, tell.

Refusals come back as the API server's words, since a controller reports them; an object that is
gone, or there already, is no news to it.
"""

import uuid
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any

from providers.contract.manifest import Manifest, digest_of
from providers.contract.target import Connection
from providers.kube.client import Call, KubeClient
from providers.kube.clock import deadline_in
from providers.kube.credentials import load_session
from providers.kube.resources import EVENTS, Resource

CALL_SECONDS = 10.0
MERGE = "application/merge-patch+json"
_NO_NEWS = {HTTPStatus.CONFLICT, HTTPStatus.NOT_FOUND}


class Hand:
    """Writes as one controller; `name` is what its events and fields bear."""

    def __init__(self, connection: Connection, name: str, kinds: Iterable[Resource]) -> None:
        self._client = KubeClient(connection, load_session(connection, CALL_SECONDS))
        self._kinds = {resource.kind: resource for resource in (*kinds, EVENTS)}
        self.name = name

    def list(self, kind: str) -> Sequence[Manifest]:
        """Return all objects of a kind; of one that is not installed there are none."""
        resource = self._kinds[kind]
        answer = self._client.get(resource.collection(), deadline=deadline_in(CALL_SECONDS))
        named = {"apiVersion": resource.api_version, "kind": kind}
        return [{**item, **named} for item in answer.document().get("items") or ()]

    def create(self, body: Manifest) -> str:
        """Create an object; returns why it was refused, or nothing."""
        resource = self._kinds[body["kind"]]
        whole = {**body, "apiVersion": resource.api_version}
        return self._send("POST", resource.collection(body["metadata"]["namespace"]), whole)

    def merge(self, item: Manifest, patch: Manifest) -> str:
        """Lay a merge patch over an object, unless it says so already."""
        return "" if holds(item, patch) else self._send("PATCH", self._path(item), patch)

    def report(self, item: Manifest, status: Manifest) -> None:
        """Make this the status of an object; what it does not name goes."""
        patch = difference(item.get("status") or {}, status)
        if patch:
            self._send("PATCH", f"{self._path(item)}/status", {"status": patch})

    def delete(self, item: Manifest) -> None:
        """Delete an object, unless that was asked already."""
        if not is_ending(item):
            self._send("DELETE", self._path(item), None)

    def hold(self, item: Manifest, finalizer: str) -> None:
        """Keep an object from going before its controller lets it."""
        kept = item["metadata"].get("finalizers") or []
        if finalizer not in kept:
            self.merge(item, {"metadata": {"finalizers": [*kept, finalizer]}})

    def release(self, item: Manifest, finalizer: str) -> None:
        """Let an object go."""
        kept = item["metadata"].get("finalizers") or []
        left = [name for name in kept if name != finalizer]
        self.merge(item, {"metadata": {"finalizers": left}})

    def tell(self, item: Manifest, reason: str, message: str, *, kind: str = "Normal") -> None:
        """Write an event about an object, each sentence once."""
        metadata, now = item["metadata"], now_text()
        named = {name: metadata[name] for name in ("namespace", "name", "uid")}
        mark = digest_of([metadata["uid"], reason, message])[:16]
        event = {
            "kind": "Event",
            "metadata": {
                "name": f"{metadata['name']}.{mark}",
                "namespace": metadata["namespace"],
            },
            "involvedObject": {"apiVersion": item["apiVersion"], "kind": item["kind"], **named},
            "type": kind,
            "reason": reason,
            "message": message,
            "count": 1,
            "firstTimestamp": now,
            "lastTimestamp": now,
            "source": {"component": self.name},
            "reportingComponent": self.name,
        }
        self.create(event)

    def _path(self, item: Manifest) -> str:
        metadata = item["metadata"]
        return self._kinds[item["kind"]].item(metadata["name"], metadata["namespace"])

    def _send(self, method: str, path: str, body: Manifest | None) -> str:
        call = Call(
            method=method,
            path=path,
            body=body,
            query={} if method == "DELETE" else {"fieldManager": self.name},
            content_type=MERGE if method == "PATCH" else "application/json",
        )
        answer = self._client.send(call, deadline=deadline_in(CALL_SECONDS))
        if answer.is_ok or answer.status in _NO_NEWS:
            return ""
        return str(answer.document().get("message") or answer.status)


def now_text() -> str:
    """Return the time as objects bear it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def random_suffix() -> str:
    """Return five characters as the API server adds them to a generated name."""
    return uuid.uuid4().hex[:5]


def is_ending(item: Manifest) -> bool:
    """Tell whether an object is being deleted."""
    return bool(item["metadata"].get("deletionTimestamp"))


def owned(items: Iterable[Manifest], owner: Manifest) -> list[Manifest]:
    """Return what an object owns."""
    uid = owner["metadata"]["uid"]
    return [
        item
        for item in items
        if any(one["uid"] == uid for one in item["metadata"].get("ownerReferences") or ())
    ]


def owner_reference(owner: Manifest) -> Manifest:
    """Return the reference by which a controller owns what it makes."""
    return {
        "apiVersion": owner["apiVersion"],
        "kind": owner["kind"],
        "name": owner["metadata"]["name"],
        "uid": owner["metadata"]["uid"],
        "controller": True,
        "blockOwnerDeletion": True,
    }


def condition_of(item: Manifest, kind: str) -> Manifest:
    """Return a condition, empty where there is none."""
    conditions = (item.get("status") or {}).get("conditions") or ()
    return next((entry for entry in conditions if entry["type"] == kind), {})


def has(item: Manifest, kind: str) -> bool:
    """Tell whether a condition is True."""
    return condition_of(item, kind).get("status") == "True"


def holds(live: Any, patch: Any) -> bool:
    """Tell whether a body says what a merge patch does; what the API server added is no matter."""
    if isinstance(patch, list) and isinstance(live, list):
        return len(live) == len(patch) and all(map(holds, live, patch))
    if not isinstance(patch, dict):
        return bool(live == patch)
    base = live if isinstance(live, dict) else {}
    return all(holds(base.get(name), value) for name, value in patch.items())


def difference(old: Manifest, new: Manifest) -> Manifest:
    """Return the merge patch that makes one body of another."""
    patch: Manifest = {name: None for name in old if name not in new}
    for name, value in new.items():
        before = old.get(name)
        if isinstance(before, dict) and isinstance(value, dict):
            value = difference(before, value) or before  # noqa: PLW2901
        if before != value:
            patch[name] = value
    return patch
