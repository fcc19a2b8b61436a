"""What is there of the one deployment that a test changes, held against what was asked for."""

from typing import Any

import pytest

from deployments.models import Deployment
from deployments.selectors import current_revision
from deployments.services.reading import read_deployment
from providers.contract.manifest import Manifest
from providers.kube.answer import Answer
from providers.kube.client import Call, KubeClient
from tests.cluster.census import Census, Place
from tests.cluster.harness.api import Api, namespaced
from tests.cluster.waiting import wait_for

DIGEST = "slipway.dev/digest"
PATIENCE_SECONDS = 90.0
PLACES = {
    "Deployment": ("deployments", "apis/apps/v1"),
    "Service": ("services", "api/v1"),
    "HorizontalPodAutoscaler": ("horizontalpodautoscalers", "apis/autoscaling/v2"),
}


class Killed(BaseException):
    """As a process ends: no handler of ours sees it."""


def settled(phase: str) -> Deployment:
    """Wait until the one deployment is in a phase, and return its record."""

    def seen() -> Deployment | None:
        reading = read_deployment(Deployment.objects.get())
        return reading.deployment if reading.status.phase == phase else None

    return wait_for(seen, PATIENCE_SECONDS, phase)


def live(api: Api, deployment: Deployment) -> dict[str, Manifest]:
    """Return what is there of a deployment, by kind."""
    found = {
        kind: api.find(namespaced(deployment.namespace, plural, deployment.runtime_name, api=place))
        for kind, (plural, place) in PLACES.items()
    }
    return {kind: item for kind, item in found.items() if item is not None}


def assert_whole(api: Api) -> None:
    """What is there was written from the wanted revision, object by object, and from no other."""
    deployment = Deployment.objects.get()
    assert deployment.applied_revision == deployment.revision
    wanted = {one["kind"]: one for one in current_revision(deployment).manifests}
    found = live(api, deployment)
    assert found.keys() == wanted.keys()
    for kind, item in found.items():
        digests = [one["metadata"]["annotations"][DIGEST] for one in (item, wanted[kind])]
        assert digests[0] == digests[1], kind


def pods(api: Api, deployment: Deployment) -> set[str]:
    items = api.get(namespaced(deployment.namespace, "pods"))["items"]
    return {item["metadata"]["uid"] for item in items}


def scale(api: Api, deployment: Deployment, replicas: int) -> None:
    """Scale as a person or an autoscaler does, through the scale subresource."""
    plural, version = PLACES["Deployment"]
    place = namespaced(deployment.namespace, plural, deployment.runtime_name, api=version)
    api.merge(f"{place}/scale", {"spec": {"replicas": replicas}}, fieldManager="somebody")


def census_of(api: Api, deployment: Deployment) -> Census:
    place = Place(
        api=api,
        namespace=deployment.namespace,
        name=deployment.runtime_name,
        id=str(deployment.pk),
    )
    return Census(place=place)


def instead_of_write(
    monkeypatch: pytest.MonkeyPatch, number: int, error: BaseException
) -> list[Call]:
    """Raise once instead of the write of this number, from 1; returns the writes that are made."""
    send, done = KubeClient.send, list[Call]()
    pending = [error]

    def counted(client: KubeClient, call: Call, **options: Any) -> Answer:
        if call.method != "GET" and "dryRun" not in call.query:
            if len(done) + 1 == number and pending:
                raise pending.pop()
            done.append(call)
        return send(client, call, **options)

    monkeypatch.setattr(KubeClient, "send", counted)
    return done
