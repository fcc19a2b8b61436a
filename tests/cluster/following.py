"""A watch in a thread of its own, for tests: everything that was stored, in its order."""

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from urllib3.exceptions import HTTPError

from providers.contract.manifest import Manifest
from tests.cluster.harness.api import Api

READ_SECONDS = 0.3


@dataclass(kw_only=True)
class Following:
    """Tells `take` the kind of each event and its object, from the list that `begin` returns on."""

    api: Api
    path: str
    selector: Mapping[str, str]
    take: Callable[[str, Manifest], None]
    trouble: list[Exception] = field(default_factory=list)
    _version: str = ""
    _stop: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def begin(self) -> list[Manifest]:
        """Return what is there, and follow what comes after."""
        found = self.api.get(self.path, **self.selector)
        self._version = found["metadata"]["resourceVersion"]
        self._thread = threading.Thread(target=self._follow)
        self._thread.start()
        items: list[Manifest] = found["items"]
        return items

    def end(self) -> None:
        """Stop once nothing more comes; raises what ended it before."""
        self._stop.set()
        if self._thread:
            self._thread.join()
        if self.trouble:
            raise self.trouble[0]

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
                self._version = event["object"]["metadata"]["resourceVersion"]
                self.take(event["type"], event["object"])
        finally:
            response.close()


def _events(chunks: Iterator[bytes]) -> Iterator[Manifest]:
    rest = b""
    for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\n")
        yield from (json.loads(line) for line in whole)
