"""An engine that a runtime of the cluster starts: what is left to it, and what is still ours."""

from collections.abc import Callable

import pytest

from providers.contract.errors import InvalidRequest
from providers.engines import Finding, Launch

RUNTIME = {"format": "vLLM"}
ENGINES = ("vllm", "sglang", "llamacpp", "mock")
S3 = {"type": "s3", "uri": "s3://models/qwen3"}


def test_arguments_come_without_model_and_port_which_the_runtime_says(
    launch_of: Callable[..., Launch],
) -> None:
    launch = launch_of(
        "vllm",
        port=9000,
        serving_runtime=RUNTIME,
        engine={"serve_args": ["--disable-log-stats"]},
        model_source={"type": "huggingface", "uri": "Qwen/Qwen3-8B", "revision": "main"},
        accelerator={"count": 2},
        parallelism={"tp": 2},
        engine_args={"max_model_len": 8192},
        quantization={"weight": "fp8"},
    )
    assert launch.args == (
        "--tensor-parallel-size=2",
        "--max-model-len=8192",
        "--quantization=fp8",
        "--served-model-name=qwen3",
        "--disable-log-stats",
    )


@pytest.mark.parametrize("engine", ENGINES)
def test_no_engine_says_where_the_model_lies_or_where_it_listens(
    launch_of: Callable[..., Launch], engine: str
) -> None:
    launch = launch_of(engine, serving_runtime=RUNTIME)
    words = {word.partition("=")[0] for word in launch.args}
    assert launch.command == ()
    assert not words & {"--model", "--model-path", "--hf-repo", "--host", "--port"}
    assert words & {"--served-model-name", "--alias"}


def test_a_token_is_for_the_download_and_not_for_the_engine(
    launch_of: Callable[..., Launch],
) -> None:
    source = {"type": "huggingface", "uri": "Qwen/Qwen3-8B", "auth_secret_ref": "hf-token"}
    launch = launch_of("vllm", serving_runtime=RUNTIME, model_source=source)
    assert [variable.name for variable in launch.env if variable.secret] == []


@pytest.mark.parametrize("engine", ["llamacpp", "sglang"])
def test_a_version_that_reads_no_bucket_may_serve_what_was_fetched(
    findings_of: Callable[..., tuple[Finding, ...]], engine: str
) -> None:
    assert "spec.model_source.type" in _paths(findings_of(engine, model_source=S3))
    found = findings_of(engine, model_source=S3, serving_runtime=RUNTIME)
    assert "spec.model_source.type" not in _paths(found)


def test_a_health_endpoint_is_told_to_be_the_runtime_s(
    findings_of: Callable[..., tuple[Finding, ...]],
) -> None:
    at = "spec.engine.health_endpoint"
    assert at not in _paths(findings_of("vllm", serving_runtime=RUNTIME))
    engine = {"health_endpoint": "/ready"}
    assert at in _paths(findings_of("vllm", serving_runtime=RUNTIME, engine=engine))
    assert at not in _paths(findings_of("vllm", engine=engine))


def test_without_a_source_there_is_nothing_to_fetch(launch_of: Callable[..., Launch]) -> None:
    with pytest.raises(InvalidRequest) as refused:
        launch_of("mock", serving_runtime=RUNTIME, model_source=None, request={"source": None})
    assert "overrides.model_version" in refused.value.fields


def _paths(findings: tuple[Finding, ...]) -> set[str]:
    return {finding.path for finding in findings}
