"""Lists: selected, and cut into pages that all show the same moment.

A token names what is left of one list; an old one is forgotten and its token answers 410.
"""

import re
import uuid
from collections.abc import Callable, Sequence

from providers.contract.manifest import Manifest
from providers.sandbox.messages import Refused, Request, bad_request
from providers.sandbox.store import Store

MOST_TOKENS = 64
_REQUIREMENT = re.compile(r"([\w./-]+)(?:(!=|==?| in )\(?([\w./,-]*)\)?)?", re.ASCII)
ValueOf = Callable[[Manifest, str], str | None]  # of a label or field of an object


class Lists:
    """Answers lists of one store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._left: dict[str, Sequence[Manifest]] = {}

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
        items = self._store.items(request.kind.plural, request.namespace)
        items = _chosen(items, request.query.get("labelSelector", ""), _label)
        return _chosen(items, request.query.get("fieldSelector", ""), _field)

    def _keep(self, items: Sequence[Manifest]) -> str:
        token = uuid.uuid4().hex
        self._left[token] = items
        if len(self._left) > MOST_TOKENS:
            del self._left[next(iter(self._left))]
        return token


def _chosen(items: list[Manifest], selector: str, value_of: ValueOf) -> list[Manifest]:
    """Return what `a=b,c!=d,e in (f,g),h` selects; raises Refused for anything else."""
    for part in filter(None, re.split(r",(?![^(]*\))", selector)):
        found = _REQUIREMENT.fullmatch(part)
        if found is None:
            raise bad_request(f"the simulated cluster cannot read the selector {selector!r}")
        name, sign, values = found.groups()
        named = values.split(",") if sign else [None]  # without a sign there is to be any at all
        is_in = sign not in {"!=", None}
        items = [item for item in items if (value_of(item, name) in named) is is_in]
    return items


def _label(item: Manifest, name: str) -> str | None:
    return (item["metadata"].get("labels") or {}).get(name)


def _field(item: Manifest, path: str) -> str | None:
    value: object = item
    for step in path.split("."):
        value = value.get(step) if isinstance(value, dict) else None
    return None if value is None else str(value)
