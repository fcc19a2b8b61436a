"""The API without its transport: a request in, a response out, whatever happens.

Knows how each verb is asked and answered. What writes mean is the desk's matter, what follows from
them that of the controllers.
"""

import logging
from dataclasses import replace
from email.utils import format_datetime
from urllib.parse import urlsplit

from providers.contract.manifest import Manifest
from providers.sandbox import faults, kinds, messages
from providers.sandbox.controllers.kubelet import read_log_of
from providers.sandbox.desk import Desk
from providers.sandbox.lists import Lists
from providers.sandbox.messages import Headers, Refused, Request, Response, answer
from providers.simulation.load import metrics_page, pod_metrics
from providers.simulation.pod_life.pace import Pace

logger = logging.getLogger(__name__)


class Api:
    """Answers requests out of a store. Other makers' kinds are there where `foreign` says so."""

    def __init__(self, desk: Desk, rules: faults.Faults, pace: Pace, *, foreign: bool) -> None:
        self._desk, self._faults, self._pace = desk, rules, pace
        self._unserved = () if foreign else kinds.FOREIGN_ROOTS
        self._lists = Lists(desk.store)

    def handle(self, method: str, target: str, headers: Headers, body: bytes = b"") -> Response:
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

    def _handle(self, method: str, target: str, headers: Headers, body: bytes) -> Response:
        path = urlsplit(target).path
        if path == faults.PATH:
            return self._faults.change(method, body)
        if path.startswith(self._unserved):
            raise messages.no_such_resource()
        found = kinds.describe(path)
        request = None if found else messages.read_request(method, target, headers, body)
        fault = self._faults.take(request)
        if fault.status or fault.drop:
            return fault.befall(answer({}))
        act = getattr(self, f"_{request.verb}") if request else lambda _: answer(found or {})
        return fault.befall(act(request))

    def _live(self, request: Request) -> Manifest:
        found = self._desk.store.get(request.kind.plural, request.name, request.namespace)
        if found is None:
            raise messages.not_found(request.kind, request.name)
        return found

    def _get(self, request: Request) -> Response:
        item = self._live(request)
        match request.kind.plural, request.subresource:
            case "pods", "log":
                return read_log_of(self._desk, self._pace, item, request.query)
            case "pods", messages.PROXY:
                text, why = metrics_page(item, self._desk.now()), "error trying to reach service"
                if not text:
                    raise Refused(503, "ServiceUnavailable", f"{why}: refused")
                return Response(status=200, body=text.encode(), content_type="text/plain")
            case _, "":
                return answer(item)
        raise messages.no_such_resource()

    def _list(self, request: Request) -> Response:
        page = self._lists.page(request)
        if request.subresource == messages.USE:
            page["items"] = pod_metrics(page["items"], self._desk.now())
        return answer(page)

    def _create(self, request: Request) -> Response:
        return answer(self._desk.create(request.document(), dry="dryRun" in request.query), 201)

    def _apply(self, request: Request) -> Response:
        is_new = not self._desk.store.get(request.kind.plural, request.name, request.namespace)
        manager, is_forced = request.query["fieldManager"], request.query.get("force") == "true"
        document, is_dry = request.document(), "dryRun" in request.query
        item = self._desk.apply(document, manager=manager, force=is_forced, dry=is_dry)
        return answer(item, 201 if is_new else 200)

    def _merge(self, request: Request) -> Response:
        document = request.document()
        if request.subresource == "status":
            # What controllers from outside report; the rest of an object is no matter there.
            document = {name: document[name] for name in ("metadata", "status") if name in document}
        elif request.subresource:
            raise messages.no_such_resource()
        manager, is_dry = request.query.get("fieldManager", "unknown"), "dryRun" in request.query
        live = self._live(request)
        return answer(self._desk.merge(live, document, manager=manager, dry=is_dry))

    def _delete(self, request: Request) -> Response:
        item, options = self._live(request), request.document()
        uid, wanted = item["metadata"]["uid"], (options.get("preconditions") or {}).get("uid")
        if wanted and wanted != uid:
            told = f"the UID in the precondition ({wanted}) is not the UID in record ({uid})"
            raise Refused(409, "Conflict", told)
        left = self._desk.delete(item, propagation=options.get("propagationPolicy", "Background"))
        return answer(left or {"kind": "Status", "apiVersion": "v1", "status": "Success"})
