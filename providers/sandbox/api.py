"""The API without its transport: a request in, a response out, whatever happens.

Knows how each verb is asked and answered. What writes mean is the desk's matter, what follows from
them that of the controllers.
"""

import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from email.utils import format_datetime
from urllib.parse import urlsplit

from providers.contract.manifest import Manifest
from providers.sandbox import faults, kinds, logs
from providers.sandbox.desk import Desk
from providers.sandbox.lists import Lists
from providers.sandbox.messages import (
    Refused,
    Request,
    Response,
    answer,
    bad_request,
    no_such_resource,
    not_found,
    read_request,
)
from providers.simulation.pod_life.pace import Pace

logger = logging.getLogger(__name__)

_POLICIES = ("Foreground", "Background")


class Api:
    """Answers requests out of a store."""

    def __init__(self, desk: Desk, rules: faults.Faults, pace: Pace) -> None:
        self.desk, self.rules, self._pace = desk, rules, pace
        self.lists = Lists(desk.store)
        self._verbs: Mapping[str, Callable[[Request], Response]] = {
            "get": self._get,
            "list": self._list,
            "create": self._create,
            "apply": self._apply,
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
        date = format_datetime(self.desk.clock.now(), usegmt=True)
        return replace(response, headers={"Date": date, **response.headers})

    def _handle(
        self, method: str, target: str, headers: Mapping[str, str], body: bytes
    ) -> Response:
        path = urlsplit(target).path.rstrip("/")
        if path == faults.PATH:
            return self._change_faults(method, body)
        found = kinds.describe(path) if method == "GET" else None
        request = None if found else read_request(method, target, headers, body)
        fault = self.rules.take(request)
        if fault and (fault.status or fault.drop):
            return fault.befall(answer({}))
        response = self._verbs[request.verb](request) if request else answer(found or {})
        return fault.befall(response) if fault else response

    def _change_faults(self, method: str, body: bytes) -> Response:
        if method == "POST":
            self.rules.add(faults.read_fault(json.loads(body or b"null")))
        elif method == "DELETE":
            self.rules.clear()
        return answer({"faults": self.rules.as_list()})

    def _live(self, request: Request) -> Manifest:
        found = self.desk.store.get(request.kind.plural, request.name, request.namespace)
        if found is None:
            raise not_found(request.kind, request.name)
        return found

    def _get(self, request: Request) -> Response:
        item = self._live(request)
        if (request.kind.plural, request.subresource) == ("pods", "log"):
            return logs.read(self.desk, self._pace, item, request.query)
        if request.subresource:
            raise no_such_resource()
        return answer(item)

    def _list(self, request: Request) -> Response:
        if "watch" in request.query:
            raise bad_request("the simulated cluster has no watches")
        return answer(self.lists.page(request))

    def _create(self, request: Request) -> Response:
        item = self.desk.create(request.kind.plural, request.manifest(), dry=request.is_dry)
        return answer(item, 201)

    def _apply(self, request: Request) -> Response:
        item, created = self.desk.apply(
            request.kind.plural,
            request.manifest(),
            manager=request.query.get("fieldManager", "unknown"),
            force=request.query.get("force") == "true",
            dry=request.is_dry,
        )
        return answer(item, 201 if created else 200)

    def _delete(self, request: Request) -> Response:
        item, options, kind = self._live(request), request.document(), request.kind
        policy = options.get("propagationPolicy") or "Background"
        if policy not in _POLICIES:
            raise bad_request(f"the simulated cluster knows no propagationPolicy {policy!r}")
        uid, wanted = item["metadata"]["uid"], (options.get("preconditions") or {}).get("uid")
        if wanted and wanted != uid:
            text = (
                f'Operation cannot be fulfilled on {kind.titled} "{request.name}": the UID in the '
                f"precondition ({wanted}) does not match the UID in record ({uid}). The object "
                "might have been deleted and then recreated"
            )
            raise Refused(409, "Conflict", text, kind.named(request.name) | {"kind": kind.name})
        left = self.desk.delete(kind.plural, item, propagation=policy)
        return answer(left or {"kind": "Status", "apiVersion": "v1", "status": "Success"})
