"""The API without its transport: a request in, a response out, whatever happens.

Knows how each verb is asked and answered. What writes mean is the desk's matter, what follows from
them that of the controllers.
"""

import json
import logging
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import replace
from email.utils import format_datetime
from typing import Any
from urllib.parse import urlsplit

from providers.contract.manifest import Manifest
from providers.sandbox import faults, kinds
from providers.sandbox.answers import (
    Cause,
    Refused,
    Response,
    answer,
    bad_request,
    invalid_options,
    no_such_resource,
    not_found,
    other_uid,
)
from providers.sandbox.desk import Desk
from providers.sandbox.fields import MISSING
from providers.sandbox.lists import Lists
from providers.sandbox.logs import LogReader
from providers.sandbox.managers import holders_of, note_update
from providers.sandbox.requests import Request, read_request
from providers.sandbox.schema import check_applied, check_created
from providers.sandbox.shapes import shape_of_kind

logger = logging.getLogger(__name__)

APPLY = "application/apply-patch+yaml"
MERGE = "application/merge-patch+json"
_POLICIES = ("Foreground", "Background", "Orphan")
_REPLICAS = ("f:spec", "f:replicas")


class Api:
    """Answers requests out of a store."""

    def __init__(self, desk: Desk, rules: faults.Faults, logs: LogReader) -> None:
        self.desk, self.rules = desk, rules
        self.lists = Lists(desk.store)
        self._logs = logs
        self._verbs: Mapping[str, Callable[[Request], Response]] = {
            "get": self._get,
            "list": lambda request: answer(self.lists.page(request)),
            "create": self._create,
            "patch": self._patch,
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
        fault = self.rules.take(request.asked if request else faults.Asked(verb="get"))
        if fault and (fault.status or fault.drop):
            return faults.befallen(fault, answer({}))
        response = self._answer(request) if request else answer(found or {})
        return faults.befallen(fault, response) if fault else response

    def _answer(self, request: Request) -> Response:
        is_whole = request.verb in {"list", "create"}
        if request.verb not in self._verbs or is_whole is bool(request.name):
            message = "the server does not allow this method on the requested resource"
            raise Refused(405, "MethodNotAllowed", message, {})
        if request.query.get("watch") in {"true", "1"}:
            raise bad_request("the simulated cluster has no watches")
        return self._verbs[request.verb](request)

    def _change_faults(self, method: str, body: bytes) -> Response:
        if method == "POST":
            self.rules.add(faults.read_fault(json.loads(body or b"null")))
        elif method == "DELETE":
            self.rules.clear()
        return answer({"faults": self.rules.as_list()})

    def _live(self, request: Request) -> Manifest:
        kind = request.kind
        found = self.desk.store.get(kind.plural, request.name, request.namespace)
        if found is None:
            raise not_found(kind, request.name)
        return found

    def _get(self, request: Request) -> Response:
        item = self._live(request)
        if request.subresource == "log" and request.kind.plural == "pods":
            return self._logs.read(item, request.query)
        if request.subresource == "scale" and request.kind.plural in kinds.SCALABLE:
            return answer(_scale_of(item))
        if request.subresource not in {"", "status"}:
            raise no_such_resource()
        return answer(item)

    def _create(self, request: Request) -> Response:
        body = _named(request)
        body.pop("status", None)
        strict = request.query.get("fieldValidation") == "Strict"
        unknown = check_created(body, request.kind, strict=strict)
        if not body["metadata"].get("name") and body["metadata"].get("generateName"):
            body["metadata"]["name"] = self.desk.name_after(body["metadata"]["generateName"])
        item = self.desk.create(request.kind, body, manager=request.manager, dry=request.is_dry)
        warnings = {"Warning": ", ".join(f'299 - "{_quoted(text)}"' for text in unknown)}
        return replace(answer(item, 201), headers=warnings if unknown else {})

    def _patch(self, request: Request) -> Response:
        if request.content_type == APPLY and not request.subresource:
            return self._apply(request)
        if request.content_type != MERGE:
            what = f"the body of the request was in an unknown format: {request.content_type}"
            told = f"{what} - accepted media types include: {MERGE}, {APPLY}"
            raise Refused(415, "UnsupportedMediaType", told)
        item = deepcopy(self._live(request))
        if request.subresource == "scale":
            return self._scale(request, item)
        item = _merged(item, request.document())
        check_created(item, request.kind, strict=False)
        if request.subresource == "status":
            return answer(self.desk.write(request.kind.plural, item))
        return answer(
            self.desk.update(request.kind, item, manager=request.manager, dry=request.is_dry)
        )

    def _apply(self, request: Request) -> Response:
        if not request.query.get("fieldManager"):
            text = "Required value: is required for apply patch"
            cause = Cause(field="fieldManager", message=text, reason="FieldValueRequired")
            raise invalid_options("PatchOptions", cause)
        check_applied(request.document(), request.kind)
        config = _named(request)
        written = self.desk.apply(
            request.kind,
            config,
            manager=request.manager,
            force=request.query.get("force") in {"true", "1"},
            dry=request.is_dry,
        )
        return answer(written.item, 201 if written.created else 200)

    def _scale(self, request: Request, item: Manifest) -> Response:
        """Set the number alone. Where nobody held it, nobody is noted to hold it afterwards."""
        held = any(_REPLICAS in holder.fields for holder in holders_of(item))
        wanted = (request.document().get("spec") or {}).get("replicas", item["spec"]["replicas"])
        item["spec"]["replicas"] = wanted
        set_replicas(self.desk, request.kind, item, manager=request.manager, noted=held)
        return answer(_scale_of(self._live(request)))

    def _delete(self, request: Request) -> Response:
        item, options = self._live(request), request.document()
        policy = options.get("propagationPolicy") or request.query.get("propagationPolicy")
        if policy and policy not in _POLICIES:
            known = ", ".join(f'"{name}"' for name in (*_POLICIES, "nil"))
            text = f'Unsupported value: "{policy}": supported values: {known}'
            cause = Cause(field="propagationPolicy", message=text, reason="FieldValueNotSupported")
            raise invalid_options("DeleteOptions", cause)
        uid, wanted = item["metadata"]["uid"], (options.get("preconditions") or {}).get("uid")
        if wanted and wanted != uid:
            raise other_uid(request.kind, request.name, wanted, uid)
        if options.get("dryRun") or request.is_dry:
            return answer(item)
        left = self.desk.delete(
            request.kind.plural,
            item,
            propagation=policy or "Background",
            grace=int(options.get("gracePeriodSeconds", -1)),
        )
        return answer(left or _success(request, uid))


def set_replicas(
    desk: Desk, kind: kinds.Kind, item: Manifest, *, manager: str, noted: bool
) -> None:
    """Store a changed copy whose number of replicas came through the scale subresource."""
    live = desk.store.get(kind.plural, item["metadata"]["name"], item["metadata"]["namespace"])
    if noted:
        who = desk.holder(kind, manager, "Update", "scale")
        note_update(live, item, shape_of_kind(kind.name), who)
    desk.write(kind.plural, item)


def _named(request: Request) -> Manifest:
    """Return the body with the name and namespace of the URL; raises Refused when they differ."""
    body = request.document()
    metadata = body.setdefault("metadata", {})
    for what, given in (("name", request.name), ("namespace", request.namespace)):
        found = metadata.get(what)
        if given and found and found != given:
            told = f"the {what} of the object ({found}) does not match the {what} on the URL"
            raise bad_request(f"{told} ({given})")
        if given:
            metadata[what] = given
    return body


def _merged(item: Any, patch: Any) -> Any:
    """Return an object after a JSON merge patch (RFC 7396)."""
    if not isinstance(patch, dict):
        return patch
    merged = dict(item) if isinstance(item, dict) else {}
    for name, value in patch.items():
        if value is None:
            merged.pop(name, None)
        else:
            merged[name] = _merged(merged.get(name, MISSING), value)
    return merged


def _scale_of(item: Manifest) -> Manifest:
    metadata, labels = item["metadata"], item["spec"]["selector"].get("matchLabels") or {}
    kept = ("name", "namespace", "uid", "resourceVersion", "creationTimestamp")
    status: Manifest = {"replicas": item["status"].get("replicas", 0)}
    status["selector"] = ",".join(f"{key}={value}" for key, value in sorted(labels.items()))
    return {
        "kind": "Scale",
        "apiVersion": "autoscaling/v1",
        "metadata": {name: metadata[name] for name in kept},
        "spec": {"replicas": item["spec"]["replicas"]},
        "status": status,
    }


def _success(request: Request, uid: str) -> Manifest:
    group = {"group": request.kind.group} if request.kind.group else {}
    details = {"name": request.name, **group, "kind": request.kind.plural, "uid": uid}
    return {
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Success",
        "details": details,
    }


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
