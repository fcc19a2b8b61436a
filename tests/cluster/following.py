"""A watch in a thread of its own, for tests: everything that was stored, in its order."""

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from urllib3.exceptions import HTTPError

from providers.contract.manifest import Manifest
from tests.cluster.harness.api import Api, namespaced
from tests.cluster.waiting import wait_for

Stored = Sequence[Manifest]
READ_SECONDS = 1.0
PATIENCE_SECONDS = 90.0


@dataclass(kw_only=True)
class Following:
    """Tells `take` the kind of each event and its object, from the list that `begin` returns on."""

    api: Api
    path: str
    selector: Mapping[str, str]
    take: Callable[[str, Manifest], None]
    trouble: list[Exception] = field(default_factory=list)
    _version: str = ""
    _there: dict[str, str] = field(default_factory=dict)
    _stop: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def begin(self) -> list[Manifest]:
        """Return what is there, and follow what comes after."""
        found = self.api.get(self.path, **self.selector)
        items: list[Manifest] = found["items"]
        self._version, self._there = found["metadata"]["resourceVersion"], _versions(items)
        self._thread = threading.Thread(target=self._follow)
        self._thread.start()
        return items

    def end(self) -> None:
        """Stop once all is told that is stored by now; raises what ended it before."""
        try:
            wait_for(lambda: self.trouble or self._is_level(), PATIENCE_SECONDS, "all is told")
        finally:
            self._stop.set()
            if self._thread:
                self._thread.join()
        if self.trouble:
            raise self.trouble[0]

    def _is_level(self) -> bool:
        """Tell whether what was told last of each object is how it stands."""
        return self._there == _versions(self.api.get(self.path, **self.selector)["items"])

    def _follow(self) -> None:
        try:
            while not self._stop.is_set():
                with suppress(HTTPError):  # nothing came for a moment, or the server ended it
                    self._watch()
        except Exception as error:  # noqa: BLE001 - told by whoever waits for the end
            self.trouble.append(error)

    def _watch(self) -> None:
        response = self.api.stream(
            self.path,
            read_seconds=READ_SECONDS,
            watch="true",
            resourceVersion=self._version,
            **self.selector,
        )
        try:
            for event in _events(response.stream(65536)):
                if event["type"] == "ERROR":  # a gap would hide what is looked for
                    raise RuntimeError(event["object"].get("message"))
                self.take(event["type"], event["object"])
                self._note(event["type"], event["object"])
        finally:
            response.close()

    def _note(self, kind: str, item: Manifest) -> None:
        self._version = item["metadata"]["resourceVersion"]
        told = {key: version for key, version in self._there.items() if key != _key(item)}
        self._there = told if kind == "DELETED" else told | _versions([item])


@contextmanager
def stored_pods(api: Api, namespace: str) -> Iterator[list[Manifest]]:
    """Collect each version of a namespace's pods as it is stored, also those that soon pass."""
    stored: list[Manifest] = []
    followed = Following(
        api=api,
        path=namespaced(namespace, "pods"),
        selector={},
        take=lambda _kind, pod: stored.append(pod),
    )
    followed.begin()
    try:
        yield stored
    finally:
        followed.end()


def first_of(stored: Stored, what: str, fits: Callable[[Manifest], object]) -> Manifest:
    """Wait for a version that fits, and return the first one."""
    return wait_for(
        lambda: next((pod for pod in [*stored] if fits(pod)), None), PATIENCE_SECONDS, what
    )


def _key(item: Manifest) -> str:
    return str(item["metadata"]["uid"])


def _versions(items: list[Manifest]) -> dict[str, str]:
    return {_key(item): item["metadata"]["resourceVersion"] for item in items}


def _events(chunks: Iterator[bytes]) -> Iterator[Manifest]:
    rest = b""
    for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\n")
        yield from (json.loads(line) for line in whole)
