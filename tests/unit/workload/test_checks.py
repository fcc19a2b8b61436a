"""What a launch asks for, held against what there is."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from providers.contract.capacity import AcceleratorCapacity, Capacity, Quota
from providers.contract.checks import Check, Result
from providers.workload.checks import MadeBeside, check_accelerators, check_quotas, pod_groups
from tests.golden.build import SPEC, request_of, target_of


def capacity(*, total: int = 16, free: int = 8, largest: int = 4, **more: Any) -> Capacity:
    found = AcceleratorCapacity(
        type="H100",
        resource="nvidia.com/gpu",
        total=total,
        free=free,
        largest_free_on_one_node=largest,
    )
    at = datetime(2026, 11, 30, 12, tzinfo=UTC)
    return Capacity(observed_at=at, **{"accelerators": (found,), **more})


def case(*, count: int = 1, **more: Any) -> dict[str, Any]:
    spec = {**SPEC, "accelerator": {"type": "h100", "count": count}, **more.pop("spec", {})}
    return {"spec": spec, **more}


def accelerators(given: dict[str, Any], counted: Capacity | None) -> tuple[Check, ...]:
    return check_accelerators(request_of(given), target_of({}), counted)


def one(checks: tuple[Check, ...]) -> tuple[str, Result, str]:
    [check] = checks
    return check.code, check.result, check.field


def test_enough_free_accelerators_pass_whatever_the_case_of_the_type() -> None:
    assert one(accelerators(case(count=4), capacity())) == ("AcceleratorsFree", Result.PASS, "")


@pytest.mark.parametrize(
    ("given", "counted", "field", "told"),
    [
        (case(count=5), capacity(), "spec.accelerator.count", "no node has more than 4 free now"),
        (case(count=32), capacity(), "spec.accelerator.count", "the cluster has 16 in all"),
        (
            case(count=4, overrides={"min_replicas": 3}),
            capacity(),
            "overrides.min_replicas",
            "3 replicas ask for 12 H100, 8 of 16 are free now",
        ),
        (case(), capacity(free=0, largest=0), "spec.accelerator.count", "more than 0 free"),
        (
            case(count=4, spec={"topology": {"kind": "multi-node", "nodes": 3}}),
            capacity(),
            "overrides.min_replicas",
            "1 replica asks for 12 H100",
        ),
    ],
)
def test_what_is_not_free_now_only_warns(
    given: dict[str, Any], counted: Capacity, field: str, told: str
) -> None:
    checks = accelerators(given, counted)
    assert one(checks) == ("InsufficientAccelerator", Result.WARN, field)
    assert told in checks[0].message


@pytest.mark.parametrize(
    ("counted", "told"),
    [
        (None, "never counted"),
        (capacity(unknown_because="nodes is forbidden"), "nodes is forbidden"),
        (capacity(accelerators=()), "does not map accelerator type h100"),
    ],
)
def test_what_nobody_counted_is_unknown(counted: Capacity | None, told: str) -> None:
    checks = accelerators(case(), counted)
    assert one(checks) == ("AcceleratorsUnknown", Result.UNKNOWN, "spec.accelerator.type")
    assert told in checks[0].message


def test_a_model_on_cpu_needs_no_check() -> None:
    assert accelerators({"spec": {**SPEC, "accelerator": {"type": "CPU"}}}, None) == ()


def test_a_launch_of_zero_replicas_needs_none_now() -> None:
    checks = accelerators(case(overrides={"min_replicas": 0}), capacity(free=0, largest=0))
    assert one(checks)[1] is Result.PASS


def test_roles_are_counted_apart() -> None:
    roles = [
        {"name": "prefill", "accelerator": {"type": "H100", "count": 2}, "replicas": 3},
        {"name": "decode", "accelerator": {"type": "H100", "count": 1}},
        {"name": "router", "accelerator": {"type": "cpu"}},
    ]
    given = case(spec={"topology": {"kind": "disaggregated", "roles": roles}})
    groups = pod_groups(request_of(given))
    assert [group.accelerators for group in groups] == [6, 1, 0]
    assert accelerators(given, capacity())[0].message == "7 H100 needed, 8 of 16 are free"


def line(resource: str, hard: str, used: str = "0", name: str = "team") -> Quota:
    return Quota(quota=name, resource=resource, hard=Decimal(hard), used=Decimal(used))


def quotas(given: dict[str, Any], *lines: Quota) -> tuple[Check, ...]:
    return check_quotas(request_of(given), target_of({}), lines)


def test_what_a_controller_makes_beside_pods_counts_once_or_for_every_replica() -> None:
    beside = MadeBeside(once={"count/services": 2}, each={"count/sets.example.com": 3})
    given = request_of(case(overrides={"min_replicas": 2, "max_replicas": 2}))
    lines = [line("count/services", "2", "1"), line("count/sets.example.com", "5")]
    told = [check.message for check in check_quotas(given, target_of({}), lines, beside)]
    assert told == [
        "2 replicas ask for 6 count/sets.example.com, 5 left under quota team (0 of 5 used)",
        (
            "it takes 2 count/services, with what its controller makes; "
            "1 left under quota team (1 of 2 used)"
        ),
    ]


FULL = {"resources": {"cpu": "4", "memory": "32Gi"}}


def test_no_quota_is_no_check_and_room_under_all_is_one_pass() -> None:
    assert quotas(case()) == ()
    lines = (
        line("pods", "5"),
        line("requests.nvidia.com/gpu", "1"),
        line("services", "0", "0", "b"),
    )
    assert one(quotas(case(), *lines)) == ("QuotaLeft", Result.PASS, "")


@pytest.mark.parametrize(
    ("quota", "told"),
    [
        (
            line("requests.nvidia.com/gpu", "3", "2"),
            "2 replicas ask for 4 requests.nvidia.com/gpu, 1 left under quota team (2 of 3 used)",
        ),
        (line("pods", "10", "9"), "2 replicas ask for 2 pods, 1 left"),
        (line("count/pods", "10", "9"), "2 replicas ask for 2 count/pods"),
        (line("requests.cpu", "10", "2.5"), "2 replicas ask for 8 requests.cpu, 7.5 left"),
        (line("cpu", "7"), "2 replicas ask for 8 cpu, 7 left"),
        (
            line("requests.memory", "34359738368"),
            "2 replicas ask for 64Gi requests.memory, 32Gi left",
        ),
    ],
)
def test_no_room_for_the_fewest_replicas_fails(quota: Quota, told: str) -> None:
    checks = quotas(case(count=2, spec=FULL, overrides={"min_replicas": 2}), quota)
    assert one(checks) == ("QuotaExceeded", Result.FAIL, "overrides.min_replicas")
    assert told in checks[0].message


def test_no_room_for_the_most_replicas_warns() -> None:
    scaling = {"min_replicas": 1, "max_replicas": 4, "enable_auto_scaling": True}
    checks = quotas(case(overrides=scaling), line("requests.nvidia.com/gpu", "3"))
    assert one(checks) == ("QuotaExceeded", Result.WARN, "overrides.max_replicas")


def test_exactly_enough_passes() -> None:
    checks = quotas(
        case(count=2, overrides={"min_replicas": 2}), line("requests.nvidia.com/gpu", "4")
    )
    assert one(checks)[1] is Result.PASS


def test_every_quota_applies() -> None:
    checks = quotas(case(), line("pods", "9"), line("pods", "1", "1", "other"))
    assert [check.message for check in checks] == [
        "1 replica asks for 1 pods, 0 left under quota other (1 of 1 used)"
    ]


def test_no_deployment_left_fails_without_a_field() -> None:
    checks = quotas(case(), line("count/deployments.apps", "3", "3"))
    assert one(checks) == ("QuotaExceeded", Result.FAIL, "")
    assert one(quotas(case(), line("count/deployments.apps", "3", "2")))[1] is Result.PASS


@pytest.mark.parametrize(
    ("resource", "field"),
    [
        ("requests.cpu", "spec.resources.cpu"),
        ("memory", "spec.resources.memory"),
        ("requests.ephemeral-storage", "spec.resources.ephemeral_storage"),
        ("limits.memory", ""),
    ],
)
def test_a_quota_on_what_the_template_does_not_give_warns(resource: str, field: str) -> None:
    checks = quotas(case(), line(resource, "100"))
    assert one(checks) == ("QuotaWantsNumbers", Result.WARN, field)


def test_a_quota_of_another_accelerator_concerns_nobody() -> None:
    assert one(quotas(case(), line("requests.amd.com/gpu", "0")))[1] is Result.PASS
