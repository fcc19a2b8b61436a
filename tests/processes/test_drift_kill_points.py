"""Nothing lost: the process dies with SIGKILL at every point of putting back what others changed.

Whatever was left behind, the passes after it end in one consistent state: all is put back and told
so, or nothing was asked for and what others changed is still there.
"""

import pytest

from deployments.models import Deployment, Operation
from deployments.models.operations import OperationState, Verb
from tests.cluster.harness.api import Api, namespaced
from tests.processes.conftest import Order, Tally
from tests.processes.console import Console, Records
from tests.processes.killing.effects import Halt, Point, Record, Try, every_point
from tests.processes.launcher import CREATED, OK, Launcher, settle
from tests.processes.test_kill_points import assert_thorough, name_of
from tests.processes.world import NAMESPACE, Objects, faults_of, faults_of_all, read_objects

# One field of ours, and one beside them: the cluster is written to twice.
THEIRS = {"progressDeadlineSeconds": 77, "minReadySeconds": 3}


@pytest.fixture
def launcher(console: Console, records: Records, order: Order) -> Launcher:
    """Return a person, whose requests nobody but this test makes up for."""
    console.environment["SLIPWAY_REFRESH_SECONDS"] = "3600"
    console.start_web(workers=1)
    console.refresh()
    return Launcher(console=console, records=records, order=order)


def test_putting_back_that_is_killed_anywhere_is_whole_or_never_was(
    launcher: Launcher, cluster_api: Api, tally: Tally, subtests: pytest.Subtests
) -> None:
    points = {
        point: was_promised(point) for point in every_point(putting_back(launcher, cluster_api))
    }
    assert_thorough(launcher, "killed-{}-put-back", [*points], "PATCH")
    assert set(points.values()) == {False, True}, "some kills come before it is stored"
    settle(launcher.console)

    objects, good = read_objects(cluster_api), 0
    for point, promised in points.items():
        with subtests.test(point=str(point)):
            assert faults_of(name_of(point), objects) == []
            assert theirs_of(point, objects) == ({} if promised else THEIRS)
            assert states_of(point) == ([OperationState.DONE] if promised else [])
            good += 1
    tally(len(points), good)
    assert faults_of_all(objects) == []


def putting_back(launcher: Launcher, api: Api) -> Try:
    def kill(point: Point) -> Record:
        name = name_of(point)
        assert launcher.launch(name).status == CREATED
        path = namespaced(
            NAMESPACE, "deployments", record_of(point).runtime_name, api="apis/apps/v1"
        )
        api.merge(path, {"spec": THEIRS}, fieldManager="kubectl-edit")
        seen = launcher.console.call("GET", f"deployments/{record_of(point).pk}/drift")
        assert seen.status == OK
        launcher.put_back(name, seen.body["digest"], Halt(at=point))
        return launcher.records.read(f"{name}-put-back")

    return kill


def record_of(point: Point) -> Deployment:
    return Deployment.objects.get(name=name_of(point))


def was_promised(point: Point) -> bool:
    return bool(states_of(point))


def states_of(point: Point) -> list[str]:
    promises = Operation.objects.filter(deployment__name=name_of(point), verb=Verb.PUT_BACK)
    return list(promises.values_list("state", flat=True))


def theirs_of(point: Point, objects: Objects) -> dict[str, object]:
    """Return what is still as others wrote it."""
    spec = objects.found[str(record_of(point).pk)]["Deployment"]["spec"]
    return {name: value for name, value in THEIRS.items() if spec.get(name) == value}
