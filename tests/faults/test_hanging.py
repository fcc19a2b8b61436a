"""A read that hangs for a minute holds no page, though the cluster answers everything else."""

import time

import pytest

from deployments.services.deadlines import READ_SECONDS
from providers.sandbox.faults import Fault
from tests.faults.scene import Scene
from tests.faults.walk import WELL

HANGS = Fault(resource="deployments", latency=60.0)
# A read's own time, and as much again for a busy machine.
MOST_SECONDS = 2 * READ_SECONDS + 1.0


@pytest.mark.parametrize(
    ("page", "says"),
    [
        ("", "This is what was known last."),
        ("/resources", "no answer within"),
        ("/drift", "no answer within"),
        ("/delete", "no answer within"),
    ],
)
def test_a_page_says_within_seconds_what_it_waited_for(scene: Scene, page: str, says: str) -> None:
    here = scene.launch()
    scene.until(here, *WELL, step=1.0)
    scene.place.fail(HANGS)
    began = time.monotonic()

    words = scene.page(f"/deployments/{here.pk}{page}")

    assert time.monotonic() - began < MOST_SECONDS
    assert says in words
