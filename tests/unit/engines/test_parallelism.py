"""The arithmetic of ranks, accelerators and nodes, and what follows from it."""

from collections.abc import Callable
from typing import Any

import pytest

from providers.engines import Launch


@pytest.mark.parametrize(
    ("kind", "version", "count", "degrees", "args"),
    [
        ("vllm", "0.11.0", 4, {"tp": 2, "pp": 2}, {}),
        ("vllm", "0.33.0", 8, {"tp": 2, "pp": 2, "dp": 2}, {}),
        ("vllm", "0.33.0", 4, {"tp": 2, "dp": 2, "ep": 4}, {}),
        ("vllm", "0.33.0", 4, {"tp": 4, "cp": 2}, {}),
        ("vllm", "0.33.0", 4, {"tp": 2}, {"prefill_context_parallel_size": 2}),
        ("sglang", "0.5.3", 4, {"tp": 2, "dp": 2}, {}),
        ("sglang", "0.5.3", 4, {"tp": 4, "dp": 2}, {"enable_dp_attention": True}),
        ("sglang", "0.5.23", 4, {"tp": 4, "dp": 4, "ep": 2}, {"enable_dp_attention": True}),
        ("sglang", "0.5.23", 4, {"tp": 4, "cp": 2, "sp": 2}, {}),
    ],
)
def test_arithmetic_that_works_is_not_refused(
    refusals_of: Callable[..., dict[str, str]],
    kind: str,
    version: str,
    count: int,
    degrees: dict[str, int],
    args: dict[str, Any],
) -> None:
    found = refusals_of(
        kind,
        engine={"version": version},
        accelerator={"count": count},
        parallelism=degrees,
        engine_args=args,
    )
    assert found == {}


@pytest.mark.parametrize(
    ("kind", "version", "count", "degrees", "args", "path"),
    [
        ("vllm", "0.33.0", 2, {"tp": 4}, {}, ""),
        ("vllm", "0.33.0", 2, {}, {}, ""),
        ("vllm", "0.33.0", 1, {"dp": 2}, {}, ""),
        ("vllm", "0.33.0", 2, {"tp": 2}, {"prefill_context_parallel_size": 2}, ""),
        ("vllm", "0.33.0", 4, {"tp": 4, "cp": 3}, {}, ".cp"),
        ("vllm", "0.33.0", 4, {"tp": 2, "dp": 2, "ep": 2}, {}, ".ep"),
        ("vllm", "0.33.0", 2, {"tp": 2, "sp": 2}, {}, ".sp"),
        ("sglang", "0.5.23", 4, {"tp": 4, "dp": 2}, {}, ""),
        ("sglang", "0.5.23", 8, {"tp": 4, "dp": 2}, {"enable_dp_attention": True}, ""),
        ("sglang", "0.5.23", 4, {"tp": 4, "dp": 3}, {"enable_dp_attention": True}, ".dp"),
        ("sglang", "0.5.3", 1, {"dp": 2}, {"enable_dp_attention": True}, ".dp"),
        ("sglang", "0.5.23", 4, {"tp": 4, "ep": 3}, {}, ".ep"),
        ("sglang", "0.5.23", 4, {"tp": 4, "cp": 3}, {}, ".cp"),
        ("sglang", "0.5.3", 4, {"tp": 4, "cp": 2}, {}, ".cp"),
        ("sglang", "0.5.3", 4, {"tp": 4, "sp": 2}, {}, ".sp"),
    ],
)
def test_arithmetic_that_cannot_work_is_refused_at_its_degree(
    refusals_of: Callable[..., dict[str, str]],
    kind: str,
    version: str,
    count: int,
    degrees: dict[str, int],
    args: dict[str, Any],
    path: str,
) -> None:
    found = refusals_of(
        kind,
        engine={"version": version},
        accelerator={"count": count},
        parallelism=degrees,
        engine_args=args,
    )
    assert list(found) == [f"spec.parallelism{path}"]


