"""What a watcher costs over 10,000 deployments of which 50 change every second, and how late it is.

Runs right after `bench.passing`, on its copies, whose controllers have been ended: nobody but this
changes anything.
"""

import copy
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from bench.copies import KINDS, Sample, copied, copy_id, sample_of
from bench.figures import Figure, p95_of
from bench.passing import CLUSTER, DEPLOYMENTS
from bench.stage import ROOT, Stage
from bench.whole_pass import WITHIN_SECONDS
from deployments.models import Deployment, StatusChange
from deployments.services.clusters import synchronise_default_cluster

A_SECOND = 50
SECONDS = 30
REST_SECONDS = 10
SETTLE_SECONDS = 30
_WRITERS = 8
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, kw_only=True, slots=True)
class Changed:
    """One deployment of which a pod was changed; `at` is when the API server had answered."""

    key: UUID
    at: datetime


def figures(stage: Stage) -> Sequence[Figure]:
    """Return the share of a core, at rest and under changes, and the lag of what was changed."""
    original = Deployment.objects.exclude(cluster__name=CLUSTER).get(name="passing")
    sample = sample_of(stage.plane, str(original.pk))
    with _alone() as environment, _watcher(stage.folder, environment) as watcher:
        _wait_for([_change(stage, sample, DEPLOYMENTS - 1)])
        rest = _share_of(watcher, REST_SECONDS)
        before, began = _cpu_of(watcher), time.monotonic()
        changes = _change_many(stage, sample)
        share = (_cpu_of(watcher) - before) / (time.monotonic() - began)
        rate = len(changes) / (time.monotonic() - began)
        lags = _wait_for(changes)
        memory = _megabytes(watcher)
    how = (
        f"{len(changes)} pods of as many deployments changed, {rate:.0f} a second; "
        f"{memory:.0f} MB resident, {rest:.2f} of a core at rest"
    )
    return (
        Figure(name="CPU of a watcher", value=share, bound=0.5, unit="cores", how=how),
        Figure(
            name="from a pod's change to the row, p95",
            value=p95_of(lags),
            bound=2,
            unit="s",
            how=f"from the API server's answer to the row's own time, longest {max(lags):.2f} s",
        ),
    )


@contextmanager
def _alone() -> Iterator[Mapping[str, str]]:
    """Yield an environment that names no cluster: it is the copies' own, and followed once."""
    unnamed = {name: text for name, text in os.environ.items() if not name.startswith("K8S_")}
    try:
        yield unnamed
    finally:
        synchronise_default_cluster()


@contextmanager
def _watcher(folder: Path, environment: Mapping[str, str]) -> Iterator[int]:
    """Run the watcher's command; its process id."""
    command = [sys.executable, "manage.py", "watch_clusters"]
    with (folder / "watcher.log").open("w") as log:
        process = subprocess.Popen(  # noqa: S603 - our own command
            command, cwd=ROOT, env=environment, stdout=log, stderr=log
        )
        try:
            yield process.pid
        finally:
            process.terminate()
            process.wait(timeout=20)


def _change_many(stage: Stage, sample: Sample) -> Sequence[Changed]:
    """Change pods of different deployments at an even pace, and return when each was changed."""
    began = time.monotonic()

    def change(number: int) -> Changed:
        time.sleep(max(0.0, began + number / A_SECOND - time.monotonic()))
        return _change(stage, sample, number)

    with ThreadPoolExecutor(_WRITERS) as pool:
        return list(pool.map(change, range(A_SECOND * SECONDS)))


def _change(stage: Stage, sample: Sample, number: int) -> Changed:
    """Let one pod of a copy be ready no longer, as its kubelet would tell."""
    pods = next(items for kind, items in sample.objects.items() if kind is _PODS)
    metadata = pods[0]["metadata"]
    name = copied(metadata["name"], sample, number)
    path = f"/api/v1/namespaces/{metadata['namespace']}/pods/{name}/status"
    stage.plane.api.merge(path, {"status": _unready(pods[0]["status"])})
    return Changed(key=copy_id(sample, number), at=timezone.now())


def _unready(status: Mapping[str, Any]) -> Mapping[str, Any]:
    conditions, containers = (
        copy.deepcopy(status[name]) for name in ("conditions", "containerStatuses")
    )
    for condition in conditions:
        if condition["type"] in {"Ready", "ContainersReady"}:
            condition["status"] = "False"
    for container in containers:
        container["ready"] = False
    return {"conditions": conditions, "containerStatuses": containers}


def _wait_for(changes: Sequence[Changed]) -> Sequence[float]:
    """Return by how many seconds each row came later than its change; raises when one does not."""
    rows = Deployment.objects.filter(pk__in=[change.key for change in changes], ready_replicas=1)
    end = time.monotonic() + WITHIN_SECONDS
    while rows.count() < len(changes):
        if time.monotonic() > end:
            raise RuntimeError(f"{rows.count()} of {len(changes)} changes are known")
        time.sleep(0.1)
    told = dict(_lines(rows))
    return [(told[change.key] - change.at).total_seconds() for change in changes]


def _lines(rows: QuerySet[Deployment]) -> Iterator[tuple[UUID, datetime]]:
    """Yield when each row came to say what it says: the beginning of its last line of history."""
    lines = StatusChange.objects.filter(deployment__in=rows, until=None)
    yield from lines.values_list("deployment_id", "at")


def _share_of(pid: int, seconds: float) -> float:
    """Return the share of a core that a process uses when nothing happens."""
    time.sleep(SETTLE_SECONDS)
    before = _cpu_of(pid)
    time.sleep(seconds)
    return (_cpu_of(pid) - before) / seconds


def _cpu_of(pid: int) -> float:
    """Return the seconds of CPU that a process has used, those of the kernel for it as well."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def _megabytes(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


_PODS = next(kind for kind in KINDS if kind.name == "Pod")
