"""What a simulated engine prints in one run, by seconds since that run began."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, takewhile

from providers.contract.manifest import Manifest
from providers.simulation.simulate import Simulation, Word

STATISTICS_EVERY_SECONDS = 10.0
IDLE = "INFO Engine 000: Avg prompt throughput: 0.0 tokens/s, Running: 0 reqs, Waiting: 0 reqs"
LAST_WORDS = {
    Word.CRASH: (
        "Traceback (most recent call last):",
        '  File "/app/engine.py", line 1, in <module>',
        (
            "ValueError: No available memory for the cache blocks. "
            "Try increasing `gpu_memory_utilization` when initializing the engine."
        ),
        "RuntimeError: Engine core initialization failed. See root cause above.",
    ),
    Word.OOM: ("INFO Loading weights: 61% completed",),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """One line of a log and when it was printed."""

    at: float
    text: str


def run_log(
    container: Manifest, simulation: Simulation, *, loads_after: float, seconds: float
) -> list[Line]:
    """Return what one run of a container printed in its first `seconds`."""
    return list(
        takewhile(lambda line: line.at <= seconds, _printed(container, simulation, loads_after))
    )


def _printed(container: Manifest, simulation: Simulation, loads_after: float) -> Iterator[Line]:
    yield Line(at=0.0, text=f"INFO Starting {container['name']} from {container.get('image')}")
    yield Line(at=0.0, text=f"INFO Arguments: {' '.join(container.get('args') or []) or '(none)'}")
    yield Line(at=0.0, text="INFO Loading weights: 0% completed")
    if simulation.word in LAST_WORDS:
        yield from (Line(at=0.0, text=text) for text in LAST_WORDS[simulation.word])
        return
    yield Line(at=loads_after, text="INFO Loading weights: 100% completed")
    yield Line(at=loads_after, text="INFO Application startup complete.")
    for turn in count(1):
        yield Line(at=loads_after + turn * STATISTICS_EVERY_SECONDS, text=IDLE)
