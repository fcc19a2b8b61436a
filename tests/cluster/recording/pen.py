"""A node on which nobody tends pods: what a kubelet would write of them is written here by hand.

For what the stand-in kubelet never does: images of another processor, mounts that fail, a kill for
memory with exit code 0. The API server, its controllers and its scheduler act on it as usual.
"""

from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from providers.contract.manifest import Manifest
from providers.simulation.pod_life.conditions import (
    Readiness,
    live_conditions,
    timestamp,
    write_conditions,
)
from providers.simulation.pod_life.containers import Scribe
from providers.simulation.pod_life.moments import Frame, Happening, State
from tests.cluster.harness.api import Api, ApiError, namespaced
from tests.cluster.kubelet import nodes
from tests.cluster.kubelet.events import EventLedger
from tests.cluster.kubelet.nodes import HOST_IP, NodeSpec

POD_IP = "10.128.200.1"
PODS_READY = {"podIP": POD_IP, "podIPs": [{"ip": POD_IP}]}


def waiting(
    reason: str, message: str = "", *, last: Frame | None = None, restarts: int = 0
) -> Frame:
    """Return a container that waits."""
    return Frame(
        at=0, state=State.WAITING, reason=reason, message=message, last=last, restarts=restarts
    )


def running(
    *, ready: bool = False, since: float = 0, last: Frame | None = None, restarts: int = 0
) -> Frame:
    """Return a container that has run since so many seconds ago."""
    return Frame(
        at=0,
        state=State.RUNNING,
        began=-since,
        ready=ready,
        started=ready,
        last=last,
        restarts=restarts,
    )


def ended(
    code: int, reason: str = "Error", *, message: str = "", ago: float = 1, restarts: int = 0
) -> Frame:
    """Return a container that ended so many seconds ago."""
    return Frame(
        at=-ago,
        began=-ago - 3,
        state=State.TERMINATED,
        reason=reason,
        message=message,
        exit_code=code,
        restarts=restarts,
    )


@dataclass(kw_only=True, slots=True)
class Pen:
    """Writes in the stead of the kubelet of one node."""

    api: Api
    node: NodeSpec
    port: int
    _ledgers: dict[str, EventLedger] = field(default_factory=dict)

    def register(self) -> None:
        """Add the node, alive for as long as leases last."""
        nodes.register(self.api, self.node, port=self.port)

    def remove(self) -> None:
        """Take the node away."""
        nodes.deregister(self.api, self.node)

    def write(
        self,
        pod: Manifest,
        frame: Frame,
        *,
        init: Frame | None = None,
        sandbox: bool = True,
        **status: object,
    ) -> None:
        """Write where the containers of a pod stand; the times of a frame count from now."""
        now = datetime.now(UTC)
        scribe = Scribe(pod_uid=pod["metadata"]["uid"], epoch=now)
        is_well = frame.ready
        readiness = Readiness(
            incomplete=() if init is None or _is_done(init) else _names(pod, "initContainers"),
            unready=() if is_well else _names(pod, "containers"),
            sandbox=sandbox,
        )
        body: Manifest = {
            "phase": "Running" if frame.state is not State.WAITING or frame.last else "Pending",
            "conditions": write_conditions(live_conditions(readiness), pod=pod, now=now),
            "hostIP": HOST_IP,
            "startTime": timestamp(now),
            "containerStatuses": _statuses(pod, "containers", scribe, frame),
            **(PODS_READY if sandbox else {}),
            **status,
        }
        if init is not None:
            body["initContainerStatuses"] = _statuses(pod, "initContainers", scribe, init)
            body["phase"] = "Pending"
        self.api.merge(f"{_path(pod)}/status", {"status": body}, fieldManager="kubelet")

    def end(self, pod: Manifest, *, reason: str, message: str) -> None:
        """Write that a pod has failed as a whole."""
        now = datetime.now(UTC)
        scribe = Scribe(pod_uid=pod["metadata"]["uid"], epoch=now)
        body = {
            "phase": "Failed",
            "reason": reason,
            "message": message,
            "containerStatuses": _statuses(pod, "containers", scribe, ended(137)),
        }
        self.api.merge(f"{_path(pod)}/status", {"status": body}, fieldManager="kubelet")

    def tell(
        self, pod: Manifest, reason: str, message: str, *, kind: str = "Warning", count: int = 1
    ) -> None:
        """Write an event of the kubelet about a pod."""
        uid = pod["metadata"]["uid"]
        ledger = self._ledgers.setdefault(uid, EventLedger(pod, self.node.name))
        happening = Happening(at=0, reason=reason, message=message, type=kind, count=count)
        ledger.write(self.api, happening, datetime.now(UTC) - timedelta(seconds=1))

    def let_go(self, name: str, namespace: str) -> None:
        """End a pod that is being deleted, as a kubelet does once it has stopped."""
        with suppress(ApiError):
            self.api.delete(namespaced(namespace, "pods", name), {"gracePeriodSeconds": 0})


def _path(pod: Manifest) -> str:
    return namespaced(pod["metadata"]["namespace"], "pods", pod["metadata"]["name"])


def _names(pod: Manifest, kind: str) -> tuple[str, ...]:
    return tuple(container["name"] for container in pod["spec"].get(kind, ()))


def _is_done(frame: Frame) -> bool:
    return frame.state is State.TERMINATED and frame.exit_code == 0


def _statuses(pod: Manifest, kind: str, scribe: Scribe, frame: Frame) -> list[Manifest]:
    return [scribe.container_status(container, frame) for container in pod["spec"].get(kind, ())]
