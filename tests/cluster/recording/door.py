"""A door to the API server that keeps what it answered, so that nothing is read a second time."""

import json
from collections.abc import Mapping
from threading import Lock

from providers.contract.manifest import Manifest
from providers.sandbox.messages import Response
from tests.cluster.harness.api import Api
from tests.faults.door import Door

OK = 200


class ListeningDoor(Door):
    """Passes requests on, and remembers every object that was answered since `begin`."""

    def __init__(self, api: Api) -> None:
        super().__init__(api)
        self._heard: dict[str, Manifest] = {}
        self._lock = Lock()

    def speak_as(self, api: Api) -> None:
        """Ask with another credential from now on."""
        self._api = api

    def begin(self) -> None:
        """Forget what was answered so far."""
        with self._lock:
            self._heard.clear()

    def heard(self) -> tuple[Manifest, ...]:
        """Return the objects of all answers, each once."""
        with self._lock:
            return tuple(self._heard.values())

    def handle(
        self, method: str, target: str, headers: Mapping[str, str], body: bytes = b""
    ) -> Response:
        """Return the API server's answer."""
        response = super().handle(method, target, headers, body)
        if method == "GET" and response.status == OK and "json" in response.content_type:
            self._hear(json.loads(response.body))
        return response

    def _hear(self, answer: Manifest) -> None:
        found = _items(answer) if answer["kind"].endswith("List") else [answer]
        with self._lock:
            self._heard |= {
                item["metadata"]["uid"]: item for item in found if "uid" in item.get("metadata", {})
            }


def _items(listed: Manifest) -> list[Manifest]:
    """Return the items of a list with kind and version, which a list says once for all of them."""
    kind, version = listed["kind"].removesuffix("List"), listed["apiVersion"]
    return [{"apiVersion": version, "kind": kind, **item} for item in listed["items"] or ()]
