"""What the simulated API server answers: objects, and refusals in the real one's words."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from providers.contract.manifest import Manifest
from providers.sandbox.kinds import Kind

JSON = "application/json"


@dataclass(frozen=True, kw_only=True, slots=True)
class Response:
    """One answer; `delay` in seconds, `cut` after so many bytes, `dropped` without a word."""

    status: int
    body: bytes
    content_type: str = JSON
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    cut: int | None = None
    dropped: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Cause:
    """One fault of an object: where, and what is wrong."""

    field: str
    message: str
    reason: str = "FieldValueInvalid"

    def as_dict(self) -> Manifest:
        return {"reason": self.reason, "message": self.message, "field": self.field}


class Refused(Exception):
    """A request that is not fulfilled; becomes a Status, or plain text without a message."""

    def __init__(
        self, status: int, reason: str, message: str, details: Manifest | None = None
    ) -> None:
        super().__init__(message)
        self.status, self.reason, self.message, self.details = status, reason, message, details

    def response(self) -> Response:
        """Return the answer; a path that nobody serves is plain text, not a Status."""
        if not self.reason and self.status == _NOT_FOUND:
            return Response(status=404, body=b"404 page not found\n", content_type="text/plain")
        told = {"reason": self.reason, "details": self.details}
        status: Manifest = {
            "kind": "Status",
            "apiVersion": "v1",
            "metadata": {},
            "status": "Failure",
            "message": self.message,
            **{name: value for name, value in told.items() if value not in (None, "")},
            "code": self.status,
        }
        return answer(status, self.status)


_NOT_FOUND = 404


def answer(body: Manifest, status: int = 200) -> Response:
    """Return a JSON answer."""
    return Response(status=status, body=json.dumps(body, separators=(",", ":")).encode())


def _details(kind: Kind, name: str, *, by_kind: bool = False) -> Manifest:
    group = {"group": kind.group} if kind.group else {}
    return {"name": name, **group, "kind": kind.name if by_kind else kind.plural}


def no_such_path() -> Refused:
    return Refused(404, "", "404 page not found")


def no_such_resource() -> Refused:
    return Refused(404, "NotFound", "the server could not find the requested resource", {})


def not_found(kind: Kind, name: str) -> Refused:
    return Refused(404, "NotFound", f'{kind.qualified} "{name}" not found', _details(kind, name))


def already_exists(kind: Kind, name: str) -> Refused:
    message = f'{kind.qualified} "{name}" already exists'
    return Refused(409, "AlreadyExists", message, _details(kind, name))


def bad_request(message: str) -> Refused:
    return Refused(400, "BadRequest", message)


def forbidden(kind: Kind, name: str, why: str) -> Refused:
    message = f'{kind.qualified} "{name}" is forbidden: {why}'
    return Refused(403, "Forbidden", message, _details(kind, name))


def modified(kind: Kind, name: str) -> Refused:
    message = (
        f'Operation cannot be fulfilled on {kind.qualified} "{name}": the object has been '
        "modified; please apply your changes to the latest version and try again"
    )
    return Refused(409, "Conflict", message, _details(kind, name))


def other_uid(kind: Kind, name: str, wanted: str, found: str) -> Refused:
    if kind.plural == "namespaces":  # they are deleted by a way of their own
        why = f"UID in precondition: {wanted}, UID in object meta: {found}"
        text = f'Operation cannot be fulfilled on namespaces "{name}": Precondition failed: {why}'
        return Refused(409, "Conflict", text, _details(kind, name))
    message = (
        f'Operation cannot be fulfilled on {kind.titled} "{name}": the UID in the precondition '
        f"({wanted}) does not match the UID in record ({found}). The object might have been "
        "deleted and then recreated"
    )
    return Refused(409, "Conflict", message, _details(kind, name, by_kind=True))


def invalid(kind: Kind, name: str, causes: Sequence[Cause]) -> Refused:
    details = _details(kind, name, by_kind=True)
    return _invalid(f'{kind.titled} "{name}"', details, causes)


def invalid_options(options: str, cause: Cause) -> Refused:
    details = {"group": "meta.k8s.io", "kind": options}
    return _invalid(f'{options}.meta.k8s.io ""', details, [cause])


def _invalid(what: str, details: Manifest, causes: Sequence[Cause]) -> Refused:
    told = [f"{cause.field}: {cause.message}" for cause in causes]
    text = told[0] if len(told) == 1 else f"[{', '.join(told)}]"
    listed = details | {"causes": [cause.as_dict() for cause in causes]}
    return Refused(422, "Invalid", f"{what} is invalid: {text}", listed)
