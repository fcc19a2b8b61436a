"""What a StormService is made into beside its pods, as a quota counts it."""

import pytest

from providers.stormservice.carrier import CARRIER
from providers.stormservice.provider import provider
from tests.unit.stormservice.asking import TARGET, asked, nodes, roles

PAIR = roles({"name": "prefill"}, {"name": "decode", "replicas": 2})


@pytest.mark.parametrize(
    ("topology", "pod_sets"), [({"kind": "standard"}, 0), (PAIR, 0), (nodes(3), 1)]
)
def test_two_services_in_all_and_sets_for_every_replica(topology: object, pod_sets: int) -> None:
    beside = CARRIER.made_beside(provider.render(asked(topology=topology), TARGET)[0])
    assert beside.once == {"services": 2, "count/services": 2}
    assert beside.each == {
        "count/rolesets.orchestration.aibrix.ai": 1,
        "count/podsets.orchestration.aibrix.ai": pod_sets,
    }
