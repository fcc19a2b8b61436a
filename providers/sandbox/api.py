"""The API without its transport: a request in, a response out, whatever happens.

Knows how each verb is asked and answered. What writes mean is the desk's matter, what follows from
them that of the controllers.
"""

import logging
from collections.abc import Mapping
from dataclasses import replace
from email.utils import format_datetime
from urllib.parse import urlsplit

from providers.contract.manifest import Manifest
from providers.sandbox import faults, kinds, messages
from providers.sandbox.controllers.kubelet import read_log_of
from providers.sandbox.desk import Desk
from providers.sandbox.lists import Lists
from providers.sandbox.messages import Refused, Request, Response, answer
from providers.simulation.load import metrics_page, pod_metrics
from providers.simulation.pod_life.pace import Pace

logger = logging.getLogger(__name__)
# What controllers that come from outside report; the rest of an object is no matter there.
STATUS = "status"


class Api:
    """Answers requests out of a store. Other makers' kinds are there where `foreign` says so."""

    def __init__(self, desk: Desk, rules: faults.Faults, pace: Pace, *, foreign: bool) -> None:
        self._desk, self._faults, self._pace = desk, rules, pace
        self._has_foreign = foreign
        self._lists = Lists(desk.store)
        self._verbs = {
            "get": self._get,
            "list": self._list,
            "create": self._create,
            "apply": self._apply,
            "merge": self._merge,
            "delete": self._delete,
        }

    def handle(
        self, method: str, target: str, headers: Mapping[str, str], body: bytes = b""
    ) -> Response:
        """Return the answer to a request; a fault of ours becomes a 500, never an exception."""
        try:
            response = self._handle(method, target, headers, body)
        except Refused as refused:
            response = refused.response()
        except Exception as error:
            logger.exception("%s %s", method, target)
            text = f"Internal error occurred: {error}"
            response = Refused(500, "InternalError", text).response()
        date = format_datetime(self._desk.now(), usegmt=True)
        return replace(response, headers={"Date": date, **response.headers})

    def _handle(
        self, method: str, target: str, headers: Mapping[str, str], body: bytes
    ) -> Response:
        path = urlsplit(target).path
        if path == faults.PATH:
            return self._faults.change(method, body)
        found = kinds.describe(path)
        request = None if found else messages.read_request(method, target, headers, body)
        is_foreign = request.kind.foreign if request else path in kinds.FOREIGN_PATHS
        if is_foreign and not self._has_foreign:
            raise messages.no_such_resource()
        fault = self._faults.take(request)
        if fault and (fault.status or fault.drop):
            return fault.befall(answer({}))
        response = self._verbs[request.verb](request) if request else answer(found or {})
        return fault.befall(response) if fault else response

    def _live(self, request: Request) -> Manifest:
        found = self._desk.store.get(request.kind.plural, request.name, request.namespace)
        if found is None:
            raise messages.not_found(request.kind, request.name)
        return found

    def _get(self, request: Request) -> Response:
        item = self._live(request)
        if (request.kind.plural, request.subresource) == ("pods", "log"):
            return read_log_of(self._desk, self._pace, item, request.query)
        if request.subresource == messages.PROXY:
            return messages.page(metrics_page(item, self._desk.now()))
        if request.subresource:
            raise messages.no_such_resource()
        return answer(item)

    def _list(self, request: Request) -> Response:
        page = self._lists.page(request)
        if request.subresource == messages.USE:
            page["items"] = pod_metrics(page["items"], self._desk.now())
        return answer(page)

    def _create(self, request: Request) -> Response:
        item = self._desk.create(request.document(), dry="dryRun" in request.query)
        return answer(item, 201)

    def _apply(self, request: Request) -> Response:
        is_new = not self._desk.store.get(request.kind.plural, request.name, request.namespace)
        item = self._desk.apply(
            request.document(),
            manager=request.query["fieldManager"],
            force=request.query.get("force") == "true",
            dry="dryRun" in request.query,
        )
        return answer(item, 201 if is_new else 200)

    def _merge(self, request: Request) -> Response:
        document = request.document()
        if request.subresource == STATUS:
            document = {name: document[name] for name in ("metadata", STATUS) if name in document}
        elif request.subresource:
            raise messages.no_such_resource()
        patched = self._desk.merge(
            self._live(request),
            document,
            manager=request.query.get("fieldManager", "unknown"),
            dry="dryRun" in request.query,
        )
        return answer(patched)

    def _delete(self, request: Request) -> Response:
        item, options = self._live(request), request.document()
        uid, wanted = item["metadata"]["uid"], (options.get("preconditions") or {}).get("uid")
        if wanted and wanted != uid:
            told = (
                f"the UID in the precondition ({wanted}) does not match the UID in record ({uid})"
            )
            raise Refused(409, "Conflict", told)
        policy = options.get("propagationPolicy", "Background")
        left = self._desk.delete(item, propagation=policy)
        return answer(left or {"kind": "Status", "apiVersion": "v1", "status": "Success"})
