"""Nothing lost: the process dies with SIGKILL while a record is forgotten, or applied again.

Each act is told in the transaction of what it does, so the trail has it exactly where the record
has; and what was promised to the cluster, the passes after it keep.
"""

import pytest
from django.contrib.auth.models import Group, User

from deployments.models import AuditEntry, Deployment, Operation
from deployments.models.operations import OperationState, Verb
from tests.cluster.harness.api import Api, namespaced
from tests.cluster.waiting import wait_for
from tests.processes.conftest import Order, Tally
from tests.processes.console import Answer, Console, Records
from tests.processes.killing.effects import Halt, Point, Record, Try, every_point
from tests.processes.launcher import ACCEPTED, CREATED, Launcher, settle
from tests.processes.test_kill_points import assert_thorough, name_of
from tests.processes.world import NAMESPACE, faults_of, faults_of_all, read_objects

PATIENCE = 60.0
HOLD = {"metadata": {"finalizers": ["example.com/hold"]}}
LET_GO = {"metadata": {"finalizers": None}}


@pytest.fixture
def launcher(console: Console, records: Records, order: Order) -> Launcher:
    """Return an admin, whose requests nobody but this test makes up for."""
    User.objects.get(username="person-0").groups.add(Group.objects.get_or_create(name="admin")[0])
    console.environment["SLIPWAY_REFRESH_SECONDS"] = "3600"
    console.start_web(workers=1)
    console.refresh()
    return Launcher(console=console, records=records, order=order)


def test_applying_again_that_is_killed_anywhere_is_whole_or_never_was(
    launcher: Launcher, cluster_api: Api, tally: Tally, subtests: pytest.Subtests
) -> None:
    points = {
        point: bool(states_of(point)) for point in every_point(reapplying(launcher, cluster_api))
    }
    assert_thorough(launcher, "killed-{}-apply-again", [*points], "PATCH")
    assert set(points.values()) == {False, True}, "some kills come before it is stored"
    for point in [point for point, promised in points.items() if not promised]:
        assert record_of(point).applied_revision == 1
        launcher.delete(name_of(point))
    settle(launcher.console)

    objects, good = read_objects(cluster_api), 0
    for point, promised in points.items():
        with subtests.test(point=str(point)):
            assert faults_of(name_of(point), objects) == []
            assert record_of(point).is_closed != promised
            assert states_of(point) == ([OperationState.DONE] if promised else [])
            good += 1
    tally(len(points), good)
    assert faults_of_all(objects) == []


def test_forgetting_that_is_killed_anywhere_is_told_exactly_where_it_is_done(
    launcher: Launcher, cluster_api: Api, tally: Tally, subtests: pytest.Subtests
) -> None:
    points = {
        point: record_of(point).is_closed
        for point in every_point(forgetting(launcher, cluster_api))
    }
    assert set(points.values()) == {False, True}, "some kills come before it is stored"
    assert {point: is_told_forgotten(point) for point in points} == points
    for record in Deployment.objects.all():
        if cluster_api.find(path_of(record)) is not None:
            cluster_api.merge(path_of(record), LET_GO)
    settle(launcher.console)

    objects, good = read_objects(cluster_api), 0
    for point, was_forgotten in points.items():
        with subtests.test(point=str(point)):
            assert faults_of(name_of(point), objects) == []
            assert record_of(point).reason == ("Forgotten" if was_forgotten else "Removed")
            good += 1
    tally(len(points), good)
    assert faults_of_all(objects) == []


def reapplying(launcher: Launcher, api: Api) -> Try:
    def kill(point: Point) -> Record:
        assert launcher.launch(name_of(point)).status == CREATED
        own_id = str(record_of(point).pk)
        api.delete(path_of(record_of(point)))
        wait_for(lambda: own_id not in read_objects(api).found, PATIENCE, "all of it is gone")
        wait_for(lambda: says_removed(launcher, point), PATIENCE, "the console says so")
        ask(launcher, point, "apply-again")
        return launcher.records.read(f"{name_of(point)}-apply-again")

    return kill


def forgetting(launcher: Launcher, api: Api) -> Try:
    def kill(point: Point) -> Record:
        assert launcher.launch(name_of(point)).status == CREATED
        api.merge(path_of(record_of(point)), HOLD, fieldManager="kubectl-edit")
        assert launcher.delete(name_of(point)).status == ACCEPTED
        ask(launcher, point, "forget")
        return launcher.records.read(f"{name_of(point)}-forget")

    return kill


def ask(launcher: Launcher, point: Point, verb: str) -> Answer:
    """Ask for an act, and die at the point."""
    headers = launcher.records.headers(f"{name_of(point)}-{verb}", Halt(at=point))
    path = f"deployments/{record_of(point).pk}/{verb}"
    return launcher.console.call("POST", path, {"reason": "for a test"}, headers=headers)


def says_removed(launcher: Launcher, point: Point) -> bool:
    answer = launcher.console.call("GET", f"deployments/{record_of(point).pk}")
    return bool(answer.body["status_detail"]["reason"] == "RemovedOutside")


def record_of(point: Point) -> Deployment:
    return Deployment.objects.get(name=name_of(point))


def path_of(record: Deployment) -> str:
    return namespaced(NAMESPACE, "deployments", record.runtime_name, api="apis/apps/v1")


def states_of(point: Point) -> list[str]:
    promises = Operation.objects.filter(deployment__name=name_of(point), verb=Verb.REAPPLY)
    return list(promises.values_list("state", flat=True))


def is_told_forgotten(point: Point) -> bool:
    told = AuditEntry.objects.filter(action="deployment.forget", object_name=name_of(point))
    return told.count() == 1
