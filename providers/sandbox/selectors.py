"""Label and field selectors, as far as lists and controllers of the simulated cluster need them."""

import re
from collections.abc import Callable, Mapping

from providers.contract.manifest import Manifest
from providers.sandbox.answers import bad_request

Match = Callable[[Manifest], bool]

_REQUIREMENT = re.compile(
    r"\s*(?P<not>!)?\s*(?P<key>[\w./-]+)\s*"
    r"(?:(?P<operator>==|=|!=|\bin\b|\bnotin\b)\s*(?:\((?P<set>[^()]*)\)|(?P<value>[\w.-]*)))?\s*",
    re.ASCII,
)
_FIELDS = {
    "pods": ("spec.nodeName", "status.phase", "spec.schedulerName"),
    "events": (
        "type",
        "reason",
        "involvedObject.kind",
        "involvedObject.name",
        "involvedObject.uid",
    ),
    "namespaces": ("status.phase",),
}


def by_labels(text: str) -> Match:
    """Return the test that a label selector stands for; raises Refused for one nobody can read."""
    tests = [_requirement(part) for part in _split(text) if part.strip()]
    return lambda item: all(test(item["metadata"].get("labels") or {}) for test in tests)


def by_fields(text: str, plural: str) -> Match:
    """Return the test that a field selector stands for."""
    tests = [_field(part.strip(), plural) for part in text.split(",") if part.strip()]
    return lambda item: all(test(item) for test in tests)


def selects(selector: Manifest | None, labels: Mapping[str, str]) -> bool:
    """Tell whether the matchLabels of an object's selector hold; an empty one selects nothing."""
    wanted: Mapping[str, str] = (selector or {}).get("matchLabels") or {}
    return bool(wanted) and all(labels.get(key) == value for key, value in wanted.items())


def _split(text: str) -> list[str]:
    return re.split(r",(?![^()]*\))", text)


def _requirement(text: str) -> Callable[[Mapping[str, str]], bool]:
    found = _REQUIREMENT.fullmatch(text)
    if found is None:
        raise bad_request(f"unable to parse requirement: {text!r} is not a label requirement")
    key, operator = found["key"], found["operator"]
    if operator is None:
        wanted = found["not"] is None
        return lambda labels: (key in labels) is wanted
    values = {part.strip() for part in (found["set"] or found["value"] or "").split(",")}
    if operator in {"!=", "notin"}:
        return lambda labels: labels.get(key) not in values
    return lambda labels: key in labels and labels[key] in values


def _field(text: str, plural: str) -> Match:
    path, operator, value = _parts(text)
    known = ("metadata.name", "metadata.namespace", *_FIELDS.get(plural, ()))
    if path not in known:
        raise bad_request(f"field label not supported: {path}")
    return lambda item: (_value(item, path) == value) is (operator == "=")


def _parts(text: str) -> tuple[str, str, str]:
    for operator in ("!=", "==", "="):
        path, found, value = text.partition(operator)
        if found:
            return path, "!=" if operator == "!=" else "=", value
    raise bad_request(f"invalid selector: '{text}'; can't understand '{text}'")


def _value(item: Manifest, path: str) -> str:
    value: object = item
    for step in path.split("."):
        value = value.get(step) if isinstance(value, dict) else None
    return "" if value is None else str(value)
