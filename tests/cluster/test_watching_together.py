"""Deployments of several kinds followed at once, each as by itself and by no stream too many."""

import logging
import re
from collections import Counter
from collections.abc import Iterator

import pytest

from providers.contract.status import Phase
from providers.contract.watching import Watching
from providers.kserve.provider import provider as kserve
from providers.kube.clock import deadline_in
from providers.kubernetes.provider import provider as k8s_deployment
from providers.stormservice.provider import provider as stormservice
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.launching import Launch, launch_in
from tests.cluster.waiting import wait_for

pytestmark = pytest.mark.usefixtures("cluster_nodes")

STREAM = re.compile(r'"GET [^ ?]*/(?P<plural>\w+)\?[^ ]*\bwatch=1')
SECONDS = 90.0


@pytest.fixture
def launch(control_plane: ControlPlane, namespace: str) -> Launch:
    return launch_in(control_plane, namespace)


@pytest.fixture
def three(launch: Launch) -> Iterator[list[Watching]]:
    """One watching for each kind, of which this cluster knows the first alone."""
    begun = [
        provider.watch(launch.target, namespaces=(), deadline=deadline_in(SECONDS))
        for provider in (k8s_deployment, stormservice, kserve)
    ]
    yield begun
    for watching in begun:
        watching.close()


def streams(caplog: pytest.LogCaptureFixture) -> Counter[str]:
    """Return how many streams were opened, by plural."""
    told = (STREAM.search(record.getMessage()) for record in caplog.records)
    return Counter(found["plural"] for found in told if found)


def test_what_all_look_at_is_one_stream_and_goes_on_for_who_stays(
    caplog: pytest.LogCaptureFixture, launch: Launch, request: pytest.FixtureRequest
) -> None:
    caplog.set_level(logging.DEBUG, logger="urllib3.connectionpool")
    mine, *others = request.getfixturevalue("three")
    for other in others:
        other.close()
    launch.create()

    def is_ready() -> bool:
        if launch.request.id not in mine.changed(1.0):
            return False
        seen = mine.observe([launch.ref], deadline=deadline_in(SECONDS))[launch.request.id]
        return seen.status.phase is Phase.READY

    wait_for(is_ready, SECONDS, "told that it is ready")
    everyones = ("pods", "nodes", "namespaces", "horizontalpodautoscalers")
    assert {plural: streams(caplog)[plural] for plural in everyones} == dict.fromkeys(everyones, 1)


def test_of_another_kind_s_deployment_nobody_else_is_told(
    three: list[Watching], launch: Launch
) -> None:
    mine, *others = three
    launch.create()

    wait_for(lambda: launch.request.id in mine.changed(1.0), SECONDS, "told of it")

    assert [other.changed(0.0) for other in others] == [frozenset(), frozenset()]
