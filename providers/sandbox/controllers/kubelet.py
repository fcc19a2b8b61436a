"""The kubelets of all nodes: bound pods live as simulated pods do, and end when asked."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from providers.contract.manifest import Manifest
from providers.sandbox.clock import read_time, seconds
from providers.sandbox.desk import Desk
from providers.sandbox.journal import Journal
from providers.sandbox.quotas import is_finished
from providers.sandbox.store import Change, Key, is_ending
from providers.simulation.pod_life.moments import Happening
from providers.simulation.pod_life.pace import Pace
from providers.simulation.pod_life.pod_status import PodMoment, World, pod_moment
from providers.simulation.pod_life.references import Problems, problems_of
from providers.simulation.simulate import Simulation, Word, read_words

HOST_IP = "10.0.0.1"
LOOK_FOR_REFERENCES_SECONDS = 1.0
# A long life is told from its beginning each time, so old pods are looked at less often.
PATIENCE = 1000
_PLURALS = {"Secret": "secrets", "ConfigMap": "configmaps"}


@dataclass(kw_only=True, slots=True)
class Care:
    """What a kubelet remembers of one pod; `epoch` is when its life began, or began anew."""

    epoch: datetime
    started_at: datetime
    pod_ip: str
    problems: Problems
    stops_at: datetime | None = None


class Kubelets:
    """Tends pods. `simulations` maps a pod's uid to those of its containers."""

    def __init__(self, desk: Desk, journal: Journal, pace: Pace) -> None:
        self._desk, self._journal, self._pace = desk, journal, pace
        self._cares: dict[str, Care] = {}
        self.simulations: dict[str, Mapping[str, Simulation]] = {}

    def concerns(self, change: Change) -> Iterable[Key]:
        if change.key.plural != "pods":
            return ()
        if change.new is None:
            uid = change.object["metadata"]["uid"]
            self._cares.pop(uid, None)
            self.simulations.pop(uid, None)
            return ()
        return [change.key] if change.new["spec"].get("nodeName") else ()

    def reconcile(self, key: Key) -> float | None:
        pod = self._desk.store.at(key)
        if pod is None:
            return None
        care = self._cares.get(pod["metadata"]["uid"]) or self._admit(pod)
        if is_ending(pod):
            return self._stop(pod, care)
        return None if is_finished(pod) else self._tend(pod, care)

    def _admit(self, pod: Manifest) -> Care:
        metadata, status = pod["metadata"], pod.get("status") or {}
        began = status.get("startTime")
        now = read_time(began) if began else self._desk.clock.now()
        taken = {other["status"].get("podIP") for other in self._desk.store.items("pods")}
        numbers = (f"10.128.{n // 250}.{n % 250 + 1}" for n in range(len(taken) + 1, 62500))
        care = Care(
            epoch=now,
            started_at=now,
            pod_ip=status.get("podIP") or next(ip for ip in numbers if ip not in taken),
            problems=Problems(by_container={}, volumes=()),
        )
        self._cares[metadata["uid"]] = care
        return care

    def _tend(self, pod: Manifest, care: Care) -> float | None:
        now = self._desk.clock.now()
        self._look_for_problems(pod, care, now)
        moment = self._moment(pod, care, now)
        kept = {"qosClass": pod["status"].get("qosClass", "Burstable")}
        self._desk.set_status("pods", pod, kept | moment.status)
        for happening in moment.happenings:
            self._journal.tell_happening(pod, happening, care.epoch)
        waits = [LOOK_FOR_REFERENCES_SECONDS] if care.problems else []
        if moment.next_at is not None:
            elapsed = (now - care.epoch).total_seconds()
            waits.append(max(moment.next_at - elapsed, elapsed / PATIENCE, 0.001))
        return min(waits, default=None)

    def _moment(self, pod: Manifest, care: Care, now: datetime) -> PodMoment:
        world = World(
            host_ip=HOST_IP,
            pod_ip=care.pod_ip,
            started_at=care.started_at,
            epoch=care.epoch,
            simulations=self.simulations[pod["metadata"]["uid"]],
            problems=care.problems,
            pace=self._pace,
        )
        return pod_moment(pod, world=world, now=now)

    def _look_for_problems(self, pod: Manifest, care: Care, now: datetime) -> None:
        namespace, uid = pod["metadata"]["namespace"], pod["metadata"]["uid"]
        known = uid in self.simulations
        if known and not care.problems:
            return
        found = self._desk.store.get("namespaces", namespace) or {"metadata": {}}
        words, mistakes = read_words(pod, found["metadata"].get("annotations") or {})
        self.simulations[uid] = words

        def data_of(kind: str, name: str) -> Manifest | None:
            held = self._desk.store.get(_PLURALS[kind], name, namespace)
            return None if held is None else {**(held.get("data") or {})}

        missing = problems_of(pod, data_of)
        found_now = Problems(
            by_container=missing.by_container | dict(mistakes), volumes=missing.volumes
        )
        if known and found_now != care.problems:
            care.epoch = now
        care.problems = found_now

    def _stop(self, pod: Manifest, care: Care) -> float | None:
        now = self._desk.clock.now()
        if care.stops_at is None:
            asked = self.simulations.get(pod["metadata"]["uid"], {}).values()
            slow = [s.seconds for s in asked if s.word is Word.SLOW_STOP]
            grace = float(pod["metadata"].get("deletionGracePeriodSeconds") or 0)
            care.stops_at = now + seconds(min(max([self._pace.load_seconds, *slow]), grace))
            for happening in _killings(pod, (now - care.epoch).total_seconds()):
                self._journal.tell_happening(pod, happening, care.epoch)
        if now < care.stops_at:
            return (care.stops_at - now).total_seconds()
        self._desk.store.remove("pods", pod)
        return None


def _killings(pod: Manifest, at: float) -> Iterable[Happening]:
    for status in pod["status"].get("containerStatuses") or ():
        if "running" in status["state"]:
            name = status["name"]
            yield Happening(
                at=at,
                first=at,
                reason="Killing",
                message=f"Stopping container {name}",
                container=name,
            )
