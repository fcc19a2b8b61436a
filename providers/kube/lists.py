"""Reads: one object or whole lists, decoded into structs of the fields that somebody looks at.

Lists come in pages. A page that does not decode is decoded item by item, and a bad item is
reported with its path instead of costing the list. A kind that may not be read is an answer too.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Any, Generic, TypeVar

import msgspec

from providers.contract.errors import ProviderError, Unavailable
from providers.contract.manifest import Manifest
from providers.contract.protocols import Deadline
from providers.kube.answer import Answer
from providers.kube.client import KubeClient
from providers.kube.errors import FORBIDDEN, GONE, NOT_FOUND, error_of, raise_unless_ok
from providers.kube.resources import Resource

_T = TypeVar("_T")

PAGE = 500
_RESTARTS = 3
_NAMED = 3
_NULL = b"null"


class _PageMeta(msgspec.Struct, rename="camel"):
    continue_: str | None = msgspec.field(name="continue", default=None)
    version: str | None = msgspec.field(name="resourceVersion", default=None)


class _Page(msgspec.Struct, Generic[_T]):
    metadata: _PageMeta | None = None
    items: list[_T | None] | None = None


class _RawPage(msgspec.Struct):
    metadata: _PageMeta | None = None
    items: list[msgspec.Raw] | None = None


class _NamedMeta(msgspec.Struct):
    name: Any = None
    namespace: Any = None
    labels: Any = None


class _Named(msgspec.Struct):
    metadata: _NamedMeta | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Selection:
    """Which objects of a kind; empty means all. `most` stops after that many, 0 never."""

    namespace: str = ""
    labels: str = ""
    fields: str = ""
    most: int = 0

    def query(self, token: str) -> dict[str, str]:
        """Return the query of the page that begins at the token."""
        query = {"limit": str(min(PAGE, self.most or PAGE))}
        pairs = (
            ("labelSelector", self.labels),
            ("fieldSelector", self.fields),
            ("continue", token),
        )
        return query | {name: value for name, value in pairs if value}


@dataclass(frozen=True, kw_only=True, slots=True)
class BadItem:
    """One object that did not decode: which one, as far as that can be told, and where it fails."""

    kind: str
    name: str
    namespace: str
    labels: Mapping[str, str]
    why: str

    def __str__(self) -> str:
        """Return one line for people."""
        name = "/".join(part for part in (self.namespace, self.name) if part) or "(no name)"
        return f"{self.kind} {name}: {self.why}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Read(Generic[_T]):
    """A list as read: `bad` names each item that did not decode and where.

    `forbidden` holds the cluster's words when the kind may not be read, `missing` tells that the
    cluster does not know it; `now` is the API server's clock. `cut` tells that there were more.
    `reach` is None when all that was asked for was looked at; else it has the namespaces that were
    looked at one by one, each with the cluster's words where it was forbidden. `version` is the
    moment of the cluster's history that a watch goes on from.
    """

    items: tuple[_T, ...] = ()
    bad: tuple[BadItem, ...] = ()
    forbidden: str = ""
    missing: bool = False
    cut: bool = False
    reach: Mapping[str, str] | None = None
    version: str = field(default="", compare=False)
    now: datetime | None = field(default=None, compare=False)

    @property
    def trouble(self) -> str:
        """Return one sentence when anything could not be read, else an empty text."""
        if self.forbidden:
            return self.forbidden
        return trouble_of(self.bad)


def trouble_of(bad: Sequence[BadItem]) -> str:
    """Return one line about items that did not decode, empty for none."""
    more = len(bad) - _NAMED
    told = "; ".join(str(item) for item in bad[:_NAMED])
    return f"{told} and {more} more" if more > 0 else told


def as_it_is(item: _T) -> _T:
    """Keep everything of an item."""
    return item


def read_list(
    client: KubeClient,
    resource: Resource,
    struct: type[_T],
    selection: Selection,
    *,
    deadline: Deadline,
    keep: Callable[[_T], _T] = as_it_is,
) -> Read[_T]:
    """Read all pages; a list that expires half-way (410) begins again, three times at most.

    `keep` returns of an item what shall stay in memory once its page is let go.
    """
    for _ in range(_RESTARTS):
        read = _read_pages(client, resource, struct, selection, deadline, keep)
        if read is not None:
            return read
    raise Unavailable(f"reading {resource.plural}: the list expired {_RESTARTS} times in a row")


def read_object(
    client: KubeClient, resource: Resource, name: str, namespace: str = "", *, deadline: Deadline
) -> Manifest | None:
    """Read one object as it is, None when there is none; raises Rejected where we may not."""
    answer = client.get(resource.item(name, namespace), deadline=deadline)
    if answer.status == NOT_FOUND:
        return None
    doing = f"reading {resource.kind} {name}"
    return raise_unless_ok(answer, doing=doing).document()


def read_one(
    client: KubeClient,
    resource: Resource,
    struct: type[_T],
    name: str,
    namespace: str = "",
    *,
    deadline: Deadline,
) -> Read[_T]:
    """Read one object into a struct: no item when there is none, or why it was not read."""
    answer = client.get(resource.item(name, namespace), deadline=deadline)
    if answer.status == NOT_FOUND:
        return Read(now=answer.now)
    if answer.status == FORBIDDEN:
        return Read(forbidden=_words(answer, resource), now=answer.now)
    raise_unless_ok(answer, doing=f"reading {resource.kind} {name}")
    items, bad = _decode_each([msgspec.Raw(answer.body)], struct, resource)
    return Read(items=tuple(items), bad=tuple(bad), now=answer.now)


def decode_page(
    body: bytes, struct: type[_T], resource: Resource
) -> tuple[list[_T], list[BadItem], str]:
    """Return items, what could not be read, and the token of the next page.

    Raises Unavailable when the body is no list at all.
    """
    items, bad, meta = _decode_page(body, struct, resource)
    return items, bad, meta.continue_ or ""


def decode_item(raw: msgspec.Raw, struct: type[_T], resource: Resource) -> _T | BadItem | None:
    """Return one object, or what could not be read of it; None for a null."""
    items, bad = _decode_each([raw], struct, resource)
    if bad:
        return bad[0]
    return items[0] if items else None


def _decode_page(
    body: bytes, struct: type[_T], resource: Resource
) -> tuple[list[_T], list[BadItem], _PageMeta]:
    try:
        page = _decoder(_Page[struct]).decode(body)  # type: ignore[valid-type]  # a struct made at run time
    except msgspec.DecodeError:
        raws = _raw_page(body, resource)
        items, bad = _decode_each(raws.items or [], struct, resource)
        return items, bad, raws.metadata or _PageMeta()
    items = [item for item in page.items or () if item is not None]
    return items, [], page.metadata or _PageMeta()


def _read_pages(
    client: KubeClient,
    resource: Resource,
    struct: type[_T],
    selection: Selection,
    deadline: Deadline,
    keep: Callable[[_T], _T],
) -> Read[_T] | None:
    items: list[_T] = []
    bad: list[BadItem] = []
    token = ""
    path = resource.collection(selection.namespace)
    while True:
        answer = client.get(path, query=selection.query(token), deadline=deadline)
        if answer.status == GONE:
            return None
        if not answer.is_ok:
            return _refusal(answer, resource)
        page, unread, meta = _decode_page(answer.body, struct, resource)
        items += map(keep, page)
        bad += unread
        token = meta.continue_ or ""
        if not token or (selection.most and len(items) >= selection.most):
            break
    return Read(
        items=tuple(items),
        bad=tuple(bad),
        cut=bool(token),
        version=meta.version or "",
        now=answer.now,
    )


def _refusal(answer: Answer, resource: Resource) -> Read[Any]:
    if answer.status == FORBIDDEN:
        return Read(forbidden=_words(answer, resource), now=answer.now)
    if answer.status == NOT_FOUND:
        return Read(missing=True, now=answer.now)
    raise error_of(answer, doing=f"reading {resource.plural}")


def _words(answer: Answer, resource: Resource) -> str:
    error: ProviderError = error_of(answer, doing=f"reading {resource.plural}")
    return error.message


def _raw_page(body: bytes, resource: Resource) -> _RawPage:
    try:
        return _decoder_of(_RawPage).decode(body)
    except msgspec.DecodeError as error:
        raise Unavailable(f"reading {resource.plural}: the answer is no list: {error}") from error


def _decode_each(
    raws: Sequence[msgspec.Raw], struct: type[_T], resource: Resource
) -> tuple[list[_T], list[BadItem]]:
    items: list[_T] = []
    bad: list[BadItem] = []
    for raw in raws:
        if bytes(raw) == _NULL:
            continue
        try:
            items.append(_decoder_of(struct).decode(raw))
        except msgspec.DecodeError as error:
            bad.append(_bad_item(raw, resource, str(error)))
    return items, bad


def _bad_item(raw: msgspec.Raw, resource: Resource, why: str) -> BadItem:
    try:
        meta = _decoder_of(_Named).decode(raw).metadata or _NamedMeta()
    except msgspec.DecodeError:
        meta = _NamedMeta()
    labels = meta.labels if isinstance(meta.labels, dict) else {}
    return BadItem(
        kind=resource.kind,
        name=str(meta.name or ""),
        namespace=str(meta.namespace or ""),
        labels={str(key): str(value) for key, value in labels.items()},
        why=why,
    )


def _decoder_of(struct: type[_T]) -> "msgspec.json.Decoder[_T]":
    kind: Any = struct
    return _decoder(kind)  # type: ignore[no-any-return]  # the cache forgets types


@lru_cache(maxsize=64)
def _decoder(kind: Any) -> Any:
    return msgspec.json.Decoder(kind)
