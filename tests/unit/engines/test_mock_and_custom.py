"""The two engines without a version: AIBrix's mock, and whatever a template brings itself."""

from collections.abc import Callable
from typing import Any

import pytest

from providers.engines import EnvVar, Finding, Launch


def test_the_mock_takes_vllms_arguments_and_three_variables(
    launch_of: Callable[..., Launch],
) -> None:
    launch = launch_of("mock", port=8001, engine_args={"max_model_len": 1024})
    assert launch.args == (
        "--model=Qwen/Qwen3-8B",
        "--max-model-len=1024",
        "--served-model-name=qwen3",
        "--port=8001",
    )
    assert {
        EnvVar(name="MODEL_NAME", value="qwen3"),
        EnvVar(name="SERVER_PORT", value="8001"),
        EnvVar(name="STANDALONE_MODE", value="true"),
    } <= set(launch.env)


def test_the_mock_needs_no_source(launch_of: Callable[..., Launch]) -> None:
    assert launch_of("mock", request={"source": None}).args == ("--served-model-name=qwen3",)


def test_the_mocks_own_version_is_not_read_as_vllms(
    findings_of: Callable[..., tuple[Finding, ...]],
) -> None:
    assert findings_of("mock", engine={"version": "v0.4.1"}) == ()


def test_the_mock_takes_adapters_as_vllm_does(launch_of: Callable[..., Launch]) -> None:
    assert "--enable-lora" in launch_of("mock", request={"enable_multi_lora": True}).args


def test_a_custom_engine_gets_what_the_template_says_and_nothing_else(
    launch_of: Callable[..., Launch],
) -> None:
    launch = launch_of(
        "custom",
        engine={"command": ["/serve"], "serve_args": ["-m", "x", "--port=1"], "env": {"A": "1"}},
        model_source=None,
        request={"source": None},
    )
    assert launch.command == ("/serve",)
    assert launch.args == ("-m", "x", "--port=1")
    assert launch.env == (EnvVar(name="A", value="1"),)


@pytest.mark.parametrize(
    ("path", "parts"),
    [
        ("spec.engine_args.max_model_len", {"engine_args": {"max_model_len": 1}}),
        ("spec.engine_args.enable_lora", {"engine_args": {"enable_lora": True}}),
        ("spec.quantization.weight", {"quantization": {"weight": "fp8"}}),
        ("spec.quantization.kv_cache", {"quantization": {"kv_cache": "fp8"}}),
        ("spec.parallelism.tp", {"parallelism": {"tp": 2}}),
        ("spec.engine.serve_args", {"engine": {"serve_args": ["--api_key=x"]}}),
    ],
)
def test_what_a_custom_engine_would_not_be_told_is_refused(
    refusals_of: Callable[..., dict[str, str]], path: str, parts: dict[str, Any]
) -> None:
    assert list(refusals_of("custom", **parts)) == [path]


def test_adapters_of_a_custom_engine_are_refused(launch_of: Callable[..., Launch]) -> None:
    with pytest.raises(Exception, match=r"overrides\.enable_multi_lora"):
        launch_of("custom", request={"enable_multi_lora": True})


@pytest.mark.parametrize("engine", ["mock", "custom"])
def test_accelerators_may_be_counted_freely(
    refusals_of: Callable[..., dict[str, str]], engine: str
) -> None:
    assert refusals_of(engine, accelerator={"count": 3}) == {}
