"""Asks a real API server and the simulated cluster the same, and compares what we read of them."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from time import monotonic, sleep
from urllib.parse import urlencode

from providers.contract.manifest import Manifest
from providers.sandbox.cluster import VirtualCluster
from tests.cluster.harness.api import Answer, Api

JSON = "application/json"
APPLY = "application/apply-patch+yaml"
UID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
SUFFIX = re.compile(r"-[bcdfghjklmnpqrstvwxz2456789]{8,10}(-[bcdfghjklmnpqrstvwxz2456789]{5})?\b")
GO_STRUCT = re.compile(r"Go struct field [A-Z]\w*\.")
PATIENCE_SECONDS = 90.0
SETTLING_SECONDS = 8.0

Shows = Callable[[Manifest], object]


@dataclass(frozen=True, kw_only=True, slots=True)
class Ask:
    """One request; `{ns}` in path and body stands for the namespace."""

    method: str
    path: str
    body: Manifest | None = None
    content_type: str = JSON
    query: Mapping[str, str] = field(default_factory=dict)


class Both:
    """The two clusters; what was asked of one was asked of the other."""

    def __init__(self, real: Api, sandbox: VirtualCluster, namespace: str) -> None:
        self.real, self.sandbox, self.namespace = real, sandbox, namespace

    def ask(self, ask: Ask, shows: Shows | None = None) -> Manifest:
        """Ask both and assert that they agree; returns the sandbox's body."""
        path, body = self.placed(ask)
        real = self.real.ask(ask.method, path, body, ask.content_type, **ask.query)
        mine = self.ask_sandbox(ask)
        _assert_same(seen(mine, shows), seen(real, shows))
        return mine.body

    def agree_at_last(self, ask: Ask, shows: Shows) -> object:
        """Ask again and again until the real one has come to what the sandbox shows."""
        path, body = self.placed(ask)
        mine = seen(self.ask_sandbox(ask), shows)
        end = monotonic() + PATIENCE_SECONDS
        while True:
            answer = self.real.ask(ask.method, path, body, ask.content_type, **ask.query)
            real = _seen_so_far(answer, shows)
            if real == mine or monotonic() > end:
                break
            sleep(0.1)
        _assert_same(mine, real)
        return mine

    def ask_sandbox(self, ask: Ask) -> Answer:
        """Ask the sandbox and let it come to rest."""
        path, body = self.placed(ask)
        target = f"{path}?{urlencode(ask.query)}" if ask.query else path
        sent = b"" if body is None else json.dumps(body).encode()
        headers = {"Content-Type": ask.content_type, "User-Agent": "python-urllib3/2"}
        response = self.sandbox.handle(ask.method, target, headers, sent)
        self.sandbox.advance(SETTLING_SECONDS)
        text = response.body.decode()
        is_json = response.content_type == JSON
        warning = response.headers.get("Warning")
        return Answer(
            status=response.status,
            body=json.loads(text) if is_json else {},
            text=text,
            warnings=[warning] if warning else [],
        )

    def placed(self, ask: Ask) -> tuple[str, Manifest | None]:
        """Return path and body in the namespace."""
        path = ask.path.replace("{ns}", self.namespace)
        if ask.body is None:
            return path, None
        placed: Manifest = json.loads(json.dumps(ask.body).replace("{ns}", self.namespace))
        return path, placed


def seen(answer: Answer, shows: Shows | None) -> object:
    """Return what is compared: status, reason, message and causes, and what a test shows."""
    body = answer.body
    if answer.status >= 400:
        causes = [(c.get("field"), c.get("message")) for c in details_of(body).get("causes") or ()]
        message = nameless(body.get("message") or answer.text)
        named = {key: details_of(body).get(key) for key in ("name", "group", "kind")}
        return answer.status, body.get("reason"), message, causes, named
    shown = nameless(json.dumps(shows(body), sort_keys=True)) if shows else None
    return answer.status, bool(answer.warnings), shown


def _seen_so_far(answer: Answer, shows: Shows) -> object:
    """Return what is compared of an object whose controller may not have written all of it yet."""
    try:
        return seen(answer, shows)
    except (KeyError, IndexError) as missing:
        return f"not there yet: {missing!r} in {answer.body}"


def _assert_same(mine: object, real: object) -> None:
    assert mine == real, f"the sandbox shows\n{mine}\nthe real one\n{real}"


def details_of(body: Manifest) -> Manifest:
    details: Manifest = body.get("details") or {}
    return details


def nameless(text: str) -> str:
    """Return a text without uids and without the random parts of names."""
    return GO_STRUCT.sub("Go struct field ", SUFFIX.sub("-SUFFIX", UID.sub("UID", text)))
