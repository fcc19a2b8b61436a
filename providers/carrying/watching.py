"""Deployments followed as they change: streams fill a cache, verdicts come out of it as of a pass.

The same pure functions judge as everywhere; only where the objects come from is another. Logs that
may explain a failure are read as for a single look.
"""

import threading
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from providers.carrying.cache import Cache
from providers.carrying.carrier import Carrier
from providers.carrying.followed import followed_by
from providers.carrying.live import observe_live
from providers.carrying.remembering import objects_in
from providers.carrying.seeing import View, bad_by_place
from providers.contract.errors import ProviderError, Unavailable
from providers.contract.protocols import Deadline, Observation
from providers.contract.request import DeploymentRef
from providers.contract.target import ClusterTarget
from providers.kube.bounded import run_all
from providers.kube.client import KubeClient, client_for
from providers.kube.clock import seconds_left
from providers.kube.feeding import Subject, join
from providers.kube.identity import require_same_cluster
from providers.kube.lists import BadItem, Read, read_list
from providers.kube.resources import (
    NAMESPACES,
    PODS,
    Resource,
)
from providers.kube.scope import NamespaceView, view_namespaces
from providers.workload.labels import LABEL_ID
from providers.workload.objects import Item

# A change seldom comes alone: a new pod is told of five times within this moment.
GATHER_SECONDS = 0.3
_EVERYWHERE = ""


def watch(
    carrier: Carrier, target: ClusterTarget, *, namespaces: Collection[str], deadline: Deadline
) -> "Watch":
    """Begin to follow a cluster: each kind as a whole, or in these namespaces where it must be."""
    client = client_for(target, deadline=deadline)
    require_same_cluster(client, target, deadline=deadline)
    names = tuple(dict.fromkeys((*target.namespaces, *sorted(namespaces))))
    kinds = followed_by(carrier)
    asked = [partial(_forbidden_words, client, kind, deadline) for kind in kinds]
    words = dict(
        zip((kind.resource for kind in kinds), run_all(client.threads, asked), strict=True)
    )
    named = NamespaceView()
    if words[NAMESPACES]:
        named = view_namespaces(client, names, deadline=deadline)
    begun = Watch(client, carrier, namespaces=names, forbidden=words, named=named)
    begun.wait_until_listed(deadline)
    return begun


def _forbidden_words(client: KubeClient, kind: Subject[Any], deadline: Deadline) -> str:
    """Return why a kind may not be read in all namespaces, empty where it may."""
    one = replace(kind.selection, most=1)
    return read_list(client, kind.resource, kind.struct, one, deadline=deadline).forbidden


@dataclass(frozen=True, kw_only=True, slots=True)
class _Sink:
    """Brings what one stream tells into the cache."""

    watch: "Watch"
    resource: Resource
    namespace: str

    def reset(self, read: Read[Any]) -> None:
        self.watch.take_list(self, read)

    def put(self, item: Item) -> None:
        self.watch.take(self.resource, lambda shelf: shelf.put(item))

    def remove(self, item: Item) -> None:
        self.watch.take(self.resource, lambda shelf: shelf.remove(item))

    def spoil(self, bad: BadItem) -> None:
        told = {bad.labels.get(LABEL_ID) or ""}
        self.watch.take(self.resource, lambda shelf: shelf.spoil(bad), beside=told)

    def fail(self, error: ProviderError) -> None:
        self.watch.fail(error)


@dataclass(kw_only=True)
class _News:
    """What the streams have told since somebody asked: whose objects changed, or how it ended."""

    ids: set[str] = field(default_factory=set)
    failure: ProviderError | None = None
    is_closed: bool = False


