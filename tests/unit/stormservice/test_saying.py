"""StormServices and PodSets in words: how many pods are there, and what becomes of them."""

import pytest

from providers.stormservice.objects import PodSet, PodSetSpec, PodSetStatus, StormService
from providers.stormservice.saying import say_pod_set, say_storm_service
from providers.workload.objects import ObjectMeta
from tests.unit.stormservice.recorded import recorded

SPEC = PodSetSpec(pod_group_size=2)
WHOLE = PodSetStatus(phase="Ready", ready_pods=2, total_pods=2)


@pytest.mark.parametrize(
    ("status", "state", "message"),
    [
        (WHOLE, "Current", "2 of 2 pods ready"),
        (PodSetStatus(phase="Running", total_pods=2), "Current", "0 of 2 pods ready"),
        (
            PodSetStatus(phase="Running", ready_pods=1, total_pods=1),
            "Incomplete",
            "1 of 2 pods ready, 1 made; its events say why one is not",
        ),
        (None, "Incomplete", "0 of 2 pods ready, 0 made; its events say why one is not"),
    ],
)
def test_its_pods_are_counted(status: PodSetStatus | None, state: str, message: str) -> None:
    said = say_pod_set(PodSet(spec=SPEC, status=status), is_current=True)
    assert (said.state, said.message) == (state, message)


def test_one_of_an_earlier_revision_is_told_as_such() -> None:
    assert say_pod_set(PodSet(spec=SPEC, status=WHOLE), is_current=False).state == "Earlier"


def test_one_that_is_ending_says_so() -> None:
    metadata = ObjectMeta(deletion_timestamp="2026-01-01T00:00:00Z")
    said = say_pod_set(PodSet(metadata=metadata, spec=SPEC, status=WHOLE), is_current=True)
    assert said.state == "Being deleted"


@pytest.mark.parametrize(
    ("case", "state", "message"),
    [
        ("standard-ready", "Complete", "2 of 2 replicas ready"),
        ("scaled-to-zero", "Stopped", "no replica is wanted"),
        ("crash-loop", "Not ready", "0 of 1 replica ready"),
        ("rolling-update-half-replace", "Not ready", "2 of 3 replicas ready"),
        (
            "rolling-update-half-surge",
            "Rolling out",
            "3 of 3 replicas ready, 0 of them as wanted now",
        ),
        (
            "ready-though-update-failed",
            "Rolling out",
            "1 of 1 replica ready, 0 of them as wanted now",
        ),
    ],
)
def test_a_storm_service_is_complete_only_once_what_is_ready_is_what_is_wanted_now(
    case: str, state: str, message: str
) -> None:
    [found] = recorded(case).objects.workloads.values()
    assert isinstance(found, StormService)
    said = say_storm_service(found)
    assert (said.state, said.message) == (state, message)
