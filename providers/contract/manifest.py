"""A manifest is a plain dictionary as Kubernetes reads it; here it gets identity and digest.

Only the body of an object is ever untyped. This module knows nothing of particular kinds.
"""

import hashlib
import json
from dataclasses import dataclass
from typing import Any

Manifest = dict[str, Any]

DIGEST_LENGTH = 16
# Annotations and labels of ours that follow from the rest of an object, or say in our words what
# made it so.
BOOKKEEPING = frozenset(
    {
        "slipway.dev/revision",
        "slipway.dev/digest",
        "slipway.dev/pod-digest",
        "slipway.dev/launch",
    }
)


@dataclass(frozen=True, kw_only=True, slots=True)
class ObjectKey:
    """Names one object of a cluster; `namespace` is empty for cluster-wide kinds."""

    api_version: str
    kind: str
    name: str
    namespace: str = ""

    def __str__(self) -> str:
        """Return the form that people type: `Deployment qwen-1a2b3c4d`."""
        return f"{self.kind} {self.name}"


def key_of(manifest: Manifest) -> ObjectKey:
    """Return the key of a manifest that bears a kind, an apiVersion and a name."""
    metadata = manifest.get("metadata") or {}
    return ObjectKey(
        api_version=manifest["apiVersion"],
        kind=manifest["kind"],
        name=metadata["name"],
        namespace=metadata.get("namespace") or "",
    )


def canonical_json(value: object) -> str:
    """Return JSON with sorted keys and no blanks: equal values give equal text."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def digest_of(value: object) -> str:
    """Return a short hexadecimal SHA-256 of a JSON-like value, legal as a label value."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()[:DIGEST_LENGTH]
