"""Lists: selected, cut into pages that all show the same moment.

A token names a snapshot that is kept; an old one is forgotten and its token answers 410.
"""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections import OrderedDict
from collections.abc import Sequence

from providers.contract.manifest import Manifest
from providers.sandbox.answers import Refused, bad_request
from providers.sandbox.faults import MESSAGES
from providers.sandbox.requests import Request
from providers.sandbox.selectors import by_fields, by_labels
from providers.sandbox.store import Store

MOST_SNAPSHOTS = 64
_EXPIRED = 410


class Lists:
    """Answers lists of one store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._snapshots: OrderedDict[int, tuple[str, Sequence[Manifest]]] = OrderedDict()
        self._last = 0

    def expire(self) -> None:
        """Forget every snapshot, as compaction does."""
        self._snapshots.clear()

    def page(self, request: Request) -> Manifest:
        """Return one page; raises Refused for a selector, limit or token that cannot be read."""
        limit = _number(request.query.get("limit", "0"))
        token = request.query.get("continue", "")
        if token:
            number, start = _read(token)
            if number not in self._snapshots:
                raise Refused(_EXPIRED, "Expired", MESSAGES[_EXPIRED])
            version, items = self._snapshots[number]
        else:
            number, start = 0, 0
            version, items = str(self._store.version), self._selected(request)
        end = start + limit if limit else len(items)
        meta: Manifest = {"resourceVersion": version}
        if end < len(items):
            number = number or self._keep(version, items)
            meta["continue"] = _token(number, end)
            if "labelSelector" not in request.query and "fieldSelector" not in request.query:
                meta["remainingItemCount"] = len(items) - end
        return {
            "kind": f"{request.kind.name}List",
            "apiVersion": request.kind.api_version,
            "metadata": meta,
            "items": items[start:end],
        }

    def _selected(self, request: Request) -> Sequence[Manifest]:
        labels = by_labels(request.query.get("labelSelector", ""))
        fields = by_fields(request.query.get("fieldSelector", ""), request.kind.plural)
        items = self._store.items(request.kind.plural, request.namespace)
        return [item for item in items if labels(item) and fields(item)]

    def _keep(self, version: str, items: Sequence[Manifest]) -> int:
        self._last += 1
        self._snapshots[self._last] = (version, items)
        while len(self._snapshots) > MOST_SNAPSHOTS:
            self._snapshots.popitem(last=False)
        return self._last


def _number(text: str) -> int:
    if not text.isdigit():
        raise bad_request(f'strconv.ParseInt: parsing "{text}": invalid syntax')
    return int(text)


def _token(number: int, start: int) -> str:
    return urlsafe_b64encode(json.dumps([number, start]).encode()).decode().rstrip("=")


def _read(token: str) -> tuple[int, int]:
    try:
        number, start = json.loads(urlsafe_b64decode(token + "=" * (-len(token) % 4)))
    except (ValueError, TypeError) as error:
        why = f"continue key is not valid: {error}"
        raise bad_request(f"invalid continue token: {why}") from None
    return int(number), int(start)
