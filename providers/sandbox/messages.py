"""Requests and answers of the simulated API server, without their transport.

A request is taken apart into what it asks of which objects; a refusal is told in the real one's
words. Nothing here knows what is stored.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from providers.contract.manifest import Manifest
from providers.sandbox.kinds import BY_PLURAL, Kind

Headers = Mapping[str, str]
JSON, APPLY = "application/json", "application/apply-patch+yaml"
MERGE = "application/merge-patch+json"
_VERBS = {"GET": "get", "POST": "create", "DELETE": "delete", APPLY: "apply", MERGE: "merge"}
# What pods use is asked of another group; the way to a pod names its port and goes on beyond it.
_MEASURED, USE, PROXY = "/apis/metrics.k8s.io/v1beta1", "use", "proxy"
_OBJECTS = re.compile(
    r"(?P<root>/api/[^/]+|/apis/[^/]+/[^/]+)(?:/namespaces/(?P<namespace>[^/]+)(?=/.))?"
    r"/(?P<plural>[^/]+)(?:/(?P<name>[^/:]+)(?::\d+(?=/proxy/))?(?:/(?P<subresource>[^/]+))?)?"
    r"(?:(?<=/proxy)/.*|/)?"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Response:
    """One answer; `delay` in seconds, `cut` after so many bytes, `dropped` without a word."""

    status: int
    body: bytes
    content_type: str = JSON
    headers: Headers = field(default_factory=dict)
    delay: float = 0.0
    cut: int | None = None
    dropped: bool = False


def answer(body: Manifest, status: int = 200) -> Response:
    return Response(status=status, body=json.dumps(body, separators=(",", ":")).encode())


class Refused(Exception):
    """A request that is not fulfilled; becomes a Status."""

    def __init__(self, status: int, reason: str, message: str, **details: Any) -> None:
        super().__init__(message)
        self.status, self.reason, self.message, self.details = status, reason, message, details

    def response(self) -> Response:
        told = {"reason": self.reason, "message": self.message, "details": self.details}
        status = {"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": self.status}
        return answer(status | {name: value for name, value in told.items() if value}, self.status)


def bad_request(message: str) -> Refused:
    return Refused(400, "BadRequest", message)


def no_such_resource() -> Refused:
    return Refused(404, "NotFound", "the server could not find the requested resource")


def not_found(kind: Kind, name: str) -> Refused:
    told = f"{kind.titled(kind.plural, name)} not found"
    return Refused(404, "NotFound", told, **kind.named(name))


def forbidden(kind: Kind, name: str, why: str) -> Refused:
    told = f"{kind.titled(kind.plural, name)} is forbidden: {why}"
    return Refused(403, "Forbidden", told, **kind.named(name))


def invalid(kind: Kind, name: str, field: str, why: str) -> Refused:
    told = f"{kind.titled(kind.name, name)} is invalid: {field}: {why}"
    details = kind.named(name) | {"kind": kind.name, "causes": [{"field": field, "message": why}]}
    return Refused(422, "Invalid", told, **details)


@dataclass(frozen=True, kw_only=True, slots=True)
class Request:
    """A request for objects: verb as in Kubernetes, kind, place, query and body."""

    verb: str
    kind: Kind
    namespace: str = ""
    name: str = ""
    subresource: str = ""
    query: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""

    def document(self) -> Manifest:
        """Return the body; that of an object bears the place that the URL names."""
        read: Manifest = json.loads(self.body or b"{}")
        if "metadata" in read:
            placed = {"name": self.name, "namespace": self.namespace}
            read["metadata"] |= {name: value for name, value in placed.items() if value}
        return read


def read_request(method: str, target: str, headers: Headers, body: bytes) -> Request:
    """Return what a request asks; raises Refused where nothing of that name is served."""
    parts = urlsplit(target)
    found = _OBJECTS.fullmatch(unquote(parts.path))
    if found is None:
        raise no_such_resource()
    place = found.groupdict("")
    root, kind = place.pop("root"), BY_PLURAL.get(place.pop("plural"))
    if root == _MEASURED and found["plural"] == "pods" and not found["name"]:
        root, place["subresource"] = "/api/v1", USE
    if kind is None or kind.root != root:
        raise no_such_resource()
    asked = headers.get("Content-Type", "").partition(";")[0] if method == "PATCH" else method
    verb = "list" if method == "GET" and not found["name"] else _VERBS.get(asked, "")
    if not verb or (verb in {"list", "create"}) is bool(found["name"]):
        text = "the simulated cluster does not allow this method on the requested resource"
        raise Refused(405, "MethodNotAllowed", text)
    query = dict(parse_qsl(parts.query, keep_blank_values=True))
    return Request(verb=verb, kind=kind, query=query, body=body, **place)
