"""Lists: selected, and cut into pages that all show the same moment.

A token names what is left of one list; an old one is forgotten and its token answers 410.
"""

import re
from collections import OrderedDict
from collections.abc import Callable, Sequence

from providers.contract.manifest import Manifest
from providers.sandbox.messages import Refused, Request, bad_request
from providers.sandbox.store import Store

ValueOf = Callable[[Manifest, str], str | None]

MOST_TOKENS = 64
_REQUIREMENT = re.compile(r"([\w./-]+)(!=|==?| in )\(?([\w./,-]*)\)?", re.ASCII)


class Lists:
    """Answers lists of one store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._left: OrderedDict[str, tuple[str, Sequence[Manifest]]] = OrderedDict()
        self._count = 0

    def expire(self) -> None:
        """Forget every list that was begun, as compaction does."""
        self._left.clear()

    def page(self, request: Request) -> Manifest:
        """Return one page; raises Refused for what cannot be read and for a token of the past."""
        limit, token = request.query.get("limit", "0"), request.query.get("continue", "")
        if not limit.isdigit():
            raise bad_request(f'strconv.ParseInt: parsing "{limit}": invalid syntax')
        if token and token not in self._left:
            told = "The provided continue parameter is too old to display a consistent list result."
            raise Refused(410, "Expired", told)
        version, items = self._left[token] if token else self._selected(request)
        end = int(limit) or len(items)
        metadata = {"resourceVersion": version}
        if end < len(items):
            metadata["continue"] = self._keep(version, items[end:])
        return {
            "kind": f"{request.kind.name}List",
            "apiVersion": request.kind.api_version,
            "metadata": metadata,
            "items": items[:end],
        }

    def _selected(self, request: Request) -> tuple[str, Sequence[Manifest]]:
        labels = _test(request.query.get("labelSelector", ""), _label)
        fields = _test(request.query.get("fieldSelector", ""), _field)
        items = self._store.items(request.kind.plural, request.namespace)
        return str(self._store.version), [item for item in items if labels(item) and fields(item)]

    def _keep(self, version: str, items: Sequence[Manifest]) -> str:
        self._count += 1
        self._left[str(self._count)] = (version, items)
        while len(self._left) > MOST_TOKENS:
            self._left.popitem(last=False)
        return str(self._count)


def _test(selector: str, value_of: ValueOf) -> Callable[[Manifest], bool]:
    """Return the test of `a=b,c!=d,e in (f,g)`; raises Refused for anything else."""
    parts = [part for part in re.split(r",(?![^(]*\))", selector) if part]
    found = [_REQUIREMENT.fullmatch(part) for part in parts]
    if not all(found):
        raise bad_request(f"the simulated cluster cannot read the selector {selector!r}")
    wanted = [(match[1], match[2] != "!=", match[3].split(",")) for match in found if match]
    return lambda item: all(
        (value_of(item, key) in values) is is_in for key, is_in, values in wanted
    )


def _label(item: Manifest, key: str) -> str | None:
    return (item["metadata"].get("labels") or {}).get(key)


def _field(item: Manifest, path: str) -> str:
    value: object = item
    for step in path.split("."):
        value = value.get(step) if isinstance(value, dict) else None
    return "" if value is None else str(value)
