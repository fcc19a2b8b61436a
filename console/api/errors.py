"""Turns every way a call can fail into the API's one answer: code, message, fields.

Knows the families of errors of the core and which HTTP status each has; the sentences are theirs.
"""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import structlog
from django.core.exceptions import PermissionDenied
from django.http import Http404
from rest_framework import exceptions as drf
from rest_framework.response import Response
from rest_framework.views import set_rollback

from console.api.rows import time_text
from deployments.exceptions import Category, SlipwayError
from templates_app import exceptions as catalogue

log = structlog.get_logger(__name__)

_BY_CATEGORY = {
    Category.INVALID: HTTPStatus.BAD_REQUEST,
    Category.CONFLICT: HTTPStatus.CONFLICT,
    Category.NOT_FOUND: HTTPStatus.NOT_FOUND,
    Category.FORBIDDEN: HTTPStatus.FORBIDDEN,
    Category.REFUSED: HTTPStatus.UNPROCESSABLE_ENTITY,
    Category.UNAVAILABLE: HTTPStatus.SERVICE_UNAVAILABLE,
    Category.UNSUPPORTED: HTTPStatus.NOT_IMPLEMENTED,
}
_BY_CATALOGUE = (
    (catalogue.Invalid, HTTPStatus.BAD_REQUEST),
    (catalogue.Missing, HTTPStatus.NOT_FOUND),
    (catalogue.Conflict, HTTPStatus.CONFLICT),
)
_SENTENCES = {
    "not_authenticated": "Send a token (Authorization: Token …) or sign in.",
    "authentication_failed": (
        "The token is wrong or has expired; make a new one on the account page "
        "or with manage.py issue_token."
    ),
    "not_found": "There is nothing here, or nothing that you may see.",
}


def answer_error(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """Return the answer to an error; None for what nobody foresaw (that becomes a 500)."""
    del context
    set_rollback()
    if isinstance(error, SlipwayError):
        return _of_core(error)
    if isinstance(error, catalogue.CatalogueError):
        status = next(s for family, s in _BY_CATALOGUE if isinstance(error, family))
        return error_response(status, error.code, error.message, error.fields)
    if isinstance(error, Http404):
        error = drf.NotFound()
    elif isinstance(error, PermissionDenied):
        error = drf.PermissionDenied()
    return _of_framework(error) if isinstance(error, drf.APIException) else None


def error_response(
    status: HTTPStatus,
    code: str,
    message: str,
    fields: Mapping[str, tuple[str, ...]] | None = None,
    **extra: object,
) -> Response:
    """Return one error in the shape that all of them have."""
    listed = {path: list(texts) for path, texts in (fields or {}).items()}
    return Response({"code": code, "message": message, "fields": listed, **extra}, status=status)


def _of_core(error: SlipwayError) -> Response:
    status = _BY_CATEGORY[error.category]
    response = error_response(status, error.code, error.message, error.fields, **_extra(error))
    retry_after = getattr(error, "retry_after", 0)
    if status is HTTPStatus.SERVICE_UNAVAILABLE and retry_after:
        response.headers["Retry-After"] = str(max(1, round(retry_after)))
    return response


def _extra(error: SlipwayError) -> dict[str, object]:
    extra: dict[str, object] = {}
    if checks := getattr(error, "checks", ()):
        extra["checks"] = [check.as_dict() for check in checks]
    if changes := getattr(error, "changes", ()):
        extra["changes"] = [
            {"path": change.path, "before": change.before, "after": change.after}
            for change in changes
        ]
    if revisions := getattr(error, "revisions", ()):
        extra["revisions"] = [
            {
                "number": one.number,
                "created_by": one.author,
                "created_at": time_text(one.at),
                "reason": one.reason,
                "outcome": one.outcome,
            }
            for one in revisions
        ]
    if deployment_id := getattr(error, "deployment_id", None):
        extra["deployment_id"] = str(deployment_id)
    return extra


def _of_framework(error: drf.APIException) -> Response:
    status = HTTPStatus(error.status_code)
    code = _code_of(error)
    message = _SENTENCES.get(code) or _text_of(error.detail)
    response = error_response(status, code, message)
    if header := getattr(error, "auth_header", None):
        response.headers["WWW-Authenticate"] = header
    if wait := getattr(error, "wait", None):
        response.headers["Retry-After"] = str(round(wait))
    return response


def _code_of(error: drf.APIException) -> str:
    if isinstance(error, drf.ParseError | drf.ValidationError):
        return "invalid"
    codes = error.get_codes()
    return codes if isinstance(codes, str) else error.default_code


def _text_of(detail: Any) -> str:
    if isinstance(detail, Mapping):
        return "; ".join(f"{key}: {_text_of(value)}" for key, value in detail.items())
    if isinstance(detail, list | tuple):
        return "; ".join(_text_of(item) for item in detail)
    return str(detail)
