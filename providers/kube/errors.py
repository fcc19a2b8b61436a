"""What an API server answers, turned into the four errors of the contract.

The only place that knows HTTP codes and the API server's phrases. The order of the table matters:
a phrase says more than a code, because a server-side apply answers a bad field with a bare 500 and
a policy may deny with any code.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from providers.contract.errors import (
    InvalidRequest,
    NotInstalled,
    ProviderError,
    Rejected,
    Unavailable,
)
from providers.kube.answer import Answer

NOT_FOUND = 404
FORBIDDEN = 403
CONFLICT = 409
GONE = 410

_FIELD_IN_TEXT = re.compile(r"(?:^|[:\s(])(\.[A-Za-z][\w.\[\]=\"/-]*)")
_LONGEST = 1500


def error_of(answer: Answer, *, doing: str) -> ProviderError:
    """Return the error of an answer that is not a success; `doing` says what was tried."""
    status = answer.document()
    text = _text(answer, status)
    for pattern, make in _PHRASES:
        if pattern.search(text):
            return make(text, doing)
    return _by_code(answer, status, text, doing)


def raise_unless_ok(answer: Answer, *, doing: str) -> Answer:
    """Return a success as it is, raise the error of anything else."""
    if not answer.is_ok:
        raise error_of(answer, doing=doing)
    return answer


def causes_of(answer: Answer) -> tuple[tuple[str, str], ...]:
    """Return (field, message) of each cause that a Status names."""
    details = answer.document().get("details") or {}
    causes = details.get("causes") or []
    return tuple((str(c.get("field") or ""), str(c.get("message") or "")) for c in causes)


def _text(answer: Answer, status: Mapping[str, Any]) -> str:
    message = status.get("message")
    text = (
        message if isinstance(message, str) else answer.body[:_LONGEST].decode("utf-8", "replace")
    )
    return " ".join(text.split())[:_LONGEST]


def _by_code(answer: Answer, status: Mapping[str, Any], text: str, doing: str) -> ProviderError:
    code = answer.status
    if code in _INVALID:
        return _invalid(answer, text, doing)
    if code == NOT_FOUND:
        return _not_found(answer, status, text, doing)
    if code == _UNAUTHORIZED:
        return _credentials_refused(answer, text, doing)
    if code == _FORBIDDEN:
        return Rejected(f"{doing} is forbidden: {text}", code="Forbidden")
    if code in _AGAIN:
        return Unavailable(f"{doing}: {text}", code=_AGAIN[code])
    return _no_service(answer, text, doing)


def _credentials_refused(answer: Answer, text: str, doing: str) -> Rejected:
    told = f"{doing}: the API server {answer.host} refuses the console's credentials ({text})"
    return Rejected(
        f"{told}; an administrator must renew the kubeconfig or the token in it",
        code="CredentialsRefused",
    )


def _no_service(answer: Answer, text: str, doing: str) -> Unavailable:
    told = f": {text}" if text else ""
    return Unavailable(
        f"{doing}: the API server {answer.host} answered {answer.status}{told}",
        retry_after=answer.retry_after,
    )


def _not_found(answer: Answer, status: Mapping[str, Any], text: str, doing: str) -> ProviderError:
    if status.get("kind") != "Status" or not (status.get("details") or {}).get("name"):
        return NotInstalled(f"{doing}: the cluster at {answer.host} does not know this kind")
    return Rejected(f"{doing}: {text}", code="NotFound")


def _invalid(answer: Answer, text: str, doing: str) -> InvalidRequest:
    fields: dict[str, tuple[str, ...]] = {}
    for field, message in causes_of(answer):
        fields[field] = (*fields.get(field, ()), message or text)
    return InvalidRequest(fields or {_field_in(text): (text,)}, message=f"{doing}: {text}")


def _field_in(text: str) -> str:
    found = _FIELD_IN_TEXT.search(text)
    if found:
        return found[1].strip(".")
    named = re.search(r'unknown field "([^"]+)"', text)
    return named[1] if named else ""


def _typed_patch(text: str, doing: str) -> ProviderError:
    return InvalidRequest({_field_in(text): (text,)}, message=f"{doing}: {text}")


def _rejected(code: str) -> Callable[[str, str], ProviderError]:
    return lambda text, doing: Rejected(f"{doing}: {text}", code=code)


def _unavailable(code: str) -> Callable[[str, str], ProviderError]:
    return lambda text, doing: Unavailable(f"{doing}: {text}", code=code)


_PHRASES: tuple[tuple[re.Pattern[str], Callable[[str, str], ProviderError]], ...] = (
    (
        re.compile(
            r"failed to create typed patch object|failed to convert new object"
            r"|duplicate entries for key"
        ),
        _typed_patch,
    ),
    (re.compile(r"does not support dry run"), _rejected("DryRunUnsupported")),
    (re.compile(r"failed calling webhook"), _unavailable("WebhookUnavailable")),
    (
        re.compile(
            r'admission webhook "[^"]*" denied|ValidatingAdmissionPolicy .* denied request'
            r"|violates PodSecurity"
        ),
        _rejected("AdmissionDenied"),
    ),
    (re.compile(r"(?:exceeded|failed) quota:"), _rejected("QuotaExceeded")),
    (re.compile(r"error looking up service account"), _rejected("ServiceAccountMissing")),
    (re.compile(r"because it is being terminated"), _rejected("NamespaceTerminating")),
    (re.compile(r'^namespaces "[^"]*" not found'), _rejected("NamespaceMissing")),
    (re.compile(r"is forbidden: User .* cannot "), _rejected("Forbidden")),
    (re.compile(r'^\S+ "[^"]*" is forbidden: '), _rejected("AdmissionDenied")),
)

_INVALID = frozenset({400, 413, 422})
_UNAUTHORIZED, _FORBIDDEN = 401, 403
_AGAIN = {409: "Conflict", 410: "Expired"}
