"""What a view takes from a request's body before it hands it on."""

from collections.abc import Iterable, Mapping
from typing import Any

from rest_framework.request import Request

from deployments.exceptions import InvalidOrder


def object_of(request: Request) -> Mapping[str, Any]:
    """Return the body, which must be an object."""
    body = request.data
    if not isinstance(body, Mapping):
        raise InvalidOrder("the body must be a JSON object")
    return body


def without(body: Mapping[str, Any], read_only: Iterable[str]) -> Mapping[str, Any]:
    """Return a body without what an answer adds, so that what GET answers, PUT takes."""
    ignored = set(read_only)
    return {key: value for key, value in body.items() if key not in ignored}


def refuse_unknown(body: Mapping[str, Any], known: Iterable[str]) -> None:
    """Raise InvalidOrder for every member that is not known."""
    allowed = set(known)
    faults = {
        _sayable(key): ("is not a field of this object; remove it or check its spelling",)
        for key in body
        if key not in allowed
    }
    if faults:
        raise InvalidOrder.about(faults)


def text_of(body: Mapping[str, Any], name: str, *, most: int = 2000) -> str:
    """Return a member that is text, empty when it is left out; raises InvalidOrder by its name."""
    return _storable(body.get(name, ""), name, most)


def texts_of(body: Mapping[str, Any], name: str, *, most: int = 200) -> list[str]:
    """Return a member that is a list of texts; raises InvalidOrder by its name and place."""
    given = body.get(name)
    if not isinstance(given, list):
        raise InvalidOrder.of(name, "is required and must be a list of texts")
    return [_storable(item, f"{name}.{place}", most) for place, item in enumerate(given)]


def _sayable(key: str) -> str:
    """Return a key so that an answer can name it: half a surrogate pair is no UTF-8."""
    return key.encode(errors="backslashreplace").decode()


def _storable(value: object, path: str, most: int) -> str:
    if not isinstance(value, str):
        raise InvalidOrder.of(path, "must be text")
    if len(value) > most:
        raise InvalidOrder.of(path, f"is too long; use at most {most} characters")
    if any(char == "\0" or "\ud800" <= char <= "\udfff" for char in value):
        raise InvalidOrder.of(path, "holds a character that cannot be stored")
    return value
