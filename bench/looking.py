"""What a look into a big deployment takes beside the slowest of its calls: one round, or more."""

import statistics
import time
from collections.abc import Callable, Sequence
from unittest.mock import patch

from bench.figures import Figure, timed
from bench.stage import NAMESPACE, Stage
from deployments.models import Deployment
from deployments.services.looking import look_at_events, look_at_resources
from providers.contract.manifest import Manifest
from providers.contract.protocols import Deadline
from providers.kube.answer import Answer
from providers.kube.client import Call, KubeClient
from tests.cluster.harness.api import namespaced

PODS, EVENTS, ROUNDS = 50, 500, 15
WITHIN_SECONDS = 180


def figures(stage: Stage) -> Sequence[Figure]:
    """Return both looks as a ratio to the slowest call that each of them made."""
    deployment = _launch(stage)
    _tell(stage, deployment)
    looks = {"resources": look_at_resources, "events": look_at_events}
    measured = [_figure(name, look, deployment) for name, look in looks.items()]
    stage.call("DELETE", f"deployments/{deployment.pk}")
    return measured


def _figure(name: str, look: Callable[[Deployment], object], deployment: Deployment) -> Figure:
    look(deployment)
    rounds = [_round(look, deployment) for _ in range(ROUNDS)]
    total = statistics.median(seconds for seconds, _ in rounds) * 1000
    slowest = statistics.median(max(calls) for _, calls in rounds) * 1000
    return Figure(
        name=f"a look at the {name} of {PODS} pods with {EVENTS} events / its slowest call",
        value=statistics.median(seconds / max(calls) for seconds, calls in rounds),
        bound=2,
        unit="x",
        how=f"median of {ROUNDS}: {total:.0f} ms, of {len(rounds[0][1])} calls the slowest "
        f"{slowest:.0f} ms",
    )


def _round(
    look: Callable[[Deployment], object], deployment: Deployment
) -> tuple[float, Sequence[float]]:
    """Return the seconds of a look, and those of every call that it made."""
    calls: list[float] = []
    send = KubeClient.send

    def timed_send(client: KubeClient, call: Call, *, deadline: Deadline) -> Answer:
        seconds, answer = timed(lambda: send(client, call, deadline=deadline))
        calls.append(seconds)
        return answer

    with patch.object(KubeClient, "send", timed_send):
        total, _ = timed(lambda: look(deployment))
    return total, calls


def _launch(stage: Stage) -> Deployment:
    order = {**stage.order("looked-into"), "overrides": {"min_replicas": PODS}}
    made = stage.call("POST", "deployments", order)["id"]
    end = time.monotonic() + WITHIN_SECONDS
    while stage.call("GET", f"deployments/{made}")["status_detail"]["ready_replicas"] < PODS:
        if time.monotonic() > end:
            raise RuntimeError(f"{PODS} pods were not ready within {WITHIN_SECONDS} s")
        time.sleep(1)
    return Deployment.objects.select_related("cluster").get(pk=made)


def _tell(stage: Stage, deployment: Deployment) -> None:
    """Write as many more events about its pods as there are to be."""
    pods = [
        item.key.name for item in look_at_resources(deployment).objects if item.key.kind == "Pod"
    ]
    told = sum(line.count for line in look_at_events(deployment).lines)
    for number in range(EVENTS - told):
        stage.plane.api.create(namespaced(NAMESPACE, "events"), _event(pods[number % PODS], number))


def _event(pod: str, number: int) -> Manifest:
    return {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {"name": f"{pod}.{number}", "namespace": NAMESPACE},
        "involvedObject": {"kind": "Pod", "name": pod, "namespace": NAMESPACE},
        "type": "Normal",
        "reason": f"Told{number}",
        "message": "Written to be read.",
    }
