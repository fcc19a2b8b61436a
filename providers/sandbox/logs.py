"""Answers requests for the logs of simulated containers."""

from collections.abc import Mapping
from dataclasses import dataclass

from providers.contract.manifest import Manifest
from providers.sandbox.answers import Response, bad_request
from providers.sandbox.clock import Clock, read_time, seconds
from providers.sandbox.defaults import containers_of
from providers.simulation.pod_life.log_reading import LogQuery, LogUnavailable, read_log, tail_of
from providers.simulation.pod_life.pace import Pace
from providers.simulation.simulate import Simulation


@dataclass(frozen=True, kw_only=True, slots=True)
class LogReader:
    """Reads logs; `simulations` is what the kubelet knows of a pod's containers, by uid."""

    clock: Clock
    pace: Pace
    simulations: Mapping[str, Mapping[str, Simulation]]

    def read(self, pod: Manifest, asked: Mapping[str, str]) -> Response:
        """Return the log that a request asks for; raises Refused where there is none."""
        try:
            query = self._query(pod, asked)
        except ValueError as error:
            raise bad_request(str(error)) from None
        if not pod["spec"].get("nodeName"):
            return Response(status=204, body=b"", content_type="text/plain")
        known = self.simulations.get(pod["metadata"]["uid"], {})
        now = self.clock.now()
        try:
            lines = read_log(pod, query, simulations=known, pace=self.pace, now=now)
        except LogUnavailable as error:
            raise bad_request(str(error)) from None
        text = b"".join(line.encoded(query) for line in tail_of(lines, query))
        return Response(status=200, body=text, content_type="text/plain")

    def _query(self, pod: Manifest, asked: Mapping[str, str]) -> LogQuery:
        since = read_time(asked["sinceTime"]) if asked.get("sinceTime") else None
        if asked.get("sinceSeconds"):
            since = self.clock.now() - seconds(int(asked["sinceSeconds"]))
        return LogQuery(
            container=_container(pod, asked.get("container", "")),
            previous=asked.get("previous") == "true",
            timestamps=asked.get("timestamps") == "true",
            tail_lines=int(asked["tailLines"]) if asked.get("tailLines") else None,
            since=since,
        )


def _container(pod: Manifest, name: str) -> str:
    pod_name, names = pod["metadata"]["name"], [c["name"] for c in containers_of(pod["spec"])]
    if name in names:
        return name
    if name:
        raise bad_request(f"container {name} is not valid for pod {pod_name}")
    if len(names) == 1:
        return str(names[0])
    choice = f"choose one of: [{' '.join(names)}]"
    raise bad_request(f"a container name must be specified for pod {pod_name}, {choice}")
