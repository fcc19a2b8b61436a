"""Every fault of the table on the simulated cluster: told alike everywhere, and of nobody else."""

import pytest

from tests.faults.scene import Scene
from tests.faults.table import OUTAGES, TROUBLES, Outage, Trouble
from tests.faults.walk import walk_through_outage, walk_through_trouble


@pytest.mark.parametrize(
    "trouble", [one for one in TROUBLES if not one.sandbox], ids=lambda one: str(one.name)
)
def test_a_deployment_in_trouble_says_so_everywhere_and_no_other_does(
    scene: Scene, trouble: Trouble
) -> None:
    walk_through_trouble(scene, trouble)


@pytest.mark.parametrize("outage", OUTAGES, ids=lambda one: str(one.name))
def test_a_cluster_that_fails_keeps_what_was_known_and_touches_no_other(
    scene: Scene, outage: Outage
) -> None:
    walk_through_outage(scene, outage)


def test_every_fault_is_brought_about_somewhere() -> None:
    nowhere = [one.name for one in TROUBLES if one.sandbox and one.real]
    assert nowhere == []
