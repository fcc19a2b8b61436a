"""Fences: a process is frozen at a point of its work, another one takes its leases when they run
out and finishes, and the first one wakes. It must change nothing of what is finished.
"""

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from deployments.models import AuditEntry, Deployment, Operation
from tests.cluster.harness.api import Api
from tests.processes.conftest import Order
from tests.processes.console import Answer, Console, Records
from tests.processes.killing.effects import Halt, Point, Record, Side, Try, every_point
from tests.processes.launcher import A_CHANGE, CREATED, Launcher, a_minute_passes, settle
from tests.processes.world import faults_of, faults_of_all, read_objects

Begin = Callable[[Point, Halt], Callable[[], object]]


@pytest.fixture
def launcher(console: Console, records: Records, order: Order) -> Launcher:
    console.start_web(workers=2)
    console.refresh()
    launcher = Launcher(console=console, records=records, order=order)
    launcher.launch("counted")
    launcher.change("counted", A_CHANGE)
    launcher.delete("counted")
    return launcher


def test_a_pass_that_wakes_after_another_has_taken_over_changes_nothing(
    launcher: Launcher, cluster_api: Api, subtests: pytest.Subtests
) -> None:
    def begin(point: Point, halt: Halt) -> Callable[[], object]:
        launcher.leave_work(str(point))
        record = launcher.records.path(f"work-{point}")
        launcher.console.beside.begin("refresh", record=record, halt=halt)
        return launcher.console.beside.wait

    points = [*every_point(freezing(launcher, begin))]

    assert {point.side for point in points} == {Side.SENT, Side.AFTER}
    settle(launcher.console)
    objects = read_objects(cluster_api)
    for point in points:
        with subtests.test(point=str(point)):
            for what in ("launched", "changed", "deleted"):
                assert faults_of(f"{what}-{point}", objects) == []
    assert faults_of_all(objects) == []


def test_a_launch_that_wakes_after_a_pass_has_finished_it_changes_nothing(
    launcher: Launcher, cluster_api: Api, subtests: pytest.Subtests
) -> None:
    answers: dict[Point, Future[Answer]] = {}

    def begin(point: Point, halt: Halt) -> Callable[[], object]:
        answers[point] = pool.submit(
            launcher.launch, f"frozen-{point}", halt, record=f"work-{point}"
        )
        return answers[point].result

    with ThreadPoolExecutor(1) as pool:
        points = [*every_point(freezing(launcher, begin))]

    assert {point.side for point in points} == {Side.SENT, Side.AFTER}
    settle(launcher.console)
    objects = read_objects(cluster_api)
    for point in points:
        with subtests.test(point=str(point)):
            assert answers[point].result().status == CREATED
            assert faults_of(f"frozen-{point}", objects) == []
    assert faults_of_all(objects) == []


def test_a_launch_that_wakes_after_its_deletion_makes_nothing(
    console: Console, launcher: Launcher, cluster_api: Api
) -> None:
    """Time passes for real here: a launch has less of it than its lease lasts."""
    counted = launcher.records.read("counted").steps
    stored = next(one.point.number for one in counted if "INSERT deployments_revision" in one.what)
    points = [
        step.point
        for step in counted
        if step.point.number >= stored and step.point.side is not Side.BEFORE
    ]
    console.start_web(workers=len(points) + 1)
    with ThreadPoolExecutor(len(points)) as pool:
        halts = [Halt(at=point, by=signal.SIGSTOP) for point in points]
        names = [f"frozen-{point}" for point in points]
        answers = [
            pool.submit(launcher.launch, name, halt)
            for name, halt in zip(names, halts, strict=True)
        ]
        with frozen(launcher.records, names):
            for name in names:
                launcher.delete(name)
            settle(console)
        assert {answer.result().status for answer in answers} == {CREATED}
    settle(console)

    objects = read_objects(cluster_api)
    assert [faults_of(name, objects) for name in names] == [[] for _ in names]
    assert faults_of_all(objects) == []
    assert not Deployment.objects.open().exists()


@contextmanager
def frozen(records: Records, names: Sequence[str]) -> Iterator[None]:
    """Wait until the work of each name is frozen; whatever happens in the block, then it wakes."""
    waiting = [records.read(name).waiting for name in names]
    try:
        assert None not in waiting, dict(zip(names, waiting, strict=True))
        yield
    finally:
        for number in filter(None, waiting):
            os.kill(number, signal.SIGCONT)


def freezing(launcher: Launcher, begin: Begin) -> Try:
    """Freeze work at a point, let a pass take over, wake it, and hold the story against before."""

    def attempt(point: Point) -> Record:
        if point.side is Side.BEFORE:
            # Inside a transaction: nobody else can write, so nobody takes over.
            return Record(steps=[], halted=False)
        end = begin(point, Halt(at=point, by=signal.SIGSTOP))
        record = launcher.records.read(f"work-{point}")
        if record.waiting is None:
            end()
            return record
        a_minute_passes()
        launcher.console.refresh()
        finished = story()
        os.kill(record.waiting, signal.SIGCONT)
        end()
        assert [one for one in story() if one in finished] == finished
        a_minute_passes()
        return launcher.records.read(f"work-{point}")

    return attempt


def story() -> list[object]:
    """Return how everything ended that has ended, and what the trail tells of it."""
    ended = Operation.objects.exclude(state="open").order_by("finished_at", "pk")
    return [
        (
            str(operation.pk),
            operation.state,
            operation.finished_at,
            list(
                AuditEntry.objects.filter(operation_id=str(operation.pk))
                .order_by("pk")
                .values_list("pk", "outcome")
            ),
        )
        for operation in ended
    ]
