"""What a StormService cannot carry is refused by its field, before anything is sent."""

from dataclasses import replace
from typing import Any

import pytest

from providers.contract.checks import Result
from providers.contract.errors import InvalidRequest
from providers.contract.request import DeployRequest
from providers.stormservice.provider import provider
from tests.unit.stormservice.asking import SGLANG, TARGET, asked, nodes, roles

SCALED = {"min_replicas": 1, "max_replicas": 3, "enable_auto_scaling": True}
PODS_METRIC = {"metric": {"type": "pods", "name": "queue", "target": 5}}
DECODE = {"name": "decode"}
PAIR = roles({"name": "prefill"}, DECODE)
MODE, FLAG = "disaggregation_mode", "--disaggregation-mode"


def faults_of(request: DeployRequest) -> dict[str, tuple[str, ...]]:
    with pytest.raises(InvalidRequest) as refused:
        provider.validate(request, TARGET)
    return dict(refused.value.fields)


def warnings_of(request: DeployRequest) -> dict[str, str]:
    checks = provider.validate(request, TARGET)
    return {check.code: check.message for check in checks if check.result is Result.WARN}


def test_a_plain_request_is_fine() -> None:
    assert provider.validate(asked(), TARGET) == ()


@pytest.mark.parametrize("name", ["POD_GROUP_INDEX", "ROLE_NAME", "STORM_SERVICE_NAME"])
def test_a_variable_of_the_controllers_own_is_refused_instead_of_dropped(name: str) -> None:
    fields = faults_of(asked(engine={"env": {name: "1"}}))
    assert list(fields) == [f"spec.engine.env.{name}"]


def test_an_engine_that_is_told_no_ranks_needs_a_command_on_several_nodes() -> None:
    custom = {"type": "custom", "image": "registry.example/serve:1"}
    fields = faults_of(asked(topology=nodes(), engine=custom))
    assert "POD_GROUP_INDEX" in fields["spec.engine.command"][0]

    with_command = asked(topology=nodes(), engine={**custom, "command": ["/serve"]})
    assert provider.validate(with_command, TARGET) == ()


def test_several_nodes_need_a_name_that_leaves_those_of_their_pods_whole() -> None:
    request = asked(topology=nodes(), parallelism={"tp": 2})
    whole, cut = (replace(request, runtime_name="n" * size) for size in (33, 34))
    assert provider.validate(whole, TARGET) == ()
    assert "would have 64 characters" in faults_of(cut)["spec.topology.nodes"][0]


def test_several_nodes_are_not_scaled_by_a_metric_that_one_of_them_has() -> None:
    fields = faults_of(asked(SCALED, topology=nodes()))
    assert "overrides.enable_auto_scaling" in fields


def test_roles_are_not_scaled_by_what_all_their_pods_use() -> None:
    fields = faults_of(asked(SCALED, topology=PAIR))
    assert "spec.scaling_defaults.metric.type" in fields


@pytest.mark.parametrize("name", ["{{x}}", "a/b?x=1", "-queue", "4xx", "queue\u202e"])
def test_a_metric_that_no_page_can_have_is_refused_instead_of_counted_as_zero(name: str) -> None:
    metric = {"metric": {"type": "pods", "name": name, "target": 5}}
    fields = faults_of(asked(SCALED, topology=PAIR, scaling_defaults=metric))
    assert list(fields) == ["spec.scaling_defaults.metric.name"]


@pytest.mark.parametrize(
    ("given", "index"),
    [
        ([{"name": "prefill", "replicas": 0}, {"name": "decode", "replicas": 0}], 1),
        ([{"name": "routing", "replicas": 0}, {"name": "prefill"}, {"name": "decode"}], 0),
    ],
)
def test_the_role_that_answers_needs_a_pod(given: list[dict[str, object]], index: int) -> None:
    assert list(faults_of(asked(topology=roles(*given)))) == [
        f"spec.topology.roles.{index}.replicas"
    ]


def test_a_role_that_does_not_answer_may_have_no_pod() -> None:
    empty = roles({"name": "prefill", "replicas": 0}, {"name": "decode"})
    assert provider.validate(asked(topology=empty), TARGET)


@pytest.mark.parametrize(
    ("path", "parts"),
    [
        ("spec.engine_args.disaggregation_mode", {"engine_args": {MODE: "prefill"}}),
        ("spec.engine.serve_args", {"engine": {**SGLANG, "serve_args": [f"{FLAG}=decode"]}}),
        ("spec.engine.serve_args", {"engine": {**SGLANG, "serve_args": [FLAG, "decode"]}}),
        (
            "spec.topology.roles.0.engine_args.disaggregation_mode",
            {"topology": roles({"name": "prefill", "engine_args": {MODE: "decode"}}, DECODE)},
        ),
    ],
)
def test_a_half_that_is_told_another_part_than_its_own_is_refused(
    path: str, parts: dict[str, Any]
) -> None:
    assert list(faults_of(asked(**{"topology": PAIR, **parts}))) == [path]


def test_a_role_of_another_name_is_told_its_part_by_its_template() -> None:
    named = roles({"name": "first", "engine_args": {MODE: "prefill"}}, {"name": "routing"})
    assert provider.validate(asked(topology=named), TARGET)


def test_a_pod_autoscaler_comes_with_the_warning_that_the_unreadable_counts_as_zero() -> None:
    request = asked(SCALED, topology=PAIR, scaling_defaults=PODS_METRIC)
    assert "counts as 0" in warnings_of(request)["UnreadableMetricCountsAsZero"]
    assert provider.render(request, TARGET)[-1]["kind"] == "PodAutoscaler"


def test_without_a_role_that_routes_it_is_told_where_the_service_leads() -> None:
    assert "leads to decode" in warnings_of(asked(topology=PAIR))["RouterMissing"]
    routed = roles({"name": "routing"}, {"name": "prefill"}, {"name": "decode"})
    assert warnings_of(asked(topology=routed)) == {}


def test_roles_that_the_gateway_does_not_know_are_told() -> None:
    odd = roles({"name": "first"}, {"name": "decode"})
    assert "no prefill here" in warnings_of(asked(topology=odd))["RoleMissing"]


def test_the_accelerator_of_a_role_that_no_row_maps_is_named_by_its_path() -> None:
    odd = roles({"name": "prefill", "accelerator": {"type": "Tenstorrent"}}, {"name": "decode"})
    [failed] = [
        check
        for check in provider.validate(asked(topology=odd), TARGET)
        if check.result is Result.FAIL
    ]
    assert failed.field == "spec.topology.roles.0.accelerator.type"
