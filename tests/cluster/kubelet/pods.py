"""The care of one pod: what it refers to, how it stands now, and what of that has to be written."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from providers.contract.manifest import Manifest
from providers.simulation.pod_life.moments import Happening
from providers.simulation.pod_life.pace import Pace
from providers.simulation.pod_life.pod_status import PodMoment, World, pod_moment
from providers.simulation.pod_life.references import Problems, problems_of, references_of
from providers.simulation.simulate import Simulation, Word, read_words
from tests.cluster.harness.api import Api, namespaced
from tests.cluster.kubelet.events import EventLedger
from tests.cluster.kubelet.nodes import HOST_IP
from tests.cluster.kubelet.processes.runtime import PodProcesses

LOOK_FOR_REFERENCES_SECONDS = 1.0
ENDED = {"Failed", "Succeeded"}
RESOURCES = {"Secret": "secrets", "ConfigMap": "configmaps"}
NO_PROBLEMS = Problems(by_container={}, volumes=())


@dataclass(kw_only=True, slots=True)
class Care:
    """What the kubelet remembers of one pod."""

    pod: Manifest
    pod_ip: str
    ledger: EventLedger
    simulations: Mapping[str, Simulation]
    mistakes: Mapping[str, str]
    started_at: datetime
    epoch: datetime
    problems: Problems = NO_PROBLEMS
    written: Manifest = field(default_factory=dict)
    stops_at: datetime | None = None
    processes: PodProcesses | None = None

    @property
    def key(self) -> str:
        """namespace/name, as in the queue."""
        return key_of_pod(self.pod)


def key_of_pod(pod: Manifest) -> str:
    """Return namespace/name."""
    return f"{pod['metadata']['namespace']}/{pod['metadata']['name']}"


def admit(api: Api, pod: Manifest, *, pod_ip: str) -> Care:
    """Begin to care for a pod, or take it over with the start and the address it had."""
    metadata, status = pod["metadata"], pod.get("status") or {}
    simulations, mistakes = read_words(pod, _annotations(api, metadata["namespace"]))
    began = status.get("startTime")
    now = datetime.fromisoformat(began) if began else datetime.now(UTC)
    return Care(
        pod=pod,
        pod_ip=status.get("podIP") or pod_ip,
        ledger=EventLedger(pod, pod["spec"]["nodeName"]),
        simulations=simulations,
        mistakes=mistakes,
        started_at=now,
        epoch=now,
    )


def tend(api: Api, care: Care, *, pace: Pace) -> float | None:
    """Write what has changed; return when to look again in seconds, None when all is still."""
    now = datetime.now(UTC)
    _find_problems(api, care, now)
    moment = _moment(care, pace, now)
    if moment.status != care.written:
        _write(api, care, moment.status)
    tell(api, care, moment.happenings)
    waits = [LOOK_FOR_REFERENCES_SECONDS] if care.problems else []
    if moment.next_at is not None:
        waits.append(max(0.0, moment.next_at - (datetime.now(UTC) - care.epoch).total_seconds()))
    return min(waits, default=None)


def tell(api: Api, care: Care, happenings: tuple[Happening, ...]) -> None:
    """Write the events that are new or have happened again."""
    for happening in happenings:
        care.ledger.write(api, happening, care.epoch)


def stop_seconds(care: Care, least: float) -> float:
    """Return how long the pod takes to stop once asked; its grace period ends it in any case."""
    asked = [entry.seconds for entry in care.simulations.values() if entry.word is Word.SLOW_STOP]
    grace = care.pod["metadata"].get("deletionGracePeriodSeconds") or 0
    return min(max([least, *asked]), float(grace))


def _moment(care: Care, pace: Pace, now: datetime) -> PodMoment:
    world = World(
        host_ip=HOST_IP,
        pod_ip=care.pod_ip,
        started_at=care.started_at,
        epoch=care.epoch,
        simulations=care.simulations,
        problems=care.problems,
        pace=pace,
        told=care.processes.moments() if care.processes else {},
    )
    # What we wrote last is newer than what the watch has shown us.
    status = (care.pod.get("status") or {}) | care.written
    return pod_moment(care.pod | {"status": status}, world=world, now=now)


def _write(api: Api, care: Care, status: Manifest) -> None:
    """Write a status; whoever sees it finds the log as it says, so that is told first."""
    before, care.written = care.written, status
    try:
        _write_status(api, care.pod, status)
    except Exception:
        care.written = before
        raise


def _write_status(api: Api, pod: Manifest, status: Manifest) -> None:
    metadata = pod["metadata"]
    path = namespaced(metadata["namespace"], "pods", metadata["name"]) + "/status"
    # The uid keeps the status of a pod from its successor of the same name.
    body = {
        "metadata": {"uid": metadata["uid"]},
        "status": {"reason": None, "message": None} | status,
    }
    api.merge(path, body, fieldManager="kubelet")


def _find_problems(api: Api, care: Care, now: datetime) -> None:
    if not references_of(care.pod) and not care.mistakes:
        return
    if care.written and not care.problems:
        return
    references = _References(api, care.pod["metadata"]["namespace"])
    found = problems_of(care.pod, references.data_of)
    found = Problems(by_container=found.by_container | dict(care.mistakes), volumes=found.volumes)
    if care.written and found != care.problems:
        care.epoch = now
        care.ledger.begin_epoch()
    care.problems = found


class _References:
    """Reads the data of secrets and config maps of one namespace, each once."""

    def __init__(self, api: Api, namespace: str) -> None:
        self._api, self._namespace = api, namespace
        self._known: dict[tuple[str, str], Manifest | None] = {}

    def data_of(self, kind: str, name: str) -> Manifest | None:
        if (kind, name) not in self._known:
            found = self._api.find(namespaced(self._namespace, RESOURCES[kind], name))
            self._known[kind, name] = None if found is None else _data(found)
        return self._known[kind, name]


def _data(found: Manifest) -> Manifest:
    return (found.get("data") or {}) | (found.get("binaryData") or {})


def _annotations(api: Api, namespace: str) -> Mapping[str, str]:
    found = api.find(f"/api/v1/namespaces/{namespace}") or {}
    annotations: Mapping[str, str] = (found.get("metadata") or {}).get("annotations") or {}
    return annotations
