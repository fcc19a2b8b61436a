"""What the engines of a deployment tell of themselves, each on its page, through the API server.

A page belongs to a pod, so it may hang, be huge, want a key or not exist: each costs a bounded time
and a bounded number of bytes, and says in a sentence why it told nothing.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from urllib.parse import quote

from providers.contract.errors import ProviderError, Rejected, Unavailable
from providers.contract.observing import EngineReading
from providers.contract.protocols import Deadline
from providers.contract.template import Engine
from providers.engines.metrics import metric_names, metrics_path
from providers.kube.answer import Answer
from providers.kube.bounded import run_all
from providers.kube.client import Call, KubeClient
from providers.kube.resources import PODS
from providers.observing.exposition import TooManySeries, read_exposition
from providers.workload.objects.use import ListeningPod

# Seconds for one page: pods on the way down hang, and must not hold what others wait for.
PAGE_SECONDS = 1.2
PAGE_BYTES = 4 * 1024 * 1024
# How many pods are asked, and how many of them at once; the rest of the threads are for others.
MOST_PODS, AT_ONCE = 48, 6

_SWITCHES = {"sglang": "enable_metrics: true", "llamacpp": "metrics: true"}
_ACCEPT = "text/plain;version=0.0.4, */*;q=0.1"
_KEY_WANTED = {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}
_NO_PAGE = {HTTPStatus.NOT_FOUND, HTTPStatus.NOT_IMPLEMENTED, HTTPStatus.METHOD_NOT_ALLOWED}


class ProxyForbidden(Rejected):
    """The console may not reach pods through the API server."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Page:
    """Where one engine shows its metrics."""

    pod: str
    namespace: str
    port: int
    engine: Engine

    @property
    def address(self) -> str:
        """Return the path on the API server."""
        pod = PODS.item(self.pod, self.namespace)
        return f"{pod}:{self.port}/proxy{quote(metrics_path(self.engine), safe='/%')}"


def read_engines(
    client: KubeClient, pods: Sequence[ListeningPod], engine: Engine, *, deadline: Deadline
) -> tuple[EngineReading, ...]:
    """Return what the engine in each of these pods tells, in their order; the first MOST_PODS.

    Raises ProxyForbidden where the console may not reach pods.
    """
    pages = [
        Page(
            pod=pod.name, namespace=pod.namespace, port=pod.port or engine.port or 0, engine=engine
        )
        for pod in pods[:MOST_PODS]
    ]
    lanes = [pages[start::AT_ONCE] for start in range(min(AT_ONCE, len(pages)))]
    outcomes = run_all(
        client.threads, [partial(_read_lane, client, lane, deadline) for lane in lanes]
    )
    read = {reading.pod: reading for lane in outcomes for reading in lane}
    return tuple(read[page.pod] for page in pages)


def _read_lane(
    client: KubeClient, pages: Sequence[Page], deadline: Deadline
) -> list[EngineReading]:
    return [_read(client, page, deadline) for page in pages]


def _read(client: KubeClient, page: Page, deadline: Deadline) -> EngineReading:
    call = Call(
        method="GET", path=page.address, accept=_ACCEPT, relayed=True, most_bytes=PAGE_BYTES
    )
    by = Deadline(at=min(deadline.at, time.monotonic() + PAGE_SECONDS))
    try:
        answer = client.send(call, deadline=by)
    except Unavailable:
        return _untold(page, "it did not answer in time")
    except ProviderError as error:
        return _untold(page, error.message)
    return _told(page, answer)


def _told(page: Page, answer: Answer) -> EngineReading:
    if answer.is_status:
        return _untold(page, _why_not_reached(page, answer))
    if not answer.is_ok:
        return _untold(page, _why_no_page(page, answer.status))
    if answer.cut:
        return _untold(page, f"its page is longer than {PAGE_BYTES // 1024**2} MiB")
    try:
        text = answer.body.decode("utf-8", "replace")
        values = read_exposition(text, metric_names(page.engine))
    except TooManySeries as error:
        return _untold(page, str(error))
    if not values:
        return _untold(
            page, f"its page at {metrics_path(page.engine)} has no figure of this engine"
        )
    return EngineReading(pod=page.pod, values=values)


def _why_not_reached(page: Page, answer: Answer) -> str:
    if answer.status == HTTPStatus.FORBIDDEN:
        raise ProxyForbidden(
            "the console may not ask the engines; it needs the right to get pods/proxy in "
            f"namespace {page.namespace}"
        )
    if answer.status == HTTPStatus.NOT_FOUND:
        return "the pod is gone, or this cluster leads nobody to its pods"
    return f"the API server cannot reach its port {page.port}"


def _why_no_page(page: Page, status: int) -> str:
    path = metrics_path(page.engine)
    if status in _KEY_WANTED:
        return f"it wants its API key at {path}, and the console has none"
    if status in _NO_PAGE:
        switch = _SWITCHES.get(page.engine.type)
        how = f"; set engine_args {switch}" if switch else "; set engine.metrics_endpoint"
        return f"it has no metrics at {path}{how}"
    return f"it answered {status} at {path}"


def _untold(page: Page, why: str) -> EngineReading:
    return EngineReading(pod=page.pod, trouble=why)
