"""Holds a body against the shapes: unknown fields, wrong types, keys that stand twice.

An apply answers a fault with a bare 500 in the words of the merging library, a create with a 400;
both are said here. What a value means is no matter of this room.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from providers.contract.manifest import Manifest
from providers.sandbox.answers import Refused, bad_request
from providers.sandbox.kinds import Kind
from providers.sandbox.shapes import Shape, shape_of, shape_of_kind

_BAD_QUANTITY = (
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
)
_QUANTITY = re.compile(r"[+-]?[0-9.]+(?:[KMGTPE]i|[numkMGTPE]|[eE][-+]?[0-9]+)?", re.ASCII)
_SCALARS: dict[str, tuple[type, ...]] = {
    "str": (str,),
    "int": (int, float),
    "bool": (bool,),
    "quantity": (str, int, float),
    "intstr": (str, int),
}
_EXPECTED = {"str": "string", "int": "numeric (int or float)", "bool": "boolean"}
_GO_TYPES = {"str": "string", "int": "int32", "bool": "bool"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Fault:
    """One fault; `path` with keys as an apply writes it, `plain` with numbers as a create does."""

    what: str
    path: str
    plain: str
    value: object = None
    wanted: str = ""


def check_applied(body: Manifest, kind: Kind) -> None:
    """Raise the 500 of an apply whose body does not fit the schema."""
    faults = list(_faults(body, shape_of_kind(kind.name)))
    metadata = body.get("metadata") or {}
    named = f"({metadata.get('namespace') or ''}/{metadata.get('name') or ''}; "
    named += f"{kind.api_version}, Kind={kind.name})"
    told = [f"{fault.path}: {_words(fault)}" for fault in faults if fault.what != "quantity"]
    if told:
        text = told[0] if len(told) == 1 else "errors:\n" + "\n".join(f"  {t}" for t in told)
        raise Refused(500, "", f"failed to create typed patch object {named}: {text}")
    if faults:
        where = f"{kind.api_version}, Kind={kind.name}"
        why = f"unable to convert unstructured object to {where}: {_BAD_QUANTITY}"
        raise Refused(500, "", f"failed to convert new object {named} to proper version: {why}")


def check_created(body: Manifest, kind: Kind, *, strict: bool) -> list[str]:
    """Return warnings of unknown fields; raise the 400 of a body that cannot be read."""
    faults = list(_faults(body, shape_of_kind(kind.name)))
    cannot = f'{kind.name} in version "{kind.version}" cannot be handled as a {kind.name}'
    for fault in faults:
        if fault.what in {"type", "quantity"}:
            raise bad_request(f"{cannot}: {_decoding_words(fault)}")
    unknown = [f'unknown field "{f.plain.lstrip(".")}"' for f in faults if f.what == "unknown"]
    if unknown and strict:
        raise bad_request(f"{cannot}: strict decoding error: {', '.join(unknown)}")
    return unknown


def _words(fault: Fault) -> str:
    if fault.what == "unknown":
        return "field not declared in schema"
    if fault.what == "twice":
        return f"duplicate entries for key [{fault.value}]"
    return f"expected {_EXPECTED.get(fault.wanted, fault.wanted)}, got {_go_name(fault.value)}"


def _decoding_words(fault: Fault) -> str:
    if fault.what == "quantity":
        return _BAD_QUANTITY
    path = fault.plain.lstrip(".")
    into = f"Go struct field {path} of type {_GO_TYPES.get(fault.wanted, fault.wanted)}"
    return f"json: cannot unmarshal {_json_name(fault.value)} into {into}"


def _go_name(value: object) -> str:
    named = {str: "string", bool: "bool", list: "list", dict: "map"}
    return named.get(type(value), f"&value.valueUnstructured{{Value:{value}}}")


def _json_name(value: object) -> str:
    named = {str: "string", bool: "bool", list: "array", dict: "object"}
    return named.get(type(value), "number")


def _faults(value: object, shape: Shape, path: str = "", plain: str = "") -> Iterator[Fault]:
    if value is None or shape.form == "any":
        return
    if shape.form in _SCALARS:
        yield from _scalar_faults(value, shape, path, plain)
    elif shape.form in {"struct", "map"}:
        yield from _mapping_faults(value, shape, path, plain)
    elif isinstance(value, list):
        yield from _list_faults(value, shape, path, plain)
    else:
        yield Fault(what="type", path=path, plain=plain, value=value, wanted="list")


def _scalar_faults(value: object, shape: Shape, path: str, plain: str) -> Iterator[Fault]:
    fits = isinstance(value, _SCALARS[shape.form])
    if isinstance(value, bool) and shape.form != "bool":
        fits = False
    if not fits:
        yield Fault(what="type", path=path, plain=plain, value=value, wanted=shape.form)
    elif shape.form == "quantity" and not _QUANTITY.fullmatch(str(value)):
        yield Fault(what="quantity", path=path, plain=plain, value=value)


def _mapping_faults(value: object, shape: Shape, path: str, plain: str) -> Iterator[Fault]:
    if not isinstance(value, dict):
        yield Fault(what="type", path=path, plain=plain, value=value, wanted="map")
        return
    for name, below in value.items():
        at, plain_at = f"{path}.{name}", f"{plain}.{name}"
        if shape.form == "map":
            yield from _faults(below, shape.item, at, plain_at)
        elif name in shape.fields:
            yield from _faults(below, shape_of(shape.fields[name]), at, plain_at)
        else:
            yield Fault(what="unknown", path=at, plain=plain_at)


def _list_faults(value: list[object], shape: Shape, path: str, plain: str) -> Iterator[Fault]:
    seen = set()
    for number, below in enumerate(value):
        key = key_text(below, shape.keys) if isinstance(below, dict) else ""
        if key and key in seen:
            yield Fault(what="twice", path=path, plain=plain, value=key)
        seen.add(key)
        at = f"{path}[{key}]" if key else f"{path}[{number}]"
        yield from _faults(below, shape.item, at, f"{plain}[{number}]")


def key_text(item: Manifest, keys: Sequence[str]) -> str:
    """Return the keys of a list's item as paths show them: `name="c"`."""
    values = ((key, item.get(key, _KEY_DEFAULTS.get(key))) for key in sorted(keys))
    return ",".join(f"{key}={json.dumps(value)}" for key, value in values)


_KEY_DEFAULTS = {"protocol": "TCP"}
