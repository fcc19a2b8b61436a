"""The walk that every fault is taken on, whatever the back end."""

from contextlib import ExitStack

from deployments.models import Deployment
from deployments.services.reading import read_deployment
from deployments.services.refreshing import refresh_cluster
from providers.contract.status import Phase
from providers.kube.lists import PAGE
from tests.faults.scene import Scene
from tests.faults.table import NOWHERE, SILENCE, Outage, Trouble
from tests.ports import free_port
from tests.silent import silent_server

# More than one page of a list.
MANY = PAGE + 100
WELL = (Phase.READY, "Available")


def walk_through_trouble(scene: Scene, trouble: Trouble) -> None:
    """Bring a deployment into trouble; every surface says so, and of no other anything."""
    healthy, elsewhere = scene.launch(), scene.launch(cluster=scene.other)
    if trouble.first:
        trouble.first(scene.place)
    sick = scene.launch(trouble)
    for one in (healthy, elsewhere, *([sick] if trouble.then else [])):
        scene.until(one, *WELL, step=1.0)
    if trouble.then:
        trouble.then(scene.place, sick)

    scene.until(sick, trouble.phase, trouble.reason, step=trouble.step)

    told = scene.agreed(sick)
    sick.refresh_from_db()
    assert [one.phase for one in told.values()] == [trouble.phase.value] * len(told), told
    assert {one.message for one in told.values()} == {sick.message}
    assert trouble.says in sick.message, sick.message
    assert scene.counted(sick) == 1
    for one in (healthy, elsewhere):
        scene.until(one, *WELL, step=1.0)
    assert scene.metric("slipway_cluster_reachable", {"cluster": scene.cluster.name}) == 1


def walk_through_outage(scene: Scene, outage: Outage) -> None:
    """Let the way to a cluster fail; what was known stays, and another cluster is well."""
    here, elsewhere = scene.launch(), scene.launch(cluster=scene.other)
    for one in (here, elsewhere):
        scene.until(one, *WELL, step=1.0)
    if outage.many:
        scene.place.crowd(MANY)
    scene.place.fail(*outage.faults)
    scene.place.let_pass(1.0)
    with ExitStack() as stack:
        if outage.leads_to == NOWHERE:
            stack.enter_context(scene.place.lead_to(f"http://127.0.0.1:{free_port()}"))
        elif outage.leads_to == SILENCE:
            silent = stack.enter_context(silent_server())
            stack.enter_context(scene.place.lead_to(f"http://{silent}"))
        _assert_told(scene, outage, here)
        _assert_well(scene, elsewhere)
    scene.place.fail()


def _assert_told(scene: Scene, outage: Outage, here: Deployment) -> None:
    report = refresh_cluster(scene.cluster)
    assert report.error_code == outage.code, report
    assert outage.says in report.error
    reading = read_deployment(Deployment.objects.get(pk=here.pk))
    assert (reading.stale, reading.cause_code) == (bool(outage.code), outage.code)
    told = scene.told_of(here)
    verdicts = {(one.phase, one.reason) for one in told.values()}
    assert verdicts == {(outage.phase.value, outage.reason)}, told
    [message] = {one.message for one in told.values()}
    assert outage.sentence in message
    is_told = "This is what was known last." in scene.page(f"/deployments/{here.pk}")
    assert is_told is bool(outage.code)
    reachable = scene.metric("slipway_cluster_reachable", {"cluster": scene.cluster.name})
    assert reachable == float(not outage.code)


def _assert_well(scene: Scene, elsewhere: Deployment) -> None:
    report = refresh_cluster(scene.other)
    assert (report.error, report.problems) == ("", ())
    reading = read_deployment(Deployment.objects.get(pk=elsewhere.pk))
    assert (reading.stale, reading.status.phase) == (False, Phase.READY)
    assert scene.metric("slipway_cluster_reachable", {"cluster": scene.other.name}) == 1