class Watch:
    """The Watching of this provider; what others follow as well is one stream for all."""

    def __init__(
        self,
        client: KubeClient,
        carrier: Carrier,
        *,
        namespaces: Sequence[str],
        forbidden: Mapping[Resource, str],
        named: NamespaceView,
    ) -> None:
        self._client, self._carrier, self._named = client, carrier, named
        self._cache, self._news = Cache(carrier), _News()
        self._changed = threading.Condition()
        self._ahead = timedelta.min
        self._namespaces = frozenset(namespaces)
        self._scopes = {kind: _scopes(kind, namespaces, words) for kind, words in forbidden.items()}
        self._refused: dict[Resource, dict[str, str]] = {}
        self._unlisted = {(kind, name) for kind, names in self._scopes.items() for name in names}
        self._leave = [
            self._join(kind, name)
            for kind in followed_by(carrier)
            for name in self._scopes[kind.resource]
        ]

    def wait_until_listed(self, deadline: Deadline) -> None:
        """Wait until every kind was read once; closes and raises Unavailable at the deadline."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._is_over() or self._is_listed, seconds_left(deadline)
            )
            failure, is_listed = self._news.failure, self._is_listed
        if failure or not is_listed:
            self.close()
            told = f"the API server {self._client.host} did not list everything in time"
            raise failure or Unavailable(told)

    def changed(self, seconds: float) -> frozenset[str]:
        """Return whose objects changed; see the contract."""
        with self._changed:
            self._changed.wait_for(self._is_news, timeout=seconds)
            if not self._is_news():
                return frozenset()
            self._changed.wait_for(
                lambda: self._news.failure or self._news.is_closed, GATHER_SECONDS
            )
            if self._news.failure:
                raise self._news.failure
            ids, self._news.ids = self._news.ids, set()
            return frozenset(ids)

    def observe(
        self, refs: Iterable[DeploymentRef], *, deadline: Deadline
    ) -> Mapping[str, Observation]:
        """Return how deployments stand; see the contract."""
        with self._changed:
            asked = [ref for ref in refs if self._is_followed(ref)]
            if not asked:
                return {}
            view = self._view(asked)
        return observe_live(self._client, view, asked, deadline=deadline)

    def close(self) -> None:
        """End every stream."""
        with self._changed:
            self._news.is_closed = True
            self._changed.notify_all()
        for leave in self._leave:
            leave()

    def take(
        self,
        resource: Resource,
        change: Callable[[Any], Iterable[Item]],
        *,
        beside: Iterable[str] = (),
    ) -> None:
        """Change the shelf of a kind, and note whom that concerns."""
        with self._changed:
            touched = change(self._cache.shelves[resource])
            self._note(self._cache.concerned(resource, touched) | (set(beside) - {""}))

    def take_list(self, sink: _Sink, read: Read[Any]) -> None:
        """Take everything of a kind as it is now."""
        with self._changed:
            self._set_clock(read.now)
            self._refused.setdefault(sink.resource, {})[sink.namespace] = read.forbidden
        self.take(sink.resource, lambda shelf: shelf.reset(read, sink.namespace))
        with self._changed:
            self._unlisted.discard((sink.resource, sink.namespace))
            self._changed.notify_all()

    def fail(self, error: ProviderError) -> None:
        """Tell whoever asks next that this can be followed no longer."""
        with self._changed:
            self._news.failure = self._news.failure or error
            self._changed.notify_all()

    def _join(self, kind: Subject[Any], namespace: str) -> Callable[[], None]:
        here = replace(kind, selection=replace(kind.selection, namespace=namespace))
        sink = _Sink(watch=self, resource=kind.resource, namespace=namespace)
        return join(self._client, here, sink)

    def _note(self, ids: set[str]) -> None:
        self._news.ids |= ids
        if ids:
            self._changed.notify_all()

    @property
    def _is_listed(self) -> bool:
        """Tell whether everything was read once; before that nothing can be judged."""
        return not self._unlisted

    def _is_over(self) -> bool:
        return self._news.failure is not None or self._news.is_closed

    def _is_news(self) -> bool:
        """Tell whether somebody has to act."""
        return self._is_over() or bool(self._news.ids)

    def _is_followed(self, ref: DeploymentRef) -> bool:
        """Tell whether all that concerns a deployment is looked at."""
        everywhere = self._scopes[PODS] == (_EVERYWHERE,)
        return everywhere or ref.namespace in self._namespaces

    def _set_clock(self, now: datetime | None) -> None:
        """Learn how far the cluster's clock is ahead; it tells whole seconds, the rest cut off."""
        if now is not None:
            self._ahead = max(self._ahead, now - _monotonic())

    def _view(self, refs: Sequence[DeploymentRef]) -> View:
        return View(
            carrier=self._carrier,
            objects=objects_in(self._cache, refs, self._named.found.values()),
            namespaces=self._namespace_view(),
            forbidden={kind.kind: why for kind, why in self._forbidden() if why},
            reach={
                kind.kind: self._refused[kind]
                for kind, scopes in self._scopes.items()
                if scopes != (_EVERYWHERE,)
            },
            bad=bad_by_place(self._cache.bad),
            now=_monotonic() + self._ahead,
        )

    def _namespace_view(self) -> NamespaceView:
        if self._refused[NAMESPACES][_EVERYWHERE]:
            return self._named
        shelf = self._cache.namespaces
        return NamespaceView(
            found={item.name: item for item in shelf.all()}, sees_all=not tuple(shelf.bad)
        )

    def _forbidden(self) -> Iterable[tuple[Resource, str]]:
        """Yield why a kind may be read nowhere."""
        for kind, by_namespace in self._refused.items():
            words = tuple(by_namespace.values())
            yield kind, words[0] if all(words) else ""


def _scopes(kind: Resource, namespaces: Sequence[str], forbidden: str) -> tuple[str, ...]:
    """Return where a kind is followed: everywhere, or in some namespaces one by one."""
    return tuple(namespaces) if forbidden and kind.namespaced and namespaces else (_EVERYWHERE,)


def _monotonic() -> datetime:
    """Return a moment that goes on evenly, and is no time of day."""
    return datetime.fromtimestamp(0, UTC) + timedelta(seconds=time.monotonic())
