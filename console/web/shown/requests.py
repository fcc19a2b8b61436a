"""A request that a person can copy and run, in curl or Python, for what a deployment serves."""

import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from providers.contract.protocols import Endpoint

CHAT, COMPLETIONS, EMBEDDINGS = "/v1/chat/completions", "/v1/completions", "/v1/embeddings"


@dataclass(frozen=True, kw_only=True, slots=True)
class _Call:
    """What is asked of a path, the client's name for it, and where in its answer the words are."""

    body: Mapping[str, object]
    resource: str
    answer: str


_CALLS: Mapping[str, _Call] = {
    CHAT: _Call(
        body={
            "messages": [{"role": "user", "content": "Name three harbours."}],
            "max_tokens": 100,
        },
        resource="chat.completions",
        answer="choices[0].message.content",
    ),
    COMPLETIONS: _Call(
        body={"prompt": "Three harbours are", "max_tokens": 100},
        resource="completions",
        answer="choices[0].text",
    ),
    EMBEDDINGS: _Call(
        body={"input": "a ship leaves the slipway"},
        resource="embeddings",
        answer="data[0].embedding",
    ),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class SampleRequest:
    """One request as a curl command and in Python, its address, and whether that is inside."""

    command: str
    python: str
    address: str
    is_inside: bool


def sample_of(
    endpoint: Endpoint, *, serving_name: str, supported: Sequence[str]
) -> SampleRequest | None:
    """Return a request to the outside address, else to the one inside; None without either.

    A template that names no endpoints is taken to chat, as most do.
    """
    base = (endpoint.external_url or endpoint.url).rstrip("/")
    path = next((known for known in _CALLS if known in (supported or (CHAT,))), None)
    if not base or path is None:
        return None
    body = {"model": serving_name, **_CALLS[path].body}
    return SampleRequest(
        command=_in_curl(f"{base}{path}", body),
        python=_in_python(f"{base}/v1", _CALLS[path], body),
        address=f"{base}{path}",
        is_inside=not endpoint.external_url,
    )


def _in_curl(address: str, body: Mapping[str, object]) -> str:
    return (
        f"curl {shlex.quote(address)} \\\n"
        f"  -H 'Content-Type: application/json' \\\n"
        f"  -d {shlex.quote(_literal(body))}"
    )


def _in_python(base: str, call: _Call, body: Mapping[str, object]) -> str:
    """Return the call with the package `openai`, which does not start without some key."""
    arguments = "".join(f"    {name}={_literal(value)},\n" for name, value in body.items())
    return (
        "from openai import OpenAI\n\n"
        f'client = OpenAI(base_url={_literal(base)}, api_key="none")\n'
        f"answer = client.{call.resource}.create(\n{arguments})\n"
        f"print(answer.{call.answer})"
    )


def _literal(value: object) -> str:
    """Return JSON, which is Python as well as long as nothing in it is true, false or null."""
    return json.dumps(value, ensure_ascii=False)
