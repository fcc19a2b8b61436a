"""Keeps one kind of object in step with the cluster: a list, then every change to it since.

A stream that ends goes on where it was; one whose past the cluster has forgotten (410) begins with
a new list. Whatever else goes wrong is the end, told by an error of the contract. Judges nothing.
"""

import random
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

import msgspec

from providers.contract.errors import Unavailable
from providers.kube.client import KubeClient
from providers.kube.clock import deadline_in
from providers.kube.errors import GONE, error_of
from providers.kube.lists import BadItem, Read, Selection, as_it_is, decode_item, read_list
from providers.kube.resources import Resource
from providers.kube.streaming import Stream

# Nobody waits for a list that is only the beginning.
LIST_SECONDS = 120.0
# The server ends a watch after so long: what then is silent for longer has no other side.
LEAST_SECONDS, MOST_SECONDS, SILENT_SECONDS = 45, 60, 70.0
# A server that ends every watch at once is not asked at every moment.
PAUSE_SECONDS = 1.0
# What may not be read, or is not known, may be some day.
REFUSED_SECONDS = 60.0
_OK = 200

_T = TypeVar("_T")


class Sink(Protocol[_T]):
    """Who is told of objects; called from the thread that follows."""

    def reset(self, read: Read[_T]) -> None:
        """Take a whole list: what is not in it is not there."""

    def put(self, item: _T) -> None:
        """Take an object that is new or was changed."""

    def remove(self, item: _T) -> None:
        """Let go of an object that is gone, or is no longer among those asked for."""

    def spoil(self, bad: BadItem) -> None:
        """Take note of an object that was changed so that it cannot be read."""


class _Meta(msgspec.Struct):
    version: str | None = msgspec.field(name="resourceVersion", default=None)


class _Versioned(msgspec.Struct):
    metadata: _Meta | None = None
    code: int | None = None
    message: str | None = None


class _Line(msgspec.Struct):
    type: str | None = None
    object: msgspec.Raw = msgspec.Raw(b"null")


_LINES = msgspec.json.Decoder(_Line)
_VERSIONS = msgspec.json.Decoder(_Versioned | None)


class _Expired(Exception):
    """The cluster has forgotten what came after our list."""


@dataclass(kw_only=True)
class Follower(Generic[_T]):
    """Follows the objects of one selection, as long as `run` goes on and `stop` is not called."""

    client: KubeClient
    resource: Resource
    struct: type[_T]
    selection: Selection
    sink: Sink[_T]
    keep: Callable[[_T], _T] = as_it_is
    _stopping: threading.Event = field(default_factory=threading.Event)
    _stream: Stream | None = None
    _version: str = ""

    def stop(self) -> None:
        """End `run` soon, from any thread."""
        self._stopping.set()
        if (stream := self._stream) is not None:
            stream.close()

    def run(self) -> None:
        """Follow until stopped; raises a contract error when the cluster cannot be followed."""
        while not self._stopping.is_set():
            began = time.monotonic()
            if not self._version and not self._list():
                self._stopping.wait(REFUSED_SECONDS)
                continue
            try:
                self._watch()
            except _Expired:
                self._version = ""
            if time.monotonic() - began < PAUSE_SECONDS:
                self._stopping.wait(PAUSE_SECONDS)

    def _list(self) -> bool:
        """Read everything; False where there is nothing to follow."""
        read = read_list(
            self.client,
            self.resource,
            self.struct,
            self.selection,
            deadline=deadline_in(LIST_SECONDS),
            keep=self.keep,
        )
        self.sink.reset(read)
        self._version = read.version
        return bool(read.version)

    def _watch(self) -> None:
        seconds = random.randint(LEAST_SECONDS, MOST_SECONDS)  # noqa: S311 - spreads load, guards nothing
        query = self.selection.query("") | {
            "watch": "1",
            "allowWatchBookmarks": "true",
            "resourceVersion": self._version,
            "timeoutSeconds": str(seconds),
        }
        query.pop("limit")
        path = self.resource.collection(self.selection.namespace)
        self._stream = stream = self.client.open(path, query=query, idle_seconds=SILENT_SECONDS)
        try:
            if not self._stopping.is_set():
                self._take(stream)
        finally:
            self._stream = None
            stream.release()

    def _take(self, stream: Stream) -> None:
        if stream.status == GONE:
            raise _Expired
        if stream.status != _OK:
            raise error_of(stream.words(), doing=f"watching {self.resource.plural}")
        self._take_lines(stream.lines())
        if _is_document(stream.rest):
            raise Unavailable(f"watching {self.resource.plural}: the server tells of no changes")

    def _take_lines(self, lines: Iterable[bytes]) -> None:
        for line in lines:
            if self._stopping.is_set():
                return
            self._take_line(line)

    def _take_line(self, text: bytes) -> None:
        try:
            line = _LINES.decode(text)
            about = _VERSIONS.decode(line.object)
        except msgspec.DecodeError as error:
            told = f"watching {self.resource.plural}: a line that is none: {error}"
            raise Unavailable(told) from error
        if about is None:
            return
        if line.type == "ERROR":
            raise self._refusal(about)
        if line.type != "BOOKMARK":
            self._tell(line)
        self._version = (about.metadata.version if about.metadata else None) or self._version

    def _tell(self, line: _Line) -> None:
        item = decode_item(line.object, self.struct, self.resource)
        if isinstance(item, BadItem):
            self.sink.spoil(item)
        elif item is not None and line.type == "DELETED":
            self.sink.remove(item)
        elif item is not None:
            self.sink.put(self.keep(item))

    def _refusal(self, about: _Versioned) -> Exception:
        if about.code == GONE:
            return _Expired()
        return Unavailable(f"watching {self.resource.plural}: {about.message or 'no reason given'}")


def _is_document(rest: bytes) -> bool:
    """Tell whether a server that knows no watches has answered with the whole list instead."""
    try:
        return _LINES.decode(rest).type is None
    except msgspec.DecodeError:
        return False
