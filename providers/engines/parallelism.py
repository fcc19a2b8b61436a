"""The arithmetic of ranks and accelerators, which the engines mostly do not check themselves.

tp, pp and dp multiply; expert and context parallelism share the ranks of tp.
"""

from collections.abc import Iterator

from providers.engines.findings import refuse
from providers.engines.launch import Finding
from providers.engines.wishes import Wishes

_AT = "spec.parallelism"


def check_world(wishes: Wishes, world: int, *, formula: str) -> Iterator[Finding]:
    """Hold the ranks against the accelerators of all nodes; a cpu, and roles, are not counted."""
    accelerator = wishes.spec.accelerator
    if accelerator.is_cpu or wishes.spec.topology.kind == "disaggregated":
        return
    have = accelerator.per_pod * wishes.nodes
    if have == world:
        return
    count = f"accelerator.count {accelerator.per_pod}"
    asked = count if wishes.nodes == 1 else f"{count} on each of {wishes.nodes} nodes"
    yield refuse(_AT, f"{formula} = {world} accelerators are needed, but {asked} gives {have}")


def check_alone(wishes: Wishes, *, engine: str) -> Iterator[Finding]:
    """Refuse every degree above 1, for an engine that has no ranks."""
    for letter in ("tp", "pp", "dp", "ep", "sp", "cp"):
        degree = getattr(wishes.parallelism, letter)
        if degree > 1:
            yield refuse(f"{_AT}.{letter}", f"{engine} has no such parallelism; set it to 1")


def check_one_pod(wishes: Wishes, *, engine: str) -> Iterator[Finding]:
    """Refuse several nodes and roles, for an engine whose replica is one pod."""
    if wishes.spec.topology.kind != "standard":
        message = f"a replica of {engine} is one pod; set kind to standard"
        yield refuse("spec.topology.kind", message)


def check_divides(
    degree: int, whole: int, *, letter: str, of: str, why: str = ""
) -> Iterator[Finding]:
    """Refuse a degree that does not divide `whole`, which is called `of`."""
    if whole % degree:
        message = f"must divide {of} ({whole}); {degree} was given{why}"
        yield refuse(f"{_AT}.{letter}", message)


def check_nodes_divide(wishes: Wishes, ranks: int, *, of: str) -> Iterator[Finding]:
    """Refuse a number of nodes over which the ranks cannot be spread evenly."""
    if ranks % wishes.nodes:
        message = f"must divide {of} ({ranks}); {wishes.nodes} was given"
        yield refuse("spec.topology.nodes", message)
