"""Requests to one API server: raw bytes in and out, every call bounded, nothing retried blindly.

One client per cluster and credential, shared between threads. It obeys 429 within the deadline,
renews the credential once on 401, and sends a request again only when that is safe.
"""

import os
import threading
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from urllib.parse import urlencode

import msgspec
import urllib3
from urllib3.exceptions import HTTPError

from providers.contract.errors import Unavailable
from providers.contract.manifest import Manifest
from providers.contract.protocols import Deadline
from providers.contract.target import ClusterTarget, Connection
from providers.kube.answer import Answer
from providers.kube.bodies import read_body
from providers.kube.causes import cause_of, is_stale
from providers.kube.clock import require_time, seconds_left
from providers.kube.credentials import Session, fingerprint, load_session
from providers.kube.silence import Silence
from providers.kube.streaming import Stream

CONNECT_SECONDS = 2.0
# Until an answer without an end has begun.
BEGIN_SECONDS = 5.0
THREADS = 16
USER_AGENT = "slipway"
_UNAUTHORIZED = 401
_TOO_MANY = 429
_MARGIN = 0.2


@dataclass(frozen=True, kw_only=True, slots=True)
class Call:
    """One request; `repeatable` tells that sending it twice is the same as once.

    `relayed` tells that the API server only passes it on, to a node or a pod: how long those take
    says nothing about the server, and what they refuse is not its refusal. Of a longer body than
    `most_bytes` only that much is read; 0 is no bound.
    """

    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    body: Manifest | None = None
    content_type: str = "application/json"
    accept: str = "application/json"
    repeatable: bool = False
    relayed: bool = False
    most_bytes: int = 0

    @property
    def target(self) -> str:
        """Return path and query."""
        return f"{self.path}?{urlencode(self.query)}" if self.query else self.path


class KubeClient:
    """Talks to one API server with one credential.

    `threads` are its own, so that a silent cluster delays calls to no other. `proved_uids` says
    until when, on the monotonic clock, the cluster counts as the one with that uid.
    """

    def __init__(self, connection: Connection, session: Session) -> None:
        self._connection = connection
        self._session = session
        self._lock = threading.Lock()
        self.threads = ThreadPoolExecutor(THREADS, thread_name_prefix="kube")
        self.proved_uids: dict[str, float] = {}
        self.silence = Silence()

    @property
    def host(self) -> str:
        """Return host and port of the API server, for people."""
        return self._session.address

    def get(
        self, path: str, *, deadline: Deadline, query: Mapping[str, str] | None = None
    ) -> Answer:
        """Read; any status comes back as an answer, silence raises Unavailable."""
        call = Call(method="GET", path=path, query=query or {}, repeatable=True)
        return self.send(call, deadline=deadline)

    def send(self, call: Call, *, deadline: Deadline) -> Answer:
        """Send one call; any status comes back as an answer, silence raises Unavailable."""
        self.silence.require_broken()
        session = self._session
        answer = self._send_again_if_stale(session, call, deadline)
        if call.relayed and not answer.is_status:
            return answer
        if answer.status == _UNAUTHORIZED:
            session = self._renewed(session, deadline)
            answer = self._send_again_if_stale(session, call, deadline)
        while answer.status == _TOO_MANY:
            self._wait_as_told(answer, deadline)
            answer = self._send_again_if_stale(session, call, deadline)
        return answer

    def open(self, path: str, *, query: Mapping[str, str], idle_seconds: float) -> Stream:
        """Begin to read an answer without an end; any status comes back as a stream.

        Silence for `idle_seconds` ends it. Raises Unavailable when no answer begins soon.
        """
        call, session = Call(method="GET", path=path, query=query), self._session
        stream = self._open(session, call)
        if stream.status == _UNAUTHORIZED:
            stream.release()
            session = self._renewed(session, Deadline(at=time.monotonic() + BEGIN_SECONDS))
            stream = self._open(session, call)
        stream.bound(idle_seconds)
        return stream

    def _open(self, session: Session, call: Call) -> Stream:
        started = time.monotonic()
        try:
            response = session.open(
                call.method,
                call.target,
                headers={**_headers(session, call, BEGIN_SECONDS), "Accept-Encoding": "identity"},
                timeout=urllib3.Timeout(connect=CONNECT_SECONDS, read=BEGIN_SECONDS),
                retries=False,
                redirect=False,
                preload_content=False,
            )
        except (HTTPError, OSError) as error:
            raise self._unreachable(session, call, error, started) from error
        return Stream(response, host=session.address)

    def _send_again_if_stale(self, session: Session, call: Call, deadline: Deadline) -> Answer:
        started = time.monotonic()
        try:
            return self._send_once(session, call, deadline)
        except (HTTPError, OSError) as error:
            if not (call.repeatable and is_stale(error) and seconds_left(deadline) > _MARGIN):
                raise self._unreachable(session, call, error, started) from error
        try:
            return self._send_once(session, call, deadline)
        except (HTTPError, OSError) as error:
            raise self._unreachable(session, call, error, started) from error

    def _send_once(self, session: Session, call: Call, deadline: Deadline) -> Answer:
        answer = _send_once(session, call, deadline)
        self.silence.break_off()
        return answer

    def _unreachable(
        self, session: Session, call: Call, error: Exception, started: float
    ) -> Unavailable:
        cause = cause_of(error, time.monotonic() - started)
        unavailable = Unavailable(f"the API server {session.address} does not answer: {cause}")
        return unavailable if call.relayed else self.silence.note(unavailable, started=started)

    def _wait_as_told(self, answer: Answer, deadline: Deadline) -> None:
        seconds = answer.retry_after or 1.0
        if seconds + _MARGIN > seconds_left(deadline):
            told = f"the API server {answer.host} is overloaded and asks to wait {seconds:.0f} s"
            raise self.silence.heed(Unavailable(told, retry_after=seconds))
        time.sleep(seconds)

    def _renewed(self, refused: Session, deadline: Deadline) -> Session:
        """Return a session with a credential read anew; threads refused together read it once."""
        with self._lock:
            if self._session is refused:
                left = require_time(deadline, refused.address)
                self._session = load_session(self._connection, left)
            return self._session


