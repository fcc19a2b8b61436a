"""What a change that only scales does: which pods restart, and what is asked of the API server."""

import time
from collections.abc import Callable, Mapping, Sequence
from unittest.mock import patch

from django.contrib.auth.models import User

from bench.figures import Figure
from bench.stage import NAMESPACE, Stage
from deployments.models import Deployment
from deployments.services.change_orders import read_change
from deployments.services.changing import change_deployment
from providers.contract.protocols import Deadline
from providers.kube.answer import Answer
from providers.kube.client import Call, KubeClient
from tests.cluster.harness.api import namespaced

WITHIN_SECONDS = 60


def figures(stage: Stage) -> Sequence[Figure]:
    """Return pods restarted and calls made, of fixed replicas and of an autoscaler's range."""
    fixed = {"min_replicas": 2, "enable_auto_scaling": False}
    ranged = {"min_replicas": 2, "max_replicas": 3, "enable_auto_scaling": True}
    return (
        *_of(stage, "scaled", fixed, {"min_replicas": 3}, "replicas 2 -> 3"),
        *_of(stage, "ranged", ranged, {"max_replicas": 4}, "a range of 2 to 3 -> 2 to 4"),
    )


def _of(
    stage: Stage,
    name: str,
    before: Mapping[str, object],
    after: Mapping[str, object],
    words: str,
) -> Sequence[Figure]:
    deployment = _launch(stage, name, before)
    ran = _pods(stage, deployment)
    calls = _counted(lambda: _change(deployment, after))
    _wait(lambda: _is_ready(stage, deployment))
    gone = len(ran - _pods(stage, deployment))
    stage.call("DELETE", f"deployments/{deployment.pk}")
    writes = [call for call in calls if call.method != "GET" and "dryRun" not in call.query]
    reads = sum(call.method == "GET" for call in calls)
    tried = len(calls) - reads - len(writes)
    written = ", ".join(sorted(call.path.split("/")[-2] for call in writes))
    return (
        Figure(
            name=f"pods that {words} restarts",
            value=gone,
            bound=0,
            unit="pods",
            how=f"uids of {len(ran)} ready pods before and after change_deployment",
        ),
        Figure(
            name=f"calls of the API server that {words} makes",
            value=len(calls),
            bound=20,
            unit="calls",
            how=f"all that leave KubeClient: {reads} reads, {tried} dry runs; written: {written}",
        ),
    )


def _change(deployment: Deployment, overrides: Mapping[str, object]) -> None:
    person = User.objects.get(username="bench-0")
    order = read_change({"overrides": overrides})
    if not change_deployment(order, deployment=deployment, user=person).is_change:
        raise RuntimeError("nothing was changed")


def _counted(action: Callable[[], None]) -> Sequence[Call]:
    """Return every call that an action sends."""
    calls: list[Call] = []
    send = KubeClient.send

    def counted(client: KubeClient, call: Call, *, deadline: Deadline) -> Answer:
        calls.append(call)
        return send(client, call, deadline=deadline)

    with patch.object(KubeClient, "send", counted):
        action()
    return calls


def _launch(stage: Stage, name: str, overrides: Mapping[str, object]) -> Deployment:
    made = stage.call("POST", "deployments", {**stage.order(name), "overrides": overrides})["id"]
    deployment = Deployment.objects.get(pk=made)
    _wait(lambda: _is_ready(stage, deployment))
    return deployment


def _is_ready(stage: Stage, deployment: Deployment) -> bool:
    return bool(stage.call("GET", f"deployments/{deployment.pk}")["status"] == "Ready")


def _pods(stage: Stage, deployment: Deployment) -> set[str]:
    items = stage.plane.api.get(namespaced(NAMESPACE, "pods"), labelSelector=_selector(deployment))
    return {item["metadata"]["uid"] for item in items["items"]}


def _selector(deployment: Deployment) -> str:
    return f"slipway.dev/id={deployment.pk}"


def _wait(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + WITHIN_SECONDS
    while not is_so():
        if time.monotonic() > end:
            raise RuntimeError(f"not Ready within {WITHIN_SECONDS} s")
        time.sleep(0.1)
