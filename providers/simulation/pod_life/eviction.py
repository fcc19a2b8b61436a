"""How a kubelet evicts a pod whose node runs out of ephemeral storage."""

from collections.abc import Mapping
from dataclasses import replace

from providers.contract.manifest import Manifest
from providers.simulation.pod_life.moments import Frame, State
from providers.simulation.pod_life.pace import Pace
from providers.simulation.simulate import Simulation, Word


def eviction_time(
    apps_began: float | None, simulations: Mapping[str, Simulation], pace: Pace
) -> float | None:
    """Return the seconds at which the pod is evicted, None where no container asks for it."""
    if apps_began is None:
        return None
    loaded = apps_began + pace.pull_seconds + pace.load_seconds
    asked = [loaded + entry.seconds for entry in simulations.values() if entry.word is Word.EVICT]
    return min(asked, default=None)


def evicted_frame(frame: Frame, *, at: float) -> Frame:
    """Return a container as the eviction leaves it."""
    return replace(
        frame,
        at=at,
        state=State.TERMINATED,
        reason="Error",
        exit_code=137,
        ready=False,
        started=False,
    )


def eviction_message(pod: Manifest) -> str:
    """Return the kubelet's words (pkg/kubelet/eviction/helpers.go), with its blank at the end."""
    container = pod["spec"]["containers"][0]
    requests = (container.get("resources") or {}).get("requests") or {}
    return (
        "The node was low on resource: ephemeral-storage. "
        "Threshold quantity: 10485760Ki, available: 8123456Ki. "
        f"Container {container['name']} was using 51234567Ki, "
        f"request is {requests.get('ephemeral-storage', '0')}, "
        "has larger consumption of ephemeral-storage. "
    )
