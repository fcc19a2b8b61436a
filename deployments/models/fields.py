"""Validators of what a person may type into a cluster row, each with what to write instead."""

import re
from collections.abc import Mapping, Sequence

from django.core.exceptions import ValidationError

_LABEL = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")
_MAPPING_FIELDS = frozenset({"resource", "node_selector", "tolerations", "runtime_class"})


def validate_dns_label(text: str) -> None:
    """Hold a name against what Kubernetes takes for a namespace."""
    if not _LABEL.fullmatch(text):
        raise ValidationError(
            f"{text!r} is not a name; use lower-case letters, digits and dashes, 63 at most"
        )


def validate_names(value: object) -> None:
    """Hold a list of namespaces or Secrets against the form of a name."""
    if not isinstance(value, list):
        raise ValidationError('write a list of names, like ["models", "research"]')
    for name in value:
        validate_dns_label(str(name))


def validate_texts(value: object) -> None:
    """Hold variables of the environment against a flat object of texts."""
    if not isinstance(value, dict) or not all(isinstance(item, str) for item in value.values()):
        raise ValidationError('write an object of texts, like {"HTTPS_PROXY": "http://proxy:3128"}')


def validate_accelerators(value: object) -> None:
    """Hold an accelerator map against `{TYPE: {resource, node_selector, ...}}`."""
    if not isinstance(value, dict):
        raise ValidationError('write an object, like {"H100": {"resource": "nvidia.com/gpu"}}')
    for name, mapping in value.items():
        _validate_mapping(name, mapping)


def _validate_mapping(name: str, mapping: object) -> None:
    if not isinstance(mapping, Mapping):
        raise ValidationError(f"{name}: must be an object")
    for unknown in sorted(set(mapping) - _MAPPING_FIELDS):
        raise ValidationError(f"{name}.{unknown}: use only {', '.join(sorted(_MAPPING_FIELDS))}")
    selector = mapping.get("node_selector", {})
    if not isinstance(selector, Mapping) or not all(isinstance(v, str) for v in selector.values()):
        raise ValidationError(f"{name}.node_selector: must be an object of texts")
    tolerations = mapping.get("tolerations", [])
    if isinstance(tolerations, str) or not isinstance(tolerations, Sequence):
        raise ValidationError(f"{name}.tolerations: must be a list of objects")
    if not all(isinstance(item, Mapping) for item in tolerations):
        raise ValidationError(f"{name}.tolerations: must be a list of objects")
    for field in ("resource", "runtime_class"):
        if not isinstance(mapping.get(field, ""), str):
            raise ValidationError(f"{name}.{field}: must be text")