def client_for(target: ClusterTarget, *, deadline: Deadline) -> KubeClient:
    """Return the client of a cluster; a kubeconfig that was written anew is taken up.

    Raises Unavailable with code CredentialsRefused when no credential can be read.
    """
    key = (os.getpid(), target.key, target.connection)
    seen = fingerprint(target.connection)
    with _clients_lock:
        kept = _clients.get(key)
    if kept is not None and kept[0] == seen:
        return kept[1]
    session = load_session(target.connection, max(seconds_left(deadline), _MARGIN))
    client = KubeClient(target.connection, session)
    with _clients_lock:
        _clients[key] = (seen, client)
    return client


_clients: dict[tuple[int, str, Connection], tuple[tuple[int, ...], KubeClient]] = {}
_clients_lock = threading.Lock()


def _send_once(session: Session, call: Call, deadline: Deadline) -> Answer:
    left = require_time(deadline, session.address)
    response = session.open(
        call.method,
        call.target,
        body=None if call.body is None else msgspec.json.encode(call.body),
        headers=_headers(session, call, left),
        timeout=urllib3.Timeout(connect=min(CONNECT_SECONDS, left), read=left),
        retries=False,
        redirect=False,
        preload_content=False,
    )
    body, cut = read_body(response, deadline, call.most_bytes)
    return Answer(
        status=response.status,
        headers=response.headers,
        body=body,
        host=session.address,
        cut=cut,
    )


def _headers(session: Session, call: Call, seconds: float) -> dict[str, str]:
    headers = {"Accept": call.accept, "Accept-Encoding": "gzip", "User-Agent": USER_AGENT}
    if call.body is not None:
        headers["Content-Type"] = call.content_type
    authorization = session.authorization(seconds)
    return {**headers, "Authorization": authorization} if authorization else headers
