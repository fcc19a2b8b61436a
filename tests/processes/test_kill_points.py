"""Nothing lost: the process dies with SIGKILL at every point of a launch, a deletion, a pass.

Whatever was left behind, the passes after it (`manage.py refresh`) end in one consistent state:
launched, Ready and whole, or nothing at all; gone for good, or as it was. The points are found by
going on until the work comes to its end, so that whatever has an effect is a point.
"""

from collections.abc import Sequence

import pytest

from deployments.models import Deployment
from tests.cluster.harness.api import Api
from tests.processes.conftest import Order, Tally
from tests.processes.console import Console, Records
from tests.processes.killing.effects import Halt, Point, Record, Side, Try, every_point
from tests.processes.launcher import (
    A_CHANGE,
    ACCEPTED,
    CONFLICT,
    CREATED,
    OK,
    Launcher,
    a_minute_passes,
    settle,
)
from tests.processes.world import faults_of, faults_of_all, read_objects


@pytest.fixture
def launcher(console: Console, records: Records, order: Order) -> Launcher:
    """Return a person; a launch, its change and its deletion have been counted, and are over."""
    # So that the workers read only what is on its way.
    console.environment["SLIPWAY_REFRESH_SECONDS"] = "3600"
    console.start_web(workers=1)
    console.refresh()
    launcher = Launcher(console=console, records=records, order=order)
    assert launcher.launch("counted").status == CREATED
    assert launcher.change("counted", A_CHANGE).status == OK
    assert launcher.delete("counted").status == ACCEPTED
    return launcher


def test_a_launch_that_is_killed_anywhere_is_whole_or_nothing(
    launcher: Launcher, cluster_api: Api, tally: Tally, subtests: pytest.Subtests
) -> None:
    points = {point: open_count(point) for point in every_point(launching(launcher))}
    assert_thorough(launcher, "killed-{}", [*points], "PATCH")
    assert set(points.values()) == {0, 1}, "some kills come before it is stored, some after"
    settle(launcher.console)

    objects, good = read_objects(cluster_api), 0
    for point, was_stored in points.items():
        with subtests.test(point=str(point)):
            assert faults_of(name_of(point), objects) == []
            assert open_count(point) == was_stored
            good += 1
    tally(len(points), good)
    assert faults_of_all(objects) == []


def test_a_launch_that_is_sent_again_after_a_kill_is_made_once(
    launcher: Launcher, cluster_api: Api, subtests: pytest.Subtests
) -> None:
    points = [*every_point(launching(launcher))]
    a_minute_passes()

    again = [launcher.launch(name_of(point)) for point in points]

    settle(launcher.console)
    objects = read_objects(cluster_api)
    for point, answer in zip(points, again, strict=True):
        with subtests.test(point=str(point)):
            assert answer.status == CREATED
            made = Deployment.objects.get(name=name_of(point))
            assert answer.body["id"] == str(made.pk)
            assert faults_of(made.name, objects) == []
    assert faults_of_all(objects) == []


def test_a_deletion_that_is_killed_anywhere_goes_on_or_never_was(
    launcher: Launcher, cluster_api: Api, tally: Tally, subtests: pytest.Subtests
) -> None:
    points = {point: is_wanted_gone(point) for point in every_point(deleting(launcher))}
    assert_thorough(launcher, "killed-{}-delete", [*points], "DELETE")
    assert set(points.values()) == {False, True}, "some kills come before the wish, some after"
    settle(launcher.console)

    objects, good = read_objects(cluster_api), 0
    for point, was_wanted in points.items():
        with subtests.test(point=str(point)):
            assert faults_of(name_of(point), objects) == []
            assert open_count(point) == (not was_wanted)
            assert launcher.preview(name_of(point)).status == (OK if was_wanted else CONFLICT)
            good += 1
    tally(len(points), good)
    assert faults_of_all(objects) == []


@pytest.mark.parametrize(
    "work", ["refresh", "turn"], ids=["manage.py refresh", "the workers' turn"]
)
def test_a_pass_that_is_killed_anywhere_is_made_up_for_by_the_next(
    launcher: Launcher, cluster_api: Api, tally: Tally, subtests: pytest.Subtests, work: str
) -> None:
    points = [*every_point(passing(launcher, work))]
    assert_thorough(launcher, "pass-{}", points, "PATCH", "DELETE")
    settle(launcher.console)

    objects, good = read_objects(cluster_api), 0
    for point in points:
        with subtests.test(point=str(point)):
            names = [f"{what}-{point}" for what in ("launched", "changed", "deleted")]
            assert [faults_of(name, objects) for name in names] == [[], [], []]
            left = Deployment.objects.open().filter(name__in=names).order_by("revision")
            assert list(left.values_list("name", "revision")) == [(names[0], 1), (names[1], 2)]
            good += 1
    tally(len(points), good)
    assert faults_of_all(objects) == []


def launching(launcher: Launcher) -> Try:
    def kill(point: Point) -> Record:
        launcher.launch(name_of(point), Halt(at=point))
        return launcher.records.read(name_of(point))

    return kill


def deleting(launcher: Launcher) -> Try:
    def kill(point: Point) -> Record:
        assert launcher.launch(name_of(point)).status == CREATED
        launcher.delete(name_of(point), Halt(at=point))
        return launcher.records.read(f"{name_of(point)}-delete")

    return kill


def passing(launcher: Launcher, work: str) -> Try:
    """Each pass finds work of its own; the next one makes up for it as soon as the leases end."""

    def kill(point: Point) -> Record:
        launcher.leave_work(str(point))
        record = launcher.records.path(f"pass-{point}")
        launcher.console.command(work, record=record, halt=Halt(at=point))
        a_minute_passes()
        launcher.console.refresh()
        a_minute_passes()
        return launcher.records.read(f"pass-{point}")

    return kill


def name_of(point: Point) -> str:
    return f"killed-{point}"


def open_count(point: Point) -> int:
    return Deployment.objects.open().filter(name=name_of(point)).count()


def is_wanted_gone(point: Point) -> bool:
    return Deployment.objects.get(name=name_of(point)).is_deleting


def assert_thorough(
    launcher: Launcher, record: str, points: Sequence[Point], *methods: str
) -> None:
    """Kills came beside commits, and beside requests both when they were sent and answered."""
    killers = [launcher.records.read(record.format(point)).steps[-1] for point in points]
    beside = {(step.what.split()[0], step.point.side) for step in killers}
    wanted = {(method, side) for method in methods for side in (Side.SENT, Side.AFTER)}
    assert wanted | {("commit", Side.BEFORE), ("commit", Side.AFTER)} <= beside
