"""An InferenceService in words, and the number of replicas that its manifest asks for."""

import pytest

from providers.kserve.carrier import CARRIER
from providers.kserve.objects import InferenceService
from providers.kserve.provider import provider
from providers.kserve.saying import say_inference_service
from providers.workload.states.said import FAIL, IDLE, OK, PROGRESS
from tests.unit.kserve.asking import SCALED, TARGET, asked
from tests.unit.kserve.recorded import recorded

STATES = [
    ("custom-ready", "Ready", OK, "its Ready says nothing of the latest change: see its pods"),
    ("custom-starting", "Not ready", PROGRESS, "Deployment does not have minimum availability"),
    ("stopped", "Stopped", IDLE, "no replica is wanted"),
    ("controller-down-created", "Waiting", PROGRESS, "it is not taken up by its controller yet"),
    ("runtime-missing", "Refused", FAIL, "Waiting for runtime to become available"),
]


@pytest.mark.parametrize(("case", "state", "tone", "message"), STATES, ids=[s[0] for s in STATES])
def test_a_recording_is_put_into_words(case: str, state: str, tone: str, message: str) -> None:
    [live] = recorded(case).objects.workloads.values()
    assert isinstance(live, InferenceService)
    said = say_inference_service(live)
    assert (said.state, said.tone, said.message) == (state, tone, message)


@pytest.mark.parametrize(
    ("overrides", "replicas"), [({"min_replicas": 3}, 3), ({"min_replicas": 0}, 0), (SCALED, 1)]
)
def test_what_counts_under_a_quota_is_the_number_that_it_asks_for(
    overrides: dict[str, object], replicas: int
) -> None:
    [service] = provider.render(asked(overrides), TARGET)
    assert CARRIER.replicas_of(service) == replicas
