"""One stream for all who follow the same objects of a cluster, however many watchings there are.

Who joins later gets what is there as a list, then every change as the others do. A stream ends with
the last who leaves it; one that fails does so for all, and whoever joins next begins a new one.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

from providers.contract.errors import ProviderError, Unavailable
from providers.kube.client import KubeClient
from providers.kube.lists import BadItem, Read, Selection
from providers.kube.resources import Resource
from providers.kube.watching import Follower, Sink
from providers.workload.objects import Item

_T = TypeVar("_T", bound=Item)


class Listener(Sink[_T], Protocol[_T]):
    """Who is told of objects and of the end, by the stream's thread or while it joins."""

    def fail(self, error: ProviderError) -> None:
        """Take note that nothing more will be told."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Subject(Generic[_T]):
    """Which objects are followed, as what they are read, and what is kept of each.

    For those who join later the newest `most` are remembered, 0: all.
    """

    resource: Resource
    struct: type[_T]
    selection: Selection
    keep: Callable[[_T], _T]
    most: int = 0


def join(client: KubeClient, subject: Subject[_T], listener: Listener[_T]) -> Callable[[], None]:
    """Let a listener be told of a subject from now on; returns what ends that."""
    key = (client, subject)
    with _lock:
        feed, is_running = _feeds.get(key) or _Feed(client, subject), key in _feeds
        feed.add(listener)
        if not is_running:
            _feeds[key] = feed
            threading.Thread(target=_run, args=(key, feed), daemon=True).start()
    return partial(_leave, key, feed, listener)


class _Feed(Generic[_T]):
    """A stream, what it has told so far, and to whom."""

    def __init__(self, client: KubeClient, subject: Subject[_T]) -> None:
        self.follower = Follower(
            client=client,
            resource=subject.resource,
            struct=subject.struct,
            selection=subject.selection,
            sink=self,
            keep=subject.keep,
        )
        self._most = subject.most
        self._lock = threading.RLock()
        self._listeners: list[Listener[_T]] = []
        self._items: dict[tuple[str, str], _T] = {}
        self._bad: dict[tuple[str, str], BadItem] = {}
        self._list: Read[_T] | None = None
        self._listed_at = 0.0
        self._failure: ProviderError | None = None

    def add(self, listener: Listener[_T]) -> None:
        """Tell one more, at once what is there if that is known."""
        with self._lock:
            self._listeners.append(listener)
            if self._failure:
                listener.fail(self._failure)
            elif self._list:
                listener.reset(self._as_of_now(self._list))

    def discard(self, listener: Listener[_T]) -> bool:
        """Tell one less; return whether nobody is left."""
        with self._lock:
            self._listeners = [one for one in self._listeners if one is not listener]
            return not self._listeners

    def reset(self, read: Read[_T]) -> None:
        with self._lock:
            self._items = {(item.namespace, item.name): item for item in read.items}
            self._let_go_of_the_oldest()
            self._bad = {(bad.namespace, bad.name): bad for bad in read.bad}
            self._list, self._listed_at = replace(read, items=(), bad=()), time.monotonic()
            for listener in self._listeners:
                listener.reset(read)

    def put(self, item: _T) -> None:
        with self._lock:
            self._take_out((item.namespace, item.name))
            self._items[item.namespace, item.name] = item
            self._let_go_of_the_oldest()
            for listener in self._listeners:
                listener.put(item)

    def remove(self, item: _T) -> None:
        with self._lock:
            self._take_out((item.namespace, item.name))
            for listener in self._listeners:
                listener.remove(item)

    def spoil(self, bad: BadItem) -> None:
        with self._lock:
            self._take_out((bad.namespace, bad.name))
            self._bad[bad.namespace, bad.name] = bad
            for listener in self._listeners:
                listener.spoil(bad)

    def fail(self, error: ProviderError) -> None:
        """Tell all that it is over."""
        with self._lock:
            self._failure = error
            for listener in self._listeners:
                listener.fail(error)

    def _take_out(self, place: tuple[str, str]) -> None:
        self._bad.pop(place, None)
        self._items.pop(place, None)

    def _let_go_of_the_oldest(self) -> None:
        while self._most and len(self._items) > self._most:
            del self._items[next(iter(self._items))]

    def _as_of_now(self, read: Read[_T]) -> Read[_T]:
        """Return what is there as if it had just been listed, by the cluster's clock of now."""
        passed = timedelta(seconds=time.monotonic() - self._listed_at)
        return replace(
            read,
            items=tuple(self._items.values()),
            bad=tuple(self._bad.values()),
            now=read.now and read.now + passed,
        )


_Key = tuple[KubeClient, Subject[Any]]
_feeds: dict[_Key, _Feed[Any]] = {}
_lock = threading.Lock()  # taken before a feed's own, never after


def _run(key: _Key, feed: _Feed[Any]) -> None:
    try:
        feed.follower.run()
    except ProviderError as error:
        _end(key, feed, error)
    except Exception as error:  # noqa: BLE001 - a stream that died silently would tell old news for ever
        told = f"following {feed.follower.resource.plural} failed ({type(error).__name__})"
        _end(key, feed, Unavailable(told))


def _end(key: _Key, feed: _Feed[Any], error: ProviderError) -> None:
    with _lock:
        _forget(key, feed)
    feed.fail(error)


def _leave(key: _Key, feed: _Feed[Any], listener: Listener[Any]) -> None:
    with _lock:
        is_last = feed.discard(listener)
        if is_last:
            _forget(key, feed)
    if is_last:
        feed.follower.stop()


def _forget(key: _Key, feed: _Feed[Any]) -> None:
    if _feeds.get(key) is feed:
        del _feeds[key]
