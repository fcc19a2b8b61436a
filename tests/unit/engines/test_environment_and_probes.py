"""Variables, folders, probes and the time to end, by engine."""

import math
from collections.abc import Callable
from typing import Any

import pytest

from providers.contract.template import SecretRef, TemplateSpec
from providers.engines import DEFAULT_PORTS, EnvVar, Launch, metric_names, metrics_path


def variables(launch: Launch) -> dict[str, SecretRef | str]:
    return {item.name: item.secret or item.value for item in launch.env}


def test_the_token_of_the_hub_is_a_reference(launch_of: Callable[..., Launch]) -> None:
    source = {"auth_secret_ref": {"name": "hf", "key": "token"}}
    launch = launch_of("vllm", model_source=source)
    assert EnvVar(name="HF_TOKEN", secret=SecretRef(name="hf", key="token")) in launch.env


def test_the_keys_of_s3_are_references_to_one_secret(launch_of: Callable[..., Launch]) -> None:
    source = {"type": "s3", "uri": "s3://b/m", "auth_secret_ref": "aws"}
    found = variables(launch_of("vllm", model_source=source))
    assert found["AWS_ACCESS_KEY_ID"] == SecretRef(name="aws", key="AWS_ACCESS_KEY_ID")
    assert found["AWS_SECRET_ACCESS_KEY"] == SecretRef(name="aws", key="AWS_SECRET_ACCESS_KEY")
    assert "HF_TOKEN" not in found


def test_no_secret_no_key(launch_of: Callable[..., Launch]) -> None:
    assert all(item.secret is None for item in launch_of("vllm").env)


@pytest.mark.parametrize("kind", ["vllm", "sglang", "llamacpp", "mock"])
def test_every_cache_lies_in_a_folder_that_can_be_written(
    launch_of: Callable[..., Launch], kind: str
) -> None:
    launch = launch_of(kind)
    found = variables(launch)
    assert "/tmp" in launch.writable_paths  # noqa: S108
    for name in ("HOME", "HF_HOME"):
        assert str(found[name]).startswith(launch.writable_paths)
    assert found["USER"]


@pytest.mark.parametrize("kind", ["vllm", "sglang", "llamacpp", "custom"])
def test_model_files_go_to_the_claim_where_there_is_one(
    launch_of: Callable[..., Launch], kind: str
) -> None:
    source = {"cache": {"claim": "models", "mount_path": "/models"}}
    assert variables(launch_of(kind, model_source=source))["HF_HOME"] == "/models"


def test_llamacpp_keeps_its_files_in_the_same_place(launch_of: Callable[..., Launch]) -> None:
    source = {"cache": {"claim": "models", "mount_path": "/models"}}
    assert variables(launch_of("llamacpp", model_source=source))["LLAMA_CACHE"] == "/models"


def test_the_templates_own_variable_replaces_ours_and_comes_last(
    launch_of: Callable[..., Launch],
) -> None:
    launch = launch_of("vllm", engine={"env": {"HF_HOME": "/mine", "A": "1"}})
    names = [item.name for item in launch.env]
    assert variables(launch)["HF_HOME"] == "/mine"
    assert len(names) == len(set(names))
    assert names[-2:] == ["A", "HF_HOME"]


@pytest.mark.parametrize(
    ("version", "told"), [("0.11.0", None), ("0.11.1", "1200"), ("0.33.0", "1200")]
)
def test_vllm_is_told_the_start_up_budget_where_it_reads_it(
    launch_of: Callable[..., Launch], version: str, told: str | None
) -> None:
    launch = launch_of("vllm", engine={"version": version, "ready_timeout_seconds": 1200})
    assert variables(launch).get("VLLM_ENGINE_READY_TIMEOUT_S") == told
    assert variables(launch)["VLLM_NO_USAGE_STATS"] == "1"


