"""One log as the API server hands it on from a node, and why there is none.

The server passes a request for a log on to the kubelet of the pod's node, so everything behind it
may be slow, gone or rude without the cluster being so. Limits: `tailLines` is taken first, then
`limitBytes` cuts the *newest* of those off, so a log with long lines is read anew with fewer.
"""

import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from providers.contract.errors import Rejected, Unavailable
from providers.contract.protocols import Deadline
from providers.kube.answer import Answer
from providers.kube.client import Call, KubeClient
from providers.kube.errors import FORBIDDEN, NOT_FOUND, error_of
from providers.kube.resources import PODS

# How often a log is read anew with fewer lines, before its newest lines are given up.
_TRIES = 3
_BAD_REQUEST = 400
_SERVER_ERRORS = 500

_WAITING = re.compile(r"is waiting to start: (?P<why>.*)")
_NO_PREVIOUS = re.compile(r"previous terminated container .* not found")
_NO_NODE = "does not have a host assigned"
# The pod has a status without this container, as before its node took it in.
_UNKNOWN = re.compile(r"container .* in pod .* is not available$")
# The runtime has thrown the log away; the kubelet answers so with 200.
_LOST = re.compile(rb"^(?:unable to retrieve container logs for|failed to try resolving symlinks)")


@dataclass(frozen=True, kw_only=True, slots=True)
class LogAddress:
    """Which log, and how much of its end; `since` to the second, as the API takes it."""

    namespace: str
    pod: str
    container: str
    previous: bool = False
    tail_lines: int
    limit_bytes: int
    since: datetime | None = None

    @property
    def path(self) -> str:
        return f"{PODS.item(self.pod, self.namespace)}/log"

    @property
    def query(self) -> dict[str, str]:
        query = {
            "container": self.container,
            "timestamps": "true",
            "tailLines": str(self.tail_lines),
            "limitBytes": str(self.limit_bytes),
        }
        if self.previous:
            query["previous"] = "true"
        if self.since is not None:
            moment = self.since.astimezone(UTC).replace(microsecond=0, tzinfo=None)
            query["sinceTime"] = f"{moment.isoformat()}Z"
        return query


@dataclass(frozen=True, kw_only=True, slots=True)
class RawLog:
    """The bytes of a log; `cut` when its end was left out, `note` why there are none."""

    body: bytes = b""
    cut: bool = False
    note: str = ""


def read_raw(client: KubeClient, address: LogAddress, *, deadline: Deadline) -> RawLog:
    """Read the end of a log; raises Rejected where we may not."""
    raw = _read_once(client, address, deadline)
    for _ in range(_TRIES - 1):
        fewer = raw.body.count(b"\n") * 3 // 4
        if not raw.cut or address.since is not None or fewer < 1:
            break
        address = replace(address, tail_lines=fewer)
        again = _read_once(client, address, deadline)
        if again.note:  # what was read stands
            break
        raw = again
    return raw


def _read_once(client: KubeClient, address: LogAddress, deadline: Deadline) -> RawLog:
    call = Call(
        method="GET",
        path=address.path,
        query=address.query,
        accept="application/json, */*",  # errors as a Status, the log as it is
        repeatable=True,
        relayed=True,
    )
    try:
        answer = client.send(call, deadline=deadline)
    except Unavailable as error:
        return RawLog(note=f"the log of pod {address.pod} cannot be read now: {error.message}")
    if not answer.is_ok:
        return RawLog(note=_why_none(answer, address))
    return _within(answer.body, address)


def _within(body: bytes, address: LogAddress) -> RawLog:
    if _LOST.match(body):
        told = f"the node of pod {address.pod} no longer has the log of {address.container}"
        return RawLog(note=told)
    if len(body) < address.limit_bytes:
        return RawLog(body=body)
    whole, end, _ = body.rpartition(b"\n")
    return RawLog(body=whole + end if end else body, cut=True)


def _why_none(answer: Answer, address: LogAddress) -> str:
    """Return why there is no log; raises Rejected where we may not read any."""
    text = " ".join(str(answer.document().get("message") or "").split())
    pod, container = address.pod, address.container
    if answer.status == _BAD_REQUEST:
        return _not_yet(text, pod, container)
    if answer.status == NOT_FOUND:
        return f"pod {pod} is gone, and its log with it"
    if answer.status == FORBIDDEN:
        raise Rejected(
            f"reading the log of pod {pod}: {text}; an admin has to grant get on pods/log",
            code="Forbidden",
        )
    if answer.status >= _SERVER_ERRORS:
        told = text or f"the API server answered {answer.status}"
        return f"the node of pod {pod} does not give its log out: {told}"
    raise error_of(answer, doing=f"reading the log of pod {pod}")


def _not_yet(text: str, pod: str, container: str) -> str:
    waiting = _WAITING.search(text)
    if waiting:
        return f"container {container} has not started yet: {waiting['why']}"
    if _NO_PREVIOUS.search(text):
        return f"container {container} has run only once, so there is no previous log"
    if _NO_NODE in text:
        return f"container {container} has not started yet: pod {pod} waits for a node"
    if _UNKNOWN.search(text):
        return f"container {container} has not started yet: nothing is known of it so far"
    return f"there is no log of container {container} in pod {pod}: {text}"
