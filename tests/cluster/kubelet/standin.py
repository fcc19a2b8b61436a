"""The stand-in kubelet: watches pods bound to its nodes and lets worker threads tend them."""

import ipaddress
import json
import logging
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from threading import Event, Lock, Thread

import urllib3

from providers.contract.manifest import Manifest
from providers.simulation.pod_life.moments import Happening
from providers.simulation.pod_life.pace import Pace
from tests.cluster.harness.api import Api, ApiError, namespaced
from tests.cluster.harness.certificates import Pair
from tests.cluster.kubelet import nodes
from tests.cluster.kubelet.pods import ENDED, Care, admit, key_of_pod, stop_seconds, tell, tend
from tests.cluster.kubelet.processes.runtime import ProcessRuntime
from tests.cluster.kubelet.server import LogServer
from tests.cluster.kubelet.work import WorkQueue

logger = logging.getLogger(__name__)

WORKERS = 4
LEASE_EVERY_SECONDS = 10.0
RETRY_SECONDS = 0.2
LOOK_FOR_THE_END_SECONDS = 0.2
WATCH_SECONDS = 240
FIRST_POD_IP = ipaddress.IPv4Address("10.128.0.1")
# Back-offs keep their words and shrink to a tenth, so that a crash loop is seen in seconds.
TEST_PACE = Pace(back_off_scale=0.1)


