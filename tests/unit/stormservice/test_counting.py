"""What a StormService is made into, its pods and what is beside them, as a quota counts it."""

from decimal import Decimal

import pytest

from providers.carrying.own_share import without_own_share
from providers.contract.capacity import Quota
from providers.stormservice.carrier import CARRIER
from providers.stormservice.provider import provider
from tests.unit.stormservice.asking import TARGET, asked, nodes, roles

PAIR = roles({"name": "prefill"}, {"name": "decode", "replicas": 2})
LARGE_PAIR = roles(
    {"name": "prefill", "accelerator": {"type": "H100", "count": 2}},
    {"name": "decode", "accelerator": {"type": "H100"}, "replicas": 2},
)


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


@pytest.mark.parametrize(("topology", "pods", "devices"), [(LARGE_PAIR, 3, 4), (nodes(3), 3, 3)])
def test_its_own_share_of_a_quota_has_every_pod_of_every_role(
    topology: object, pods: int, devices: int
) -> None:
    request = asked(topology=topology, accelerator={"type": "H100"})
    storm = provider.render(request, TARGET)[0]
    lines = [
        Quota(quota="team", resource=name, hard=Decimal(9), used=Decimal(9))
        for name in ("pods", "requests.nvidia.com/gpu")
    ]
    left = [line.used for line in without_own_share(CARRIER, lines, storm)]
    assert left == [9 - pods, 9 - devices]


def test_a_number_of_pods_that_nobody_can_have_is_not_counted_one_by_one() -> None:
    storm = provider.render(asked(topology=PAIR), TARGET)[0]
    for role in storm["spec"]["template"]["spec"]["roles"]:
        role["replicas"] = 2**31 - 1
    assert len(CARRIER.templates_of(storm)) == 2000


@pytest.mark.parametrize(
    "roles_left",
    [None, [], [None], [{"name": "prefill"}], [{"name": "prefill", "replicas": -1}]],
)
def test_roles_that_somebody_broke_count_for_nothing(roles_left: object) -> None:
    storm = provider.render(asked(topology=PAIR), TARGET)[0]
    storm["spec"]["template"]["spec"]["roles"] = roles_left
    line = Quota(quota="team", resource="pods", hard=Decimal(9), used=Decimal(9))
    assert without_own_share(CARRIER, [line], storm) == [line]
    del storm["spec"]["template"]
    assert without_own_share(CARRIER, [line], storm) == [line]