def test_the_message_counts_both_sides(refusals_of: Callable[..., dict[str, str]]) -> None:
    found = refusals_of("vllm", accelerator={"count": 2}, parallelism={"tp": 4})
    assert found["spec.parallelism"] == (
        "tp 4 x pp 1 x dp 1 = 4 accelerators are needed, but accelerator.count 2 gives 2"
    )


@pytest.mark.parametrize(
    ("kind", "version", "degrees", "args", "path"),
    [
        ("vllm", "0.33.0", {"tp": 2, "pp": 2}, {}, None),
        ("vllm", "0.11.1", {"tp": 2, "pp": 2}, {}, None),
        ("vllm", "0.11.0", {"tp": 2, "pp": 2}, {}, "spec.topology.nodes"),
        ("sglang", "0.5.3", {"tp": 4}, {}, None),
        ("sglang", "0.5.3", {"tp": 4, "dp": 2}, {"enable_dp_attention": True}, None),
        ("sglang", "0.5.3", {"tp": 2, "dp": 2}, {}, "spec.parallelism.dp"),
        ("mock", "", {}, {}, "spec.topology.kind"),
    ],
)
def test_two_nodes_of_two_work_where_the_engine_can(
    refusals_of: Callable[..., dict[str, str]],
    kind: str,
    version: str,
    degrees: dict[str, int],
    args: dict[str, Any],
    path: str | None,
) -> None:
    found = refusals_of(
        kind,
        engine={"version": version},
        accelerator={"count": 2},
        parallelism=degrees,
        engine_args=args,
        topology={"kind": "multi-node", "nodes": 2},
    )
    assert list(found) == ([path] if path else [])


@pytest.mark.parametrize("kind", ["vllm", "sglang"])
def test_ranks_that_do_not_spread_over_the_nodes_are_refused(
    refusals_of: Callable[..., dict[str, str]], kind: str
) -> None:
    found = refusals_of(
        kind,
        accelerator={"count": 1},
        parallelism={"tp": 4},
        topology={"kind": "multi-node", "nodes": 3},
    )
    assert "spec.topology.nodes" in found


@pytest.mark.parametrize("accelerator", ["cpu", "CPU"])
def test_a_cpu_is_not_counted(refusals_of: Callable[..., dict[str, str]], accelerator: str) -> None:
    found = refusals_of(
        "vllm", accelerator={"type": accelerator, "count": 0}, parallelism={"tp": 2}
    )
    assert found == {}


@pytest.mark.parametrize(
    ("kind", "count", "degrees", "shared"),
    [
        ("vllm", 1, {}, False),
        ("vllm", 2, {"tp": 2}, True),
        ("vllm", 2, {"dp": 2}, True),
        ("sglang", 2, {"pp": 2}, True),
        ("llamacpp", 2, {}, False),
    ],
)
def test_more_than_one_rank_shares_memory(
    launch_of: Callable[..., Launch],
    kind: str,
    count: int,
    degrees: dict[str, int],
    *,
    shared: bool,
) -> None:
    launch = launch_of(kind, accelerator={"count": count}, parallelism=degrees)
    assert launch.shares_memory is shared


def test_attention_dp_without_dp_gets_a_warning(warnings_of: Callable[..., dict[str, str]]) -> None:
    found = warnings_of("sglang", engine_args={"enable_dp_attention": True})
    assert "spec.engine_args.enable_dp_attention" in found


def test_arguments_of_a_role_are_read_at_their_own_path(
    refusals_of: Callable[..., dict[str, str]],
) -> None:
    role = {
        "name": "prefill",
        "accelerator": {"type": "H100", "count": 1},
        "engine_args": {"max_model_len": "8k"},
    }
    found = refusals_of("vllm", topology={"kind": "disaggregated", "roles": [role]})
    assert list(found) == ["spec.topology.roles.0.engine_args.max_model_len"]
