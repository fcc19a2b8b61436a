"""A request that a person can copy and run, for what a deployment serves: pure text."""

import json
import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from providers.contract.protocols import Endpoint

CHAT, COMPLETIONS, EMBEDDINGS = "/v1/chat/completions", "/v1/completions", "/v1/embeddings"

_BODIES: dict[str, dict[str, object]] = {
    CHAT: {"messages": [{"role": "user", "content": "Name three harbours."}], "max_tokens": 100},
    COMPLETIONS: {"prompt": "Three harbours are", "max_tokens": 100},
    EMBEDDINGS: {"input": "a ship leaves the slipway"},
}


@dataclass(frozen=True, kw_only=True, slots=True)
class SampleRequest:
    """A curl command, the address it asks, and whether that is one inside the cluster."""

    command: str
    address: str
    is_inside: bool


def sample_of(
    endpoint: Endpoint, *, serving_name: str, supported: Sequence[str]
) -> SampleRequest | None:
    """Return a request to the outside address, else to the one inside; None without either.

    A template that names no endpoints is taken to chat, as most do.
    """
    base = endpoint.external_url or endpoint.url
    path = next((known for known in _BODIES if known in (supported or (CHAT,))), None)
    if not base or path is None:
        return None
    body = json.dumps({"model": serving_name, **_BODIES[path]}, ensure_ascii=False)
    address = f"{base.rstrip('/')}{path}"
    return SampleRequest(
        command=f"curl {shlex.quote(address)} \\\n"
        f"  -H 'Content-Type: application/json' \\\n"
        f"  -d {shlex.quote(body)}",
        address=address,
        is_inside=not endpoint.external_url,
    )