class StandInKubelet:
    """Tends the pods of its nodes; `stop_after` is how long every pod takes to stop, in seconds.

    The pods that `runtime` knows really run, all others are simulated.
    """

    def __init__(
        self, api: Api, *, serving: Pair, ca: Path, port: int, pace: Pace = TEST_PACE
    ) -> None:
        self.api = api
        self.pace = pace
        self.stop_after = 0.0
        self.runtime: ProcessRuntime | None = None
        self._port = port
        self._nodes: dict[str, nodes.NodeSpec] = {}
        self._pods: dict[str, Manifest] = {}
        self._cares: dict[str, Care] = {}
        self._queue = WorkQueue()
        self._stopping = Event()
        self._threads: list[Thread] = []
        self._addresses = _addresses()
        self._addresses_taken: set[str] = set()
        self._lock = Lock()
        self._server = LogServer(self._cares.get, port=port, serving=serving, ca=ca, pace=pace)

    def start(self) -> None:
        """Begin to tend; nodes may be added before or after."""
        self._server.start()
        targets = [self._watch, self._renew_leases, *[self._work] * WORKERS]
        self._threads = [Thread(target=target, daemon=True) for target in targets]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Let the threads end; the watch does when the API server closes it."""
        self._stopping.set()
        self._queue.close()
        self._server.stop()
        for care in list(self._cares.values()):
            _end_processes(care)

    def add_node(self, spec: nodes.NodeSpec) -> None:
        """Register a node, Ready at once."""
        nodes.register(self.api, spec, port=self._port)
        self._nodes[spec.name] = spec
        for key, pod in list(self._pods.items()):
            if pod["spec"].get("nodeName") == spec.name:
                self._queue.add(key)

    def remove_node(self, name: str) -> None:
        """Take a node away."""
        nodes.deregister(self.api, self._nodes.pop(name))

    def _renew_leases(self) -> None:
        while not self._stopping.wait(LEASE_EVERY_SECONDS):
            for spec in list(self._nodes.values()):
                try:
                    nodes.renew_lease(self.api, spec)
                except (ApiError, urllib3.exceptions.HTTPError) as error:
                    logger.info("lease of %s: %s", spec.name, error)

    def _watch(self) -> None:
        while not self._stopping.is_set():
            try:
                for kind, pod in _follow(self.api, self._list()):
                    self._see(kind, pod)
            except (ApiError, urllib3.exceptions.HTTPError, OSError, ValueError) as error:
                logger.info("watch of pods: %s", error)
                self._stopping.wait(RETRY_SECONDS)

    def _list(self) -> str:
        """Take in all pods that are bound; return the version to watch from."""
        listed = self.api.get("/api/v1/pods", fieldSelector="spec.nodeName!=")
        found = {key_of_pod(pod): pod for pod in listed["items"]}
        for key in set(self._pods) - set(found):
            self._see("DELETED", self._pods[key])
        for pod in found.values():
            self._addresses_taken.add((pod.get("status") or {}).get("podIP") or "")
            self._see("ADDED", pod)
        return str(listed["metadata"]["resourceVersion"])

    def _see(self, kind: str, pod: Manifest) -> None:
        key = key_of_pod(pod)
        if kind == "DELETED":
            self._pods.pop(key, None)
        else:
            self._pods[key] = pod
        self._queue.add(key)

    def _work(self) -> None:
        while (key := self._queue.take()) is not None:
            try:
                self._tend(key)
            except (ApiError, urllib3.exceptions.HTTPError) as error:
                logger.info("pod %s: %s", key, error)
                if key in self._pods:
                    self._queue.add(key, after=RETRY_SECONDS)
            except Exception:  # one poisoned pod must not stop the others
                logger.exception("pod %s cannot be tended", key)
            finally:
                self._queue.done(key)

    def _tend(self, key: str) -> None:
        pod = self._pods.get(key)
        if pod is None:
            self._forget(key)
        elif pod["spec"]["nodeName"] in self._nodes:
            care = self._care_for(key, pod)
            wait = self._end(care) if pod["metadata"].get("deletionTimestamp") else self._keep(care)
            if wait is not None:
                self._queue.add(key, after=wait)

    def _care_for(self, key: str, pod: Manifest) -> Care:
        care = self._cares.get(key)
        if care is None or care.pod["metadata"]["uid"] != pod["metadata"]["uid"]:
            self._forget(key)
            care = self._admit(key, pod)
            self._cares[key] = care
        care.pod = pod
        return care

    def _admit(self, key: str, pod: Manifest) -> Care:
        if self.runtime is None or not self.runtime.runs(pod):
            return admit(self.api, pod, pod_ip=self._free_address())
        processes = self.runtime.prepare(pod)
        care = admit(self.api, pod, pod_ip=processes.address)
        care.processes = processes
        processes.begin(epoch=care.epoch, changed=lambda: self._queue.add(key))
        return care

    def _forget(self, key: str) -> None:
        care = self._cares.pop(key, None)
        if care is not None:
            _end_processes(care)

    def process_id(self, key: str, container: str) -> int | None:
        """Return the number of the process that a container really runs; key is namespace/name."""
        care = self._cares.get(key)
        return care.processes.process_id(container) if care and care.processes else None

    def _keep(self, care: Care) -> float | None:
        if (care.pod.get("status") or {}).get("phase") in ENDED:
            return None
        return tend(self.api, care, pace=self.pace)

    def _end(self, care: Care) -> float | None:
        """Stop a pod that is to be deleted; return how long that still takes."""
        now = datetime.now(UTC)
        if care.stops_at is None:
            care.stops_at = now + timedelta(seconds=stop_seconds(care, self.stop_after))
            tell(self.api, care, _killings(care, now))
            if care.processes:
                care.processes.stop(
                    float(care.pod["metadata"].get("deletionGracePeriodSeconds") or 0)
                )
        if care.processes and not care.processes.are_over:
            return LOOK_FOR_THE_END_SECONDS
        left = (care.stops_at - now).total_seconds()
        if left > 0:
            return left
        metadata = care.pod["metadata"]
        options = {"gracePeriodSeconds": 0, "preconditions": {"uid": metadata["uid"]}}
        self.api.delete(namespaced(metadata["namespace"], "pods", metadata["name"]), options)
        return None

    def _free_address(self) -> str:
        with self._lock:
            return next(each for each in self._addresses if each not in self._addresses_taken)


def _end_processes(care: Care) -> None:
    if care.processes:
        care.processes.end()


def _follow(api: Api, version: str) -> Iterator[tuple[str, Manifest]]:
    response = api.stream(
        "/api/v1/pods",
        read_seconds=WATCH_SECONDS + 10,
        watch="true",
        fieldSelector="spec.nodeName!=",
        resourceVersion=version,
        timeoutSeconds=str(WATCH_SECONDS),
    )
    try:
        for line in _lines(response):
            event = json.loads(line)
            if event["type"] == "ERROR":
                return
            yield event["type"], event["object"]
    finally:
        response.close()


def _lines(response: urllib3.BaseHTTPResponse) -> Iterator[bytes]:
    rest = b""
    for chunk in response.stream(amt=None):
        *lines, rest = (rest + chunk).split(b"\n")
        yield from lines


def _addresses() -> Iterator[str]:
    return (str(FIRST_POD_IP + offset) for offset in count())


def _killings(care: Care, now: datetime) -> tuple[Happening, ...]:
    at = (now - care.epoch).total_seconds()
    running = [
        status["name"]
        for status in care.written.get("containerStatuses") or []
        if "running" in status["state"]
    ]
    return tuple(
        Happening(
            at=at, first=at, reason="Killing", message=f"Stopping container {name}", container=name
        )
        for name in running
    )
