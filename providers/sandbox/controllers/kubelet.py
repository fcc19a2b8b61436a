"""The kubelets of all nodes: bound pods live as simulated pods do, print, and end when asked."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from providers.contract.manifest import Manifest
from providers.sandbox.admission import is_finished
from providers.sandbox.controllers.scheduler import schedule
from providers.sandbox.desk import Desk
from providers.sandbox.events import tell_happening
from providers.sandbox.kinds import BY_NAME
from providers.sandbox.messages import Response, bad_request
from providers.sandbox.store import is_ending
from providers.simulation.pod_life.log_reading import LogQuery, LogUnavailable, read_log, tail_of
from providers.simulation.pod_life.moments import Happening
from providers.simulation.pod_life.pace import Pace
from providers.simulation.pod_life.pod_status import World, pod_moment
from providers.simulation.pod_life.references import Problems, problems_of
from providers.simulation.simulate import Word

HOST_IP = "10.0.0.1"
LOOK_FOR_REFERENCES_SECONDS = 1.0
# A long life is told from its beginning each time, so old pods are looked at less often.
PATIENCE = 1000
# What a kubelet remembers of a pod: when its life began, or began anew, and what it lacks.
Life = tuple[datetime, Problems]


class Kubelets:
    """Tends pods, once the scheduler has found them a node."""

    def __init__(self, desk: Desk, pace: Pace) -> None:
        self._desk, self._pace = desk, pace
        self._lives: dict[str, Life] = {}

    def reconcile(self, pod: Manifest) -> float | None:
        """Write how a pod stands now; return when it will stand otherwise."""
        now = self._desk.now()
        if is_ending(pod):
            return self._stop(pod, now)
        if is_finished(pod):
            return None
        if not pod["spec"].get("nodeName"):
            schedule(self._desk, pod)
            return None
        (epoch, problems), began = self._life_of(pod, now), pod["status"].get("startTime")
        words, _ = self._desk.words_of(pod)
        number = int(pod["metadata"]["uid"][:4], 16)
        world = World(
            host_ip=HOST_IP,
            pod_ip=f"10.128.{number // 256}.{number % 256}",
            started_at=datetime.fromisoformat(began) if began else now,
            epoch=epoch,
            simulations=words,
            problems=problems,
            pace=self._pace,
        )
        moment = pod_moment(pod, world=world, now=now)
        self._desk.write({**pod, "status": moment.status})
        for happening in moment.happenings:
            tell_happening(self._desk, pod, happening, epoch)
        waits = [LOOK_FOR_REFERENCES_SECONDS] if problems else []
        if moment.next_at is not None:
            elapsed = (now - epoch).total_seconds()
            waits.append(max(moment.next_at - elapsed, elapsed / PATIENCE, 0.001))
        return min(waits, default=None)

    def _life_of(self, pod: Manifest, now: datetime) -> Life:
        """Return what is remembered; of a pod that lacks something, that is looked for again."""
        uid, began = pod["metadata"]["uid"], pod["status"].get("startTime")
        epoch, problems = self._lives.get(uid, (None, None))
        if epoch is None or problems:
            found = self._problems_of(pod)
            if found != problems:
                anew = datetime.fromisoformat(began) if began and epoch is None else now
                self._lives[uid] = (anew, found)
        return self._lives[uid]

    def _problems_of(self, pod: Manifest) -> Problems:
        def data_of(kind: str, name: str) -> Manifest | None:
            plural, namespace = BY_NAME[kind].plural, pod["metadata"]["namespace"]
            held = self._desk.store.get(plural, name, namespace)
            return None if held is None else held.get("data") or {}

        _, mistakes = self._desk.words_of(pod)
        missing = problems_of(pod, data_of)
        return replace(missing, by_container={**missing.by_container, **mistakes})

    def _stop(self, pod: Manifest, now: datetime) -> float | None:
        """Let a pod go when it has stopped, which takes no longer than its grace."""
        metadata = pod["metadata"]
        words, _ = self._desk.words_of(pod)
        slow = [each.seconds for each in words.values() if each.word is Word.SLOW_STOP]
        grace = metadata["deletionGracePeriodSeconds"]
        needed = min(max([self._pace.load_seconds, *slow]), grace)
        end = datetime.fromisoformat(metadata["deletionTimestamp"])
        left = (end - timedelta(seconds=grace - needed) - now).total_seconds()
        if self._lives.pop(metadata["uid"], None):
            self._tell_killing(pod, now)
        if left > 0:
            return left
        self._desk.store.remove(pod)
        return None

    def _tell_killing(self, pod: Manifest, now: datetime) -> None:
        """Tell which containers are stopped."""
        for status in pod["status"].get("containerStatuses") or ():
            if "running" in status["state"]:
                name = status["name"]
                text = f"Stopping container {name}"
                told = Happening(at=0.0, reason="Killing", message=text, container=name)
                tell_happening(self._desk, pod, told, now)


def read_log_of(desk: Desk, pace: Pace, pod: Manifest, asked: Mapping[str, str]) -> Response:
    """Return the log that a request asks for; raises Refused where there is none."""
    words, _ = desk.words_of(pod)
    try:
        query = _query(pod, asked)
        lines = read_log(pod, query, simulations=words, pace=pace, now=desk.now())
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
