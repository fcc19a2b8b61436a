"""Full passes over a cluster, each in a process of its own, and the figures of what they cost."""

import json
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bench.figures import Figure
from bench.stage import ROOT
from providers.kube.lists import PAGE

WITHIN_SECONDS = 300
TRIES = 3
PAUSE_SECONDS = 10
# What else a machine does adds to the CPU of a pass, so the least of several tells what it costs.
REPEATS = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class Passed:
    """What one pass cost: see `bench.one_pass`; `calls` are pages by plural."""

    deployments: int
    cpu: float
    wall: float
    grown: float
    writes: Mapping[str, int]
    changed: int
    calls: Mapping[str, int]

    @property
    def cpu_each(self) -> float:
        """Return the milliseconds of CPU by deployment."""
        return self.cpu * 1000 / self.deployments

    @property
    def rows_written(self) -> int:
        """Return the statements that wrote, those about the cluster's own row aside."""
        return sum(count for table, count in self.writes.items() if table != "deployments_cluster")


def do_pass(cluster: str, deployments: int) -> Passed:
    """Do one pass; a machine too busy for it to end within its deadline gets another try."""
    told: dict[str, Any] = {}
    for _ in range(TRIES):
        told = _told(cluster)
        if not told["troubles"] and told["deployments"] == deployments:
            return Passed(**{name: told[name] for name in Passed.__slots__})
        time.sleep(PAUSE_SECONDS)
    raise RuntimeError(f"no pass of {TRIES} ended well, the last one: {told}")


def do_again(cluster: str, deployments: int) -> Passed:
    """Do several passes; return the cheapest, with the most that any of them wrote and took."""
    passes = [do_pass(cluster, deployments) for _ in range(REPEATS)]
    return replace(
        min(passes, key=lambda one: one.cpu),
        grown=max(one.grown for one in passes),
        writes=max((one.writes for one in passes), key=lambda writes: sum(writes.values())),
    )


def figures_of(first: Passed, again: Passed, *, fewest_calls: int, of: str) -> Sequence[Figure]:
    """Return CPU, memory, writes and calls of a pass that finds nothing new; `of` names what."""
    how = (
        f"the least of {REPEATS} refresh_cluster in processes of their own, {again.wall:.1f} s; "
        f"the first one, which stored {first.changed} verdicts, took {first.cpu:.1f} s of CPU"
    )
    return (
        Figure(
            name=f"CPU of a full pass{of}, by deployment",
            value=again.cpu_each,
            bound=0.5,
            unit="ms",
            how=how,
        ),
        Figure(
            name=f"memory of a full pass{of}",
            value=again.grown,
            bound=300,
            unit="MB",
            how=f"VmHWM after it less VmRSS before, the most of {REPEATS}; "
            f"in the first one {first.grown:.0f} MB",
        ),
        Figure(
            name=f"rows written when nothing changed{of}",
            value=again.rows_written,
            bound=0,
            unit="",
            how="Django's execute_wrapper; the cluster's own row aside",
        ),
        Figure(
            name=f"pages asked for{of}, other than objects / page size",
            value=abs(sum(again.calls.values()) - fewest_calls),
            bound=0,
            unit="",
            how=f"requests that urllib3 logs: {dict(again.calls)}, in pages of {PAGE}",
        ),
    )


def _told(cluster: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "bench.one_pass", cluster]
    done = subprocess.run(  # noqa: S603 - our own module
        command, cwd=ROOT, capture_output=True, text=True, timeout=WITHIN_SECONDS, check=False
    )
    if done.returncode:
        raise RuntimeError(done.stderr)
    told: dict[str, Any] = json.loads(done.stdout)
    return told
