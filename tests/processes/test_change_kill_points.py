"""Nothing lost: the process dies with SIGKILL at every point of every kind of change.

Whatever was left behind, the passes after it end in one consistent state: the revision that was
asked for, applied and whole, or the one before it as if nothing had been asked for.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from deployments.models import Deployment
from tests.cluster.harness.api import Api
from tests.processes.conftest import Order, Tally
from tests.processes.console import Console, Records
from tests.processes.killing.effects import Halt, Point, Record, Try, every_point
from tests.processes.launcher import A_CHANGE, CREATED, OK, Launcher, a_minute_passes, settle
from tests.processes.test_kill_points import assert_thorough, name_of
from tests.processes.world import faults_of, faults_of_all, read_objects

STOP, START = {"stopped": True}, {"stopped": False}


@dataclass(frozen=True, kw_only=True, slots=True)
class Change:
    """A change, what comes before it, and the requests beside which it must be killed."""

    body: object
    before: Sequence[object] = ()
    methods: Sequence[str] = ("PATCH",)


CHANGES = {
    "update": Change(body=A_CHANGE),
    "fixed": Change(
        body={"overrides": {"enable_auto_scaling": False, "min_replicas": 2}},
        methods=("PATCH", "DELETE"),
    ),
    "rollback": Change(body={"revision": 1}, before=[A_CHANGE]),
    "stop": Change(body=STOP, methods=("PATCH", "DELETE")),
    "start": Change(body=START, before=[STOP]),
    "redeploy": Change(body={"redeploy": True}),
}


@pytest.fixture
def launcher(console: Console, records: Records, order: Order) -> Launcher:
    """Return a person, whose requests nobody but this test makes up for."""
    console.environment["SLIPWAY_REFRESH_SECONDS"] = "3600"
    console.start_web(workers=1)
    console.refresh()
    return Launcher(console=console, records=records, order=order)


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_a_change_that_is_killed_anywhere_is_whole_or_never_was(
    launcher: Launcher,
    cluster_api: Api,
    tally: Tally,
    subtests: pytest.Subtests,
    change: Change,
) -> None:
    points = {point: revision_of(point) for point in every_point(changing(launcher, change))}
    assert_thorough(launcher, "killed-{}-change", [*points], *change.methods)
    first = 1 + len(change.before)
    assert set(points.values()) == {first, first + 1}, "some kills come before it is stored"
    a_minute_passes()
    settle(launcher.console)

    objects, good = read_objects(cluster_api), 0
    for point, was_wanted in points.items():
        with subtests.test(point=str(point)):
            assert faults_of(name_of(point), objects) == []
            assert revision_of(point) == was_wanted
            good += 1
    tally(len(points), good)
    assert faults_of_all(objects) == []


def test_a_change_that_is_sent_again_after_a_kill_is_made_once(
    launcher: Launcher, cluster_api: Api, subtests: pytest.Subtests
) -> None:
    """New pods are asked for: of all changes, the one that would do something each time."""
    again = CHANGES["redeploy"]
    points = [*every_point(changing(launcher, again))]
    a_minute_passes()

    answers = [launcher.change(name_of(point), again.body, key=key_of(point)) for point in points]

    settle(launcher.console)
    objects = read_objects(cluster_api)
    for point, answer in zip(points, answers, strict=True):
        with subtests.test(point=str(point)):
            assert answer.status == OK
            assert revision_of(point) == 2
            assert faults_of(name_of(point), objects) == []
    assert faults_of_all(objects) == []


def changing(launcher: Launcher, change: Change) -> Try:
    def kill(point: Point) -> Record:
        name = name_of(point)
        assert launcher.launch(name).status == CREATED
        for body in change.before:
            assert launcher.change(name, body).status == OK
            launcher.records.path(f"{name}-change").unlink()
        launcher.change(name, change.body, Halt(at=point), key=key_of(point))
        return launcher.records.read(f"{name}-change")

    return kill


def revision_of(point: Point) -> int:
    return Deployment.objects.get(name=name_of(point)).revision


def key_of(point: Point) -> str:
    return f"change of {name_of(point)}"
