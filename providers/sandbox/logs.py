"""Answers requests for the logs of simulated containers."""

from collections.abc import Mapping
from datetime import datetime

from providers.contract.manifest import Manifest
from providers.sandbox.desk import Desk
from providers.sandbox.messages import Response, bad_request
from providers.simulation.pod_life.log_reading import LogQuery, LogUnavailable, read_log, tail_of
from providers.simulation.pod_life.pace import Pace


def read(desk: Desk, pace: Pace, pod: Manifest, asked: Mapping[str, str]) -> Response:
    """Return the log that a request asks for; raises Refused where there is none."""
    words, _ = desk.words_of(pod)
    try:
        query = _query(pod, asked)
        lines = read_log(pod, query, simulations=words, pace=pace, now=desk.clock.now())
    except (ValueError, LogUnavailable) as error:
        raise bad_request(str(error)) from None
    text = b"".join(line.encoded(query) for line in tail_of(lines, query))
    return Response(status=200, body=text, content_type="text/plain")


def _query(pod: Manifest, asked: Mapping[str, str]) -> LogQuery:
    spec = pod["spec"]
    names = [each["name"] for each in (*(spec.get("initContainers") or ()), *spec["containers"])]
    name = asked.get("container") or names[-1]
    if name not in names:
        raise bad_request(f"container {name} is not valid for pod {pod['metadata']['name']}")
    return LogQuery(
        container=name,
        previous=asked.get("previous") == "true",
        timestamps=asked.get("timestamps") == "true",
        tail_lines=int(asked["tailLines"]) if asked.get("tailLines") else None,
        since=datetime.fromisoformat(asked["sinceTime"]) if asked.get("sinceTime") else None,
    )
