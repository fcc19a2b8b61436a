"""Reads a JSON body strictly: UTF-8, no key twice, no NaN, no depth that exhausts the parser."""

import json
from collections.abc import Mapping
from typing import Any, NoReturn

from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser


class StrictJSONParser(BaseParser):
    """The one parser of the API; what it cannot read is a 400 that says where."""

    media_type = "application/json"

    def parse(
        self,
        stream: Any,
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Return the parsed body; an empty one is an empty object."""
        del media_type, parser_context
        return read_json(stream.read())


def read_json(body: bytes) -> Any:
    """Return what a body says; raises ParseError with line and column where it can."""
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ParseError(f"the body is not UTF-8 (byte {error.start})") from error
    if not text.strip():
        return {}
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise ParseError(f"the body is not JSON: {error.msg} ({where})") from error
    except RecursionError as error:
        raise ParseError("the body is nested too deeply") from error
    except ValueError as error:  # more digits than Python makes a number of
        raise ParseError("the body holds a number of too many digits") from error


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ParseError(f"the key {key!r} stands twice in one object; keep one of them")
        found[key] = value
    return found


def _refuse_constant(name: str) -> NoReturn:
    raise ParseError(f"{name} is not a JSON number")
