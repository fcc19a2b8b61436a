"""What a full pass over 10,000 deployments of one cluster costs, and that it writes only news.

Runs late: it ends the controllers, so that nobody acts on the copies but the API server.
"""

import math
import time
from collections.abc import Mapping, Sequence
from functools import partial

from bench.copies import KINDS, Sample, count_of, is_up_to_date, sample_of, write_copies
from bench.figures import Figure, timed
from bench.people import make_template
from bench.records import write_records
from bench.stage import Stage
from bench.whole_pass import WITHIN_SECONDS, Passed, do_again, do_pass, figures_of
from deployments.models import Cluster, Deployment
from providers.kube.lists import PAGE
from providers.testing.samples import spec_with
from tests.cluster.harness.control_plane import ControlPlane

DEPLOYMENTS = 10_000
REPLICAS = 2
CLUSTER = "ten-thousand"
_LISTED = {kind.plural: kind.path for kind in KINDS} | {
    plural: f"/api/v1/{plural}" for plural in ("nodes", "namespaces", "resourcequotas")
}
# Pods are asked for twice: all that are not finished, and of ours those that failed.
FAILED_PODS = 1


def passes(stage: Stage) -> tuple[Passed, Passed]:
    """Make everything, and return the first pass over it and the others, which find no news."""
    sample = _launch(stage)
    end_controllers(stage.plane)
    seconds, _ = timed(partial(_fill, stage, sample))
    print(f"{DEPLOYMENTS} deployments in {seconds:.0f} s: {_numbers(stage)}")
    return do_pass(CLUSTER, DEPLOYMENTS), do_again(CLUSTER, DEPLOYMENTS)


def figures(stage: Stage, first: Passed, again: Passed) -> Sequence[Figure]:
    """Return CPU, memory, calls and writes of a pass that finds nothing new."""
    return figures_of(first, again, fewest_calls=_fewest_calls(stage), of="")


def order_of(stage: Stage, name: str) -> Mapping[str, object]:
    """Return the order of a sample: an engine with all that people usually ask for."""
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
    return {**stage.order(name), "template": make_template(name, spec), "overrides": overrides}


def launch_until_ready(stage: Stage, order: Mapping[str, object]) -> str:
    """Launch a sample over the API, wait until it is ready, and return its id."""
    made: str = stage.call("POST", "deployments", order)["id"]
    end = time.monotonic() + WITHIN_SECONDS
    while (seen := stage.call("GET", f"deployments/{made}"))["status"] != "Ready":
        if time.monotonic() > end:
            raise RuntimeError(f"the sample does not become ready: {seen['status_detail']}")
        time.sleep(0.5)
    return made


def end_controllers(plane: ControlPlane) -> None:
    """Leave the API server alone."""
    for part in (plane.kubelet, plane.scheduler, plane.controllers):
        part.stop()


def wait_until_taken_up(plane: ControlPlane, paths: Sequence[str]) -> None:
    """Wait until the API server has all that was written into etcd."""
    end = time.monotonic() + WITHIN_SECONDS
    while not all(is_up_to_date(plane, path) for path in paths):
        if time.monotonic() > end:
            raise RuntimeError("the API server does not take up the copies")
        time.sleep(0.5)


def _launch(stage: Stage) -> Sample:
    return sample_of(stage.plane, launch_until_ready(stage, order_of(stage, "passing")))


def _fill(stage: Stage, sample: Sample) -> None:
    """Write the copies, records and objects."""
    original = Deployment.objects.select_related("cluster").get(pk=sample.id)
    write_records(sample, _cluster_like(original.cluster), DEPLOYMENTS)
    write_copies(stage.plane, sample, DEPLOYMENTS)
    wait_until_taken_up(stage.plane, list(_LISTED.values()))


def _cluster_like(original: Cluster) -> Cluster:
    """Return another row of the same cluster: the records of other figures have no objects."""
    return Cluster.objects.create(
        name=CLUSTER,
        kubeconfig=original.kubeconfig,
        context=original.context,
        default_namespace=original.default_namespace,
    )


def _fewest_calls(stage: Stage) -> int:
    numbers = _numbers(stage).values()
    return sum(pages_of(number) for number in numbers) + FAILED_PODS


def pages_of(number: int) -> int:
    """Return how many pages so many objects take; that there are none takes one."""
    return max(1, math.ceil(number / PAGE))


def _numbers(stage: Stage) -> Mapping[str, int]:
    """Return how many objects there are, by plural."""
    return {plural: count_of(stage.plane, path) for plural, path in _LISTED.items()}
