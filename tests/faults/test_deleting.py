"""A deletion that an object did not take is not waited for, but asked for again by a pass."""

from deployments.models import Deployment
from deployments.services.deleting import delete_deployment
from deployments.services.refreshing import refresh_cluster
from providers.sandbox.faults import Fault
from tests.faults.scene import Scene
from tests.faults.walk import WELL


def test_what_was_written_at_that_moment_is_deleted_by_the_next_pass(scene: Scene) -> None:
    here = scene.launch()
    scene.until(here, *WELL, step=1.0)
    scene.place.fail(Fault(verb="delete", resource="deployments", status=409, times=1))

    delete_deployment(here, user=scene.user)

    here.refresh_from_db()
    assert (here.phase, here.reason) == ("Deleting", "Conflict")
    assert "the console tries again by itself" in here.message
    for _ in range(3):
        refresh_cluster(scene.cluster)
        scene.place.let_pass(40)
    assert Deployment.objects.get(pk=here.pk).is_closed
