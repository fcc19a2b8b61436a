"""What an API server refuses with 422, as far as Slipway's manifests can meet it."""

import json
import re
from collections.abc import Callable, Iterator, Mapping

from providers.contract.manifest import Manifest
from providers.contract.quantity import lenient_quantity
from providers.sandbox.answers import Cause, invalid
from providers.sandbox.kinds import Kind
from providers.sandbox.selectors import selects

_SUBDOMAIN = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*"
_LABEL_NAME = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_LABEL_VALUE = r"(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?"
_SHORT = 63
_REQUIRED = "FieldValueRequired"
_IS_LABEL = frozenset({"services", "namespaces"})


def validate(kind: Kind, item: Manifest, old: Manifest | None) -> None:
    """Raise Refused with every fault of an object, in the order of its fields."""
    causes = [*_metadata_faults(kind, item)]
    if kind.plural in _BY_PLURAL:
        causes += _BY_PLURAL[kind.plural](item.get("spec") or {}, old)
    if causes:
        raise invalid(kind, item["metadata"]["name"], causes)


def _bad(field: str, value: object, why: str) -> Cause:
    shown = json.dumps(value, separators=(",", ":"))
    return Cause(field=field, message=f"Invalid value: {shown}: {why}")


def _required(field: str) -> Cause:
    return Cause(field=field, message="Required value", reason=_REQUIRED)


def _metadata_faults(kind: Kind, item: Manifest) -> Iterator[Cause]:
    name = item["metadata"]["name"]
    if kind.plural in _IS_LABEL:
        if len(name) > _SHORT:
            yield _bad("metadata.name", name, f"must be no more than {_SHORT} characters")
        elif not re.fullmatch(_LABEL_NAME, name):
            yield _bad("metadata.name", name, _name_words("label", "", "my-name", _LABEL_NAME))
    elif not re.fullmatch(_SUBDOMAIN, name):
        words = _name_words("subdomain", " or '.'", "example.com", _SUBDOMAIN)
        yield _bad("metadata.name", name, words)
    yield from _label_faults(item["metadata"].get("labels") or {}, "metadata.labels")


def _name_words(what: str, dots: str, example: str, pattern: str) -> str:
    characters = (
        f"lower case alphanumeric characters, '-'{dots}"
        if dots
        else ("lower case alphanumeric characters or '-'")
    )
    return (
        f"a lowercase RFC 1123 {what} must consist of {characters}, and must start and end with "
        f"an alphanumeric character (e.g. '{example}', regex used for validation is '{pattern}')"
    )


def _label_faults(labels: Mapping[str, str], field: str) -> Iterator[Cause]:
    for _, value in sorted(labels.items()):
        if len(value) > _SHORT:
            yield _bad(field, value, f"must be no more than {_SHORT} characters")
        elif not re.fullmatch(_LABEL_VALUE, value):
            yield _bad(
                field,
                value,
                "a valid label must be an empty string or consist of alphanumeric characters, "
                "'-', '_' or '.', and must start and end with an alphanumeric character (e.g. "
                "'MyValue',  or 'my_value',  or '12345', regex used for validation is "
                f"'{_LABEL_VALUE}')",
            )


def _deployment_faults(spec: Manifest, old: Manifest | None) -> Iterator[Cause]:
    selector, template = spec.get("selector"), spec.get("template") or {}
    labels = (template.get("metadata") or {}).get("labels")
    if selector is None:
        yield _required("spec.selector")
    elif old and old["spec"].get("selector") != selector:
        yield _bad("spec.selector", selector, "field is immutable")
    if not selects(selector, labels or {}):
        why = "`selector` does not match template `labels`"
        yield _bad("spec.template.metadata.labels", labels, why)
    yield from _label_faults(labels or {}, "spec.template.labels")
    yield from _pod_faults(template.get("spec") or {}, "spec.template.spec")
    replicas = spec.get("replicas") or 0
    if replicas < 0:
        yield _bad("spec.replicas", replicas, "must be greater than or equal to 0")
    rolling = (spec.get("strategy") or {}).get("rollingUpdate") or {}
    if rolling and {str(v) for v in rolling.values()} <= {"0", "0%"}:
        why = "may not be 0 when `maxSurge` is 0"
        field = "spec.strategy.rollingUpdate.maxUnavailable"
        yield _bad(field, rolling["maxUnavailable"], why)


def _pod_faults(spec: Manifest, at: str) -> Iterator[Cause]:
    containers = spec.get("containers") or []
    if not containers:
        yield _required(f"{at}.containers")
    seen = set()
    for number, container in enumerate(containers):
        field = f"{at}.containers[{number}]"
        if not container.get("image"):
            yield _required(f"{field}.image")
        name = container.get("name")
        if name in seen:
            text = f"Duplicate value: {json.dumps(name)}"
            yield Cause(field=f"{field}.name", message=text, reason="FieldValueDuplicate")
        seen.add(name)
        yield from _resource_faults(container.get("resources") or {}, f"{field}.resources")


def _resource_faults(resources: Manifest, at: str) -> Iterator[Cause]:
    limits, requests = resources.get("limits") or {}, resources.get("requests") or {}
    for name in sorted({*limits, *requests}):
        if "/" not in name:
            continue
        for field, amounts in (("limits", limits), ("requests", requests)):
            amount = lenient_quantity(str(amounts.get(name, 0)))
            if amount % 1:
                shown = f"{int(amount * 1000)}m"
                yield _bad(f"{at}.{field}[{name}]", shown, "must be an integer")
                return
        if name in requests and str(requests[name]) != str(limits.get(name)):
            why = f"must be equal to {name} limit of {limits.get(name, 0)}"
            yield _bad(f"{at}.requests", str(requests[name]), why)


def _service_faults(spec: Manifest, old: Manifest | None) -> Iterator[Cause]:
    del old
    if not spec.get("ports"):
        yield _required("spec.ports")
    for number, port in enumerate(spec.get("ports") or ()):
        value = port.get("port") or 0
        if not 1 <= value <= 65535:  # noqa: PLR2004 - the last TCP port
            yield _bad(
                f"spec.ports[{number}].port", value, "must be between 1 and 65535, inclusive"
            )


def _autoscaler_faults(spec: Manifest, old: Manifest | None) -> Iterator[Cause]:
    del old
    least, most = spec.get("minReplicas", 1), spec.get("maxReplicas", 0)
    if least < 1:
        yield _bad("spec.minReplicas", least, "must be greater than or equal to 1")
    if most < 1:
        yield _bad("spec.maxReplicas", most, "must be greater than 0")
    if most < least:
        yield _bad("spec.maxReplicas", most, "must be greater than or equal to `minReplicas`")
    if least == 0:
        why = "must specify at least one Object or External metric to support scaling to zero"
        text = f"Forbidden: {why} replicas"
        yield Cause(field="spec.metrics", message=text, reason="FieldValueForbidden")


_BY_PLURAL: Mapping[str, Callable[[Manifest, Manifest | None], Iterator[Cause]]] = {
    "deployments": _deployment_faults,
    "pods": lambda spec, _: _pod_faults(spec, "spec"),
    "services": _service_faults,
    "horizontalpodautoscalers": _autoscaler_faults,
}
