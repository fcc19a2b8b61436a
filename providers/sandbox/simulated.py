"""What pods are told to simulate, by their containers or by their namespace."""

from collections.abc import Mapping

from providers.contract.manifest import Manifest
from providers.simulation.simulate import (
    HEALTHY,
    UNSCHEDULABLE_ACCELERATORS,
    Simulation,
    UnknownSimulationError,
    Word,
    simulation_of,
)

ACCELERATOR = "nvidia.com/gpu"


def read_words(
    pod: Manifest, annotations: Mapping[str, str]
) -> tuple[Mapping[str, Simulation], Mapping[str, str]]:
    """Return each container's simulation, and the mistakes in words that nobody knows."""
    simulations, mistakes = {}, {}
    inits = pod["spec"].get("initContainers") or ()
    for container in (*inits, *pod["spec"]["containers"]):
        inherited = {} if container in inits else annotations
        try:
            simulations[container["name"]] = simulation_of(container, inherited)
        except UnknownSimulationError as error:
            simulations[container["name"]] = HEALTHY
            mistakes[container["name"]] = str(error)
    return simulations, mistakes


def make_unschedulable(pod: Manifest, annotations: Mapping[str, str]) -> None:
    """Let a pod that is told to be unschedulable ask for more than any node has, in place."""
    if not (pod.get("spec") or {}).get("containers"):
        return
    simulations, _ = read_words(pod, annotations)
    if any(each.word is Word.UNSCHEDULABLE for each in simulations.values()):
        amount = {ACCELERATOR: str(UNSCHEDULABLE_ACCELERATORS)}
        resources = pod["spec"]["containers"][0].setdefault("resources", {})
        for field in ("limits", "requests"):
            resources[field] = {**(resources.get(field) or {}), **amount}
