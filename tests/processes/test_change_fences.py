"""Fences of a change: its process is frozen, others go on without it, and it wakes.

A pass has finished it by then, or somebody has changed the deployment again: what wakes is too late
and must change nothing of that.
"""

import signal
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from deployments.models import Deployment
from tests.cluster.harness.api import Api
from tests.processes.conftest import Order
from tests.processes.console import Answer, Console, Records
from tests.processes.killing.effects import Halt, Point, Side, Step, every_point
from tests.processes.launcher import A_CHANGE, CREATED, OK, Launcher, settle
from tests.processes.test_fences import freezing, frozen
from tests.processes.world import faults_of, faults_of_all, read_objects

ANOTHER = {"overrides": {"max_replicas": 5}}


@pytest.fixture
def launcher(console: Console, records: Records, order: Order) -> Launcher:
    console.start_web(workers=2)
    console.refresh()
    return Launcher(console=console, records=records, order=order)


def test_a_change_that_wakes_after_a_pass_has_finished_it_changes_nothing(
    launcher: Launcher, cluster_api: Api, subtests: pytest.Subtests
) -> None:
    answers: dict[Point, Future[Answer]] = {}

    def begin(point: Point, halt: Halt) -> Callable[[], object]:
        name = f"frozen-{point}"
        assert launcher.launch(name).status == CREATED
        answers[point] = pool.submit(launcher.change, name, A_CHANGE, halt, record=f"work-{point}")
        return answers[point].result

    with ThreadPoolExecutor(1) as pool:
        points = [*every_point(freezing(launcher, begin))]

    assert {point.side for point in points} == {Side.SENT, Side.AFTER}
    settle(launcher.console)
    objects = read_objects(cluster_api)
    for point in points:
        with subtests.test(point=str(point)):
            assert answers[point].result().status == OK
            assert faults_of(f"frozen-{point}", objects) == []
            assert revision_of(f"frozen-{point}") == 2
    assert faults_of_all(objects) == []


def test_a_change_that_wakes_after_another_one_takes_nothing_of_that_back(
    console: Console, launcher: Launcher, cluster_api: Api
) -> None:
    """Time passes for real here: a change has less of it than its lease lasts."""
    assert launcher.launch("counted").status == CREATED
    assert launcher.change("counted", A_CHANGE).status == OK
    points = since_stored(launcher.records.read("counted-change").steps)
    names = [f"frozen-{point}" for point in points]
    for name in names:
        assert launcher.launch(name).status == CREATED
    console.start_web(workers=len(points) + 1)
    with ThreadPoolExecutor(len(points)) as pool:
        answers = [
            pool.submit(launcher.change, name, A_CHANGE, Halt(at=point, by=signal.SIGSTOP))
            for name, point in zip(names, points, strict=True)
        ]
        with frozen(launcher.records, [f"{name}-change" for name in names]):
            for name in names:
                assert launcher.change(name, ANOTHER, record=f"{name}-other").status == OK
            settle(console)
        assert {answer.result().status for answer in answers} == {OK}
    settle(console)

    objects = read_objects(cluster_api)
    assert [faults_of(name, objects) for name in names] == [[] for _ in names]
    assert [revision_of(name) for name in names] == [3 for _ in names]
    assert faults_of_all(objects) == []


def since_stored(steps: Sequence[Step]) -> Sequence[Point]:
    """Return the points from the moment on at which a change is stored, between its effects."""
    stored = next(one.point.number for one in steps if "INSERT deployments_revision" in one.what)
    return [
        step.point
        for step in steps
        if step.point.number >= stored and step.point.side is not Side.BEFORE
    ]


def revision_of(name: str) -> int:
    return Deployment.objects.get(name=name).revision
