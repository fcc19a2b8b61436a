"""What a stand-in controller does to a cluster: list, create, change, delete, tell.

Refusals come back as the API server's words, since a controller reports them; an object that is
gone, or there already, is no news to it.
"""

from collections.abc import Iterable, Sequence
from http import HTTPStatus

from providers.contract.manifest import Manifest, digest_of
from providers.contract.target import Connection
from providers.kube.client import Call, KubeClient
from providers.kube.clock import deadline_in
from providers.kube.credentials import load_session
from providers.kube.errors import NOT_FOUND, raise_unless_ok
from providers.kube.resources import EVENTS, Resource
from providers.testing.controllers.objects import difference, holds, is_ending, now_text

CALL_SECONDS = 30.0
MERGE = "application/merge-patch+json"
_NO_NEWS = {HTTPStatus.CONFLICT, HTTPStatus.NOT_FOUND}


class Hand:
    """Writes as one controller; `name` is what its events and fields bear."""

    def __init__(self, connection: Connection, name: str, kinds: Iterable[Resource]) -> None:
        self._client = KubeClient(connection, load_session(connection, CALL_SECONDS))
        self._kinds = {resource.kind: resource for resource in (*kinds, EVENTS)}
        self.name = name

    def list(self, kind: str) -> Sequence[Manifest]:
        """Return all objects of a kind; of one that is not installed there are none.

        Raises what the cluster refuses: else whoever acts would make everything once more.
        """
        resource = self._kinds[kind]
        answer = self._client.get(resource.collection(), deadline=deadline_in(CALL_SECONDS))
        if answer.status == NOT_FOUND:
            return []
        raise_unless_ok(answer, doing=f"listing {resource.plural}")
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

    def keeps(self, item: Manifest, below: Sequence[Manifest], finalizer: str) -> bool:
        """Hold an object by a finalizer; once it is to go, what is below goes first.

        Tells whether it stays.
        """
        held = item["metadata"].get("finalizers") or []
        others = [one for one in held if one != finalizer]
        if not is_ending(item):
            if others == held:
                self.merge(item, {"metadata": {"finalizers": [*held, finalizer]}})
            return True
        for one in below:
            self.delete(one)
        if not below:
            self.merge(item, {"metadata": {"finalizers": others}})
        return False

    def tell(self, item: Manifest, reason: str, message: str, *, kind: str = "Warning") -> None:
        """Write an event about an object, each sentence once."""
        metadata, now = item["metadata"], now_text()
        named = {name: metadata[name] for name in ("namespace", "name", "uid")}
        mark = digest_of([metadata["uid"], reason, message])[:16]
        place = {"name": f"{metadata['name']}.{mark}", "namespace": metadata["namespace"]}
        event = {
            "kind": "Event",
            "metadata": place,
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
