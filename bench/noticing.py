"""How long a pod's failure takes to its right reason in the list of deployments, which is stored.

Once with a watcher alone, once with a worker and its clock alone, at the usual intervals.
"""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from bench.figures import Figure
from bench.stage import ROOT, Stage
from deployments.models import Cluster
from deployments.services.clusters import synchronise_default_cluster
from providers.contract.manifest import Manifest
from providers.simulation.simulate import NAMESPACE_ANNOTATION, Word
from tests.cluster.harness.api import namespaced

NAMESPACE = "noticing"
REASON = "ImageNotFound"
ON_THE_WAY = frozenset({"ErrImagePull", "ImagePullBackOff"})
MOVING_SECONDS, FULL_SECONDS, SLACK_SECONDS = 10, 60, 2
WITHIN_SECONDS = 150
LOOK_SECONDS = 0.05
WATCHER = [sys.executable, "manage.py", "watch_clusters"]
WORKER = [
    *(str(Path(sys.executable).parent / "celery"), "--app", "console.celery", "--quiet"),
    *("worker", "--beat", "--pool", "threads", "--concurrency", "2", "--loglevel", "warning"),
    *("--without-gossip", "--without-mingle", "--without-heartbeat"),
]


def figures(stage: Stage) -> Sequence[Figure]:
    """Return the longest times: watched, polled on its way, polled after it was Ready."""
    place = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}}
    stage.plane.api.create("/api/v1/namespaces", place)
    synchronise_default_cluster()
    Cluster.objects.filter(name="default").update(namespaces=[NAMESPACE])
    with _running(WATCHER, stage.folder):
        watched = [_after_ready(stage, f"watched-{number}") for number in range(4)]
    with _running(WORKER, stage.folder):
        moving = [_while_moving(stage, f"moving-{number}") for number in range(4)]
        ready = [_after_ready(stage, f"ready-{number}") for number in range(2)]
    return (
        _figure("watched", watched, SLACK_SECONDS),
        _figure("polled, on its way", moving, MOVING_SECONDS + SLACK_SECONDS),
        _figure("polled, after it was Ready", ready, FULL_SECONDS + SLACK_SECONDS),
    )


def _figure(name: str, lags: Sequence[float], bound: float) -> Figure:
    how = (
        f"longest of {len(lags)}: from the API server telling that the image cannot be pulled to "
        f"GET /deployments telling {REASON}; shortest {min(lags):.2f} s"
    )
    return Figure(
        name=f"from a failure to its reason, {name}",
        value=max(lags),
        bound=bound,
        unit="s",
        how=how,
    )


def _while_moving(stage: Stage, name: str) -> float:
    """Launch what cannot start, and return how late that was told."""
    _simulate(stage, Word.IMAGE_NOT_FOUND)
    key = _launch(stage, name)
    return _lag(stage, key, name)


def _after_ready(stage: Stage, name: str) -> float:
    """Break what runs, and return how late that was told."""
    _simulate(stage, Word.NONE)
    key = _launch(stage, name)
    _wait(lambda: _told(stage, name)["status"] == "Ready")
    _simulate(stage, Word.IMAGE_NOT_FOUND)
    for pod in _pods(stage):
        stage.plane.api.delete(namespaced(NAMESPACE, "pods", pod["metadata"]["name"]))
    return _lag(stage, key, name)


def _lag(stage: Stage, key: str, name: str) -> float:
    _wait(lambda: any(_cannot_be_pulled(pod) for pod in _pods(stage)))
    failed = time.monotonic()
    _wait(lambda: _told(stage, name)["reason"] == REASON)
    lag = time.monotonic() - failed
    stage.call("DELETE", f"deployments/{key}")
    _wait(lambda: not _pods(stage))
    return lag


def _simulate(stage: Stage, word: Word) -> None:
    annotated = {"metadata": {"annotations": {NAMESPACE_ANNOTATION: word.value}}}
    stage.plane.api.merge(f"/api/v1/namespaces/{NAMESPACE}", annotated)


def _launch(stage: Stage, name: str) -> str:
    order = {**stage.order(name), "target": {"namespace": NAMESPACE}}
    return str(stage.call("POST", "deployments", order)["id"])


def _told(stage: Stage, name: str) -> Manifest:
    """Return what the list says of a deployment: it asks no cluster."""
    rows: Sequence[Manifest] = stage.call("GET", f"deployments?search={name}")["deployments"]
    return rows[0]


def _pods(stage: Stage) -> Sequence[Manifest]:
    items: Sequence[Manifest] = stage.plane.api.get(namespaced(NAMESPACE, "pods"))["items"]
    return items


def _cannot_be_pulled(pod: Manifest) -> bool:
    containers = pod["status"].get("containerStatuses") or ()
    waiting = (container["state"].get("waiting") or {} for container in containers)
    return any(each.get("reason") in ON_THE_WAY for each in waiting)


def _wait(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + WITHIN_SECONDS
    while not is_so():
        if time.monotonic() > end:
            raise RuntimeError(f"not so within {WITHIN_SECONDS} s")
        time.sleep(LOOK_SECONDS)


@contextmanager
def _running(command: Sequence[str], folder: Path) -> Iterator[None]:
    with (folder / "noticing.log").open("a") as log:
        process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log)  # noqa: S603 - ours
        try:
            yield
        finally:
            process.terminate()
            process.wait(timeout=30)
