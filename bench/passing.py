"""What a full pass over 10,000 deployments of one cluster costs, and that it writes only news.

Runs last: it ends the controllers, so that nobody acts on the copies but the API server.
"""

import json
import math
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.db import connection
from django.utils import timezone

from bench.copies import (
    KINDS,
    Sample,
    copied,
    copy_id,
    count_of,
    is_up_to_date,
    sample_of,
    write_copies,
)
from bench.figures import Figure, timed
from bench.people import make_template
from bench.stage import ROOT, Stage
from deployments.models import Cluster, Deployment
from providers.kube.lists import PAGE
from providers.testing.samples import spec_with

DEPLOYMENTS = 10_000
REPLICAS = 2
WITHIN_SECONDS = 300
TRIES = 3
CLUSTER = "ten-thousand"
_LISTED = {kind.plural: kind.path for kind in KINDS} | {
    plural: f"/api/v1/{plural}" for plural in ("nodes", "namespaces", "resourcequotas")
}
# Pods are asked for twice: all that are not finished, and of ours those that failed.
_FAILED_PODS = 1


@dataclass(frozen=True, kw_only=True, slots=True)
class Passed:
    """What one pass cost: see `bench.one_pass`; `calls` are pages by plural."""

    cpu: float
    wall: float
    grown: float
    writes: Mapping[str, int]
    changed: int
    calls: Mapping[str, int]

    @property
    def rows_written(self) -> int:
        """Return the statements that wrote, those about the cluster's own row aside."""
        return sum(count for table, count in self.writes.items() if table != "deployments_cluster")


def figures(stage: Stage) -> Sequence[Figure]:
    """Return CPU, memory, calls and writes of a pass that finds nothing new."""
    sample = _launch(stage)
    for part in (stage.plane.kubelet, stage.plane.scheduler, stage.plane.controllers):
        part.stop()
    seconds, _ = timed(partial(_fill, stage, sample))
    print(f"{DEPLOYMENTS} deployments in {seconds:.0f} s: {_numbers(stage)}")
    first, again = _pass(), _pass()
    how = (
        f"refresh_cluster in a process of its own, {again.wall:.1f} s; "
        f"the first one, which stored {first.changed} verdicts, took {first.cpu:.1f} s of CPU"
    )
    return (
        Figure(
            name="CPU of a full pass, by deployment",
            value=again.cpu * 1000 / DEPLOYMENTS,
            bound=0.5,
            unit="ms",
            how=how,
        ),
        Figure(
            name="memory of a full pass",
            value=again.grown,
            bound=300,
            unit="MB",
            how=f"VmHWM after it less VmRSS before; in the first one {first.grown:.0f} MB",
        ),
        Figure(
            name="rows written when nothing changed",
            value=again.rows_written,
            bound=0,
            unit="",
            how="Django's execute_wrapper; the cluster's own row aside",
        ),
        Figure(
            name="pages asked for, other than objects / page size",
            value=abs(sum(again.calls.values()) - _fewest_calls(stage)),
            bound=0,
            unit="",
            how=f"requests that urllib3 logs: {dict(again.calls)}, in pages of {PAGE}",
        ),
    )


def _launch(stage: Stage) -> Sample:
    """Launch the sample, and wait until it is ready."""
    spec = spec_with(
        engine={
            "type": "vllm",
            "version": "0.11.0",
            "image": "docker.io/vllm/vllm-openai:v0.11.0",
            "ready_timeout_seconds": 900,
        },
        accelerator={"type": "H100", "count": 1},
        resources={"cpu": "4", "memory": "32Gi", "shm_size": "8Gi"},
        engine_args={"max_model_len": "8192"},
    )
    overrides = {"min_replicas": REPLICAS, "max_replicas": 3, "enable_auto_scaling": True}
    order = {
        **stage.order("passing"),
        "template": make_template("passing", spec),
        "overrides": overrides,
    }
    made = stage.call("POST", "deployments", order)["id"]
    end = time.monotonic() + WITHIN_SECONDS
    while (seen := stage.call("GET", f"deployments/{made}"))["status"] != "Ready":
        if time.monotonic() > end:
            raise RuntimeError(f"the sample does not become ready: {seen['status_detail']}")
        time.sleep(0.5)
    return sample_of(stage.plane, made)


def _fill(stage: Stage, sample: Sample) -> None:
    """Write the copies, objects and records, and wait until the API server has them all."""
    _write_records(sample)
    write_copies(stage.plane, sample, DEPLOYMENTS)
    end = time.monotonic() + WITHIN_SECONDS
    while not all(is_up_to_date(stage.plane, path) for path in _LISTED.values()):
        if time.monotonic() > end:
            raise RuntimeError("the API server does not take up the copies")
        time.sleep(0.5)


def _write_records(sample: Sample) -> None:
    original = Deployment.objects.select_related("cluster").get(pk=sample.id)
    cluster = _cluster_like(original.cluster)
    rows = [_record(original, cluster, sample, number) for number in range(DEPLOYMENTS)]
    Deployment.objects.bulk_create(rows, batch_size=500)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")  # as the server's autovacuum does within a minute


def _cluster_like(original: Cluster) -> Cluster:
    """Return another row of the same cluster: the records of other figures have no objects."""
    return Cluster.objects.create(
        name=CLUSTER,
        kubeconfig=original.kubeconfig,
        context=original.context,
        default_namespace=original.default_namespace,
    )


def _record(original: Deployment, cluster: Cluster, sample: Sample, number: int) -> Deployment:
    """Return a copy's record as it is right after its launch: nothing was seen of it yet."""
    row = Deployment.objects.model(
        **{
            column.attname: getattr(original, column.attname)
            for column in Deployment._meta.concrete_fields  # noqa: SLF001 - Django's documented API
        }
    )
    row.pk, row.cluster = copy_id(sample, number), cluster
    row.name = row.name_key = f"passing-{number}"
    row.runtime_name = copied(original.runtime_name, sample, number)
    row.workload_uid = copied(original.workload_uid, sample, number)
    row.endpoint = json.loads(copied(json.dumps(original.endpoint), sample, number))
    row.phase, row.reason, row.observed_at = "Deploying", "ApplyPending", None
    row.created_at = timezone.now()
    return row


def _pass() -> Passed:
    """Do one pass; a machine too busy for it to end within its deadline gets another try."""
    told: dict[str, Any] = {}
    for _ in range(TRIES):
        told = _told()
        if not told["troubles"] and told["deployments"] == DEPLOYMENTS:
            return Passed(**{name: told[name] for name in Passed.__slots__})
    raise RuntimeError(f"no pass of {TRIES} ended well, the last one: {told}")


def _told() -> dict[str, Any]:
    command = [sys.executable, "-m", "bench.one_pass", CLUSTER]
    done = subprocess.run(  # noqa: S603 - our own module
        command, cwd=ROOT, capture_output=True, text=True, timeout=WITHIN_SECONDS, check=False
    )
    if done.returncode:
        raise RuntimeError(done.stderr)
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def _fewest_calls(stage: Stage) -> int:
    numbers = _numbers(stage).values()
    return sum(max(1, math.ceil(number / PAGE)) for number in numbers) + _FAILED_PODS


def _numbers(stage: Stage) -> Mapping[str, int]:
    """Return how many objects there are, by plural."""
    return {plural: count_of(stage.plane, path) for plural, path in _LISTED.items()}
