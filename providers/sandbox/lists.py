"""Lists: selected, and cut into pages that all show the same moment.

A token names what is left of one list; an old one is forgotten and its token answers 410.
"""

import re
from collections.abc import Callable, Sequence

from providers.contract.manifest import Manifest
from providers.sandbox.messages import Refused, Request, bad_request
from providers.sandbox.store import Store

MOST_TOKENS = 64
_REQUIREMENT = re.compile(r"([\w./-]+)(?:(!=|==?| in )\(?([\w./,-]*)\)?)?", re.ASCII)


class Lists:
    """Answers lists of one store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._left: dict[str, Sequence[Manifest]] = {}
        self._count = 0

    def page(self, request: Request) -> Manifest:
        """Return one page; raises Refused for what cannot be read and for a token of the past."""
        token = request.query.get("continue", "")
        if token and token not in self._left:
            raise Refused(410, "Expired", "The provided continue parameter is too old")
        items = self._left[token] if token else self._selected(request)
        end = int(request.query.get("limit", "0")) or len(items)
        metadata = {"continue": self._keep(items[end:])} if end < len(items) else {}
        return {
            "kind": f"{request.kind.name}List",
            "apiVersion": request.kind.api_version,
            "metadata": metadata | {"resourceVersion": str(self._store.version)},
            "items": items[:end],
        }

    def _selected(self, request: Request) -> Sequence[Manifest]:
        labels = _test(request.query.get("labelSelector", ""), ("metadata", "labels"))
        fields = _test(request.query.get("fieldSelector", ""), ())
        items = self._store.items(request.kind.plural, request.namespace)
        return [item for item in items if labels(item) and fields(item)]

    def _keep(self, items: Sequence[Manifest]) -> str:
        self._count += 1
        self._left[str(self._count)] = items
        if len(self._left) > MOST_TOKENS:
            del self._left[next(iter(self._left))]
        return str(self._count)


def _test(selector: str, at: tuple[str, ...]) -> Callable[[Manifest], bool]:
    """Return the test of `a=b,c!=d,e in (f,g),h` below a place, or raise Refused."""
    parts = [part for part in re.split(r",(?![^(]*\))", selector) if part]
    found = [match for part in parts if (match := _REQUIREMENT.fullmatch(part))]
    if len(found) != len(parts):
        raise bad_request(f"the simulated cluster cannot read the selector {selector!r}")
    wanted = [
        ((*at, match[1]) if at else match[1].split("."), *_wanted(match[2], match[3]))
        for match in found
    ]
    return lambda item: all(
        (_value(item, path) in values) is is_in for path, is_in, values in wanted
    )


def _wanted(sign: str | None, values: str) -> tuple[bool, Sequence[str | None]]:
    """Return whether the value is to be one of these; without a sign there is to be any at all."""
    return (sign != "!=", values.split(",")) if sign else (False, [None])


def _value(item: Manifest, path: Sequence[str]) -> str | None:
    value: object = item
    for step in path:
        value = value.get(step) if isinstance(value, dict) else None
    return None if value is None else str(value)
