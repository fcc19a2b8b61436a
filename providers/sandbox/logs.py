"""Logs of simulated containers, told from the status that stands of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from providers.contract.manifest import Manifest
from providers.sandbox.answers import Response, bad_request
from providers.sandbox.clock import Clock, micro_time, read_time, seconds
from providers.sandbox.defaults import containers_of
from providers.simulation.pod_life.logs import run_log
from providers.simulation.pod_life.pace import Pace
from providers.simulation.simulate import HEALTHY, Simulation, Word

PULL_REFUSALS = {
    "ErrImagePull": "image can't be pulled",
    "ImagePullBackOff": "trying and failing to pull image",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class LogReader:
    """Reads logs; `simulations` is what the kubelet knows of a pod's containers, by uid."""

    clock: Clock
    pace: Pace
    simulations: Mapping[str, Mapping[str, Simulation]]

    def read(self, pod: Manifest, query: Mapping[str, str]) -> Response:
        """Return the log that a request asks for; raises Refused where there is none."""
        container = _container(pod, query.get("container", ""))
        if not pod["spec"].get("nodeName"):
            return Response(status=204, body=b"", content_type="text/plain")
        run = _run(pod, container["name"], previous=query.get("previous") == "true")
        lines = self._lines(pod, container, run)
        if query.get("sinceTime"):
            lines = [line for line in lines if line[0] >= read_time(query["sinceTime"])]
        if query.get("sinceSeconds"):
            since = self.clock.now() - seconds(float(query["sinceSeconds"]))
            lines = [line for line in lines if line[0] >= since]
        if query.get("tailLines"):
            lines = lines[len(lines) - min(int(query["tailLines"]), len(lines)) :]
        stamped = query.get("timestamps") == "true"
        text = "".join(f"{micro_time(at) + ' ' if stamped else ''}{line}\n" for at, line in lines)
        return Response(status=200, body=text.encode(), content_type="text/plain")

    def _lines(
        self, pod: Manifest, container: Manifest, run: Manifest
    ) -> list[tuple[datetime, str]]:
        began = read_time(run["startedAt"])
        until = read_time(run["finishedAt"]) if run.get("finishedAt") else self.clock.now()
        known = self.simulations.get(pod["metadata"]["uid"], {})
        simulation = known.get(container["name"], HEALTHY)
        slow = simulation.word is Word.SLOW_LOAD
        printed = run_log(
            container,
            simulation,
            loads_after=simulation.seconds if slow else self.pace.load_seconds,
            seconds=(until - began).total_seconds(),
        )
        return [(began + seconds(line.at), line.text) for line in printed]


def _container(pod: Manifest, name: str) -> Manifest:
    every = list(containers_of(pod["spec"]))
    pod_name = pod["metadata"]["name"]
    if not name and len(pod["spec"]["containers"]) == 1:
        only: Manifest = pod["spec"]["containers"][0]
        return only
    for container in every:
        if container["name"] == name:
            return container
    if name:
        raise bad_request(f"container {name} is not valid for pod {pod_name}")
    choice = " ".join(container["name"] for container in every)
    raise bad_request(
        f"a container name must be specified for pod {pod_name}, choose one of: [{choice}]"
    )


def _run(pod: Manifest, name: str, *, previous: bool) -> Manifest:
    status = pod.get("status") or {}
    told = f'container "{name}" in pod "{pod["metadata"]["name"]}"'
    every = [*(status.get("initContainerStatuses") or ()), *(status.get("containerStatuses") or ())]
    found = next((entry for entry in every if entry["name"] == name), None)
    if found is None:
        raise bad_request(f"{told} is waiting to start: ContainerCreating")
    last: Manifest | None = (found.get("lastState") or {}).get("terminated")
    if previous:
        if last is None:
            raise bad_request(f"previous terminated {told} not found")
        return last
    state = found["state"]
    run: Manifest | None = state.get("running") or state.get("terminated") or last
    if run is None:
        reason = state["waiting"].get("reason", "")
        raise bad_request(f"{told} is waiting to start: {PULL_REFUSALS.get(reason, reason)}")
    return run