@pytest.mark.parametrize("kind", ["vllm", "sglang", "llamacpp", "mock", "custom"])
@pytest.mark.parametrize(
    ("budget", "period", "threshold"),
    [(900, 10, 90), (905, 10, 91), (60, 10, 6), (59, 5, 12), (30, 5, 6), (10, 2, 5), (11, 2, 6)],
)
def test_the_startup_probe_lasts_as_long_as_the_budget(
    launch_of: Callable[..., Launch], kind: str, budget: int, period: int, threshold: int
) -> None:
    probe = launch_of(kind, engine={"ready_timeout_seconds": budget}).startup
    assert (probe.period_seconds, probe.failure_threshold) == (period, threshold)
    assert probe.failure_threshold == math.ceil(budget / probe.period_seconds)


@pytest.mark.parametrize("kind", ["vllm", "sglang", "llamacpp", "mock", "custom"])
def test_every_probe_asks_the_health_endpoint_and_waits_five_seconds_at_least(
    launch_of: Callable[..., Launch], kind: str
) -> None:
    launch = launch_of(kind, engine={"health_endpoint": "/up"})
    for probe in (launch.startup, launch.readiness, launch.liveness):
        assert probe.path == "/up"
        assert probe.timeout_seconds >= 5


def test_sglang_may_take_twenty_seconds_and_lives_until_its_own_watchdog_acts(
    launch_of: Callable[..., Launch],
) -> None:
    launch = launch_of("sglang")
    for probe in (launch.startup, launch.readiness, launch.liveness):
        assert probe.timeout_seconds > 20
    assert launch.liveness.period_seconds * launch.liveness.failure_threshold >= 300


@pytest.mark.parametrize(
    ("kind", "args", "least"),
    [
        ("vllm", {}, 30),
        ("vllm", {"shutdown_timeout": 120}, 121),
        ("sglang", {}, 300),
        ("llamacpp", {}, 31),
    ],
)
def test_the_end_may_take_longer_than_the_engine_drains(
    launch_of: Callable[..., Launch], kind: str, args: dict[str, Any], least: int
) -> None:
    assert launch_of(kind, engine_args=args).grace_seconds >= least


@pytest.mark.parametrize(
    ("kind", "version", "names"),
    [
        (
            "vllm",
            "0.11.0",
            {
                "running": "vllm:num_requests_running",
                "cache_usage": "vllm:kv_cache_usage_perc",
                "ttft": "vllm:time_to_first_token_seconds",
                "itl": "vllm:inter_token_latency_seconds",
            },
        ),
        ("sglang", "0.5.3", {"ttft": "sglang:time_to_first_token_seconds", "tpot": ""}),
        ("sglang", "0.5.23", {"tpot": "sglang:request_time_per_output_token_seconds"}),
        ("sglang", "0.5.9", {"tpot": ""}),
        ("llamacpp", "b10434", {"waiting": "llamacpp:requests_deferred", "cache_usage": ""}),
        ("mock", "", {"running": "vllm:num_requests_running"}),
        ("custom", "", {"running": ""}),
    ],
)
def test_metrics_bear_the_names_of_their_version(
    spec_of: Callable[..., TemplateSpec], kind: str, version: str, names: dict[str, str]
) -> None:
    found = metric_names(spec_of(kind, engine={"version": version}).engine)
    assert {key: getattr(found, key) for key in names} == names


@pytest.mark.parametrize(
    ("kind", "given", "path"),
    [
        ("vllm", None, "/metrics"),
        ("custom", None, ""),
        ("custom", "/m", "/m"),
        ("vllm", "/m", "/m"),
    ],
)
def test_metrics_are_where_the_template_says_or_where_the_engine_has_them(
    spec_of: Callable[..., TemplateSpec], kind: str, given: str | None, path: str
) -> None:
    assert metrics_path(spec_of(kind, engine={"metrics_endpoint": given}).engine) == path


def test_every_engine_has_a_port_of_its_own(spec_of: Callable[..., TemplateSpec]) -> None:
    assert DEFAULT_PORTS == {
        "vllm": 8000,
        "sglang": 30000,
        "llamacpp": 8080,
        "mock": 8000,
        "custom": 8000,
    }
