"""Words that a template appends: they suppress ours, and may not set what a field sets."""

from collections.abc import Callable
from typing import Any

import pytest

from providers.engines import Finding, Launch

PATH = "spec.engine.serve_args"


@pytest.mark.parametrize(
    ("kind", "words", "gone"),
    [
        ("vllm", ["--max-model-len", "4096"], "--max-model-len=8192"),
        ("vllm", ["--max_model_len=4096"], "--max-model-len=8192"),
        ("vllm", ["--no-enable-prefix-caching"], "--enable-prefix-caching"),
        ("vllm", ["-q", "fp8"], "--quantization=fp8"),
        ("vllm", ["--speculative-config.method=ngram"], '--speculative-config={"a": 1}'),
        ("sglang", ["--context-length", "4096"], "--context-length=8192"),
        ("sglang", ["--enable-metrics"], None),
        ("llamacpp", ["-c", "4096"], "--ctx-size"),
        ("llamacpp", ["--metrics"], None),
    ],
)
def test_a_flag_among_them_suppresses_ours(
    launch_of: Callable[..., Launch],
    refusals_of: Callable[..., dict[str, str]],
    kind: str,
    words: list[str],
    gone: str | None,
) -> None:
    args: dict[str, Any] = {"max_model_len": 8192}
    if kind == "vllm":
        args |= {"enable_prefix_caching": True, "speculative_config": '{"a": 1}'}
    parts = {
        "engine": {"serve_args": words},
        "engine_args": args,
        "quantization": {} if kind == "llamacpp" else {"weight": "fp8"},
    }
    assert refusals_of(kind, **parts) == {}
    rendered = list(launch_of(kind, **parts).args)
    assert rendered[-len(words) :] == words
    assert gone not in rendered
    assert rendered.count(words[0]) == 1


@pytest.mark.parametrize(
    ("kind", "words", "advice"),
    [
        # The model.
        ("vllm", ["--model", "x"], "spec.model_source"),
        ("vllm", ["--mod=x"], "spec.model_source"),
        ("vllm", ["Qwen/Qwen3-0.6B"], "could be read as the model"),
        ("vllm", ["--enforce-eager", "Qwen/Qwen3-0.6B"], "could be read as the model"),
        ("vllm", ["--max-model-len=8192", "Qwen/Qwen3-0.6B"], "could be read as the model"),
        ("vllm", ["--", "x"], "--"),
        ("sglang", ["--model-path", "x"], "spec.model_source"),
        ("sglang", ["--model", "x"], "spec.model_source"),
        ("llamacpp", ["-m", "x"], "spec.model_source"),
        ("llamacpp", ["-hf", "x"], "spec.model_source"),
        ("llamacpp", ["-hff", "x"], "spec.model_source"),
        ("llamacpp", ["--model-url", "x"], "spec.model_source"),
        ("llamacpp", ["--models-dir", "x"], "spec.model_source"),
        # The served name.
        ("vllm", ["--served-model-name", "x"], "serving name"),
        ("vllm", ["--served_model_name=x"], "serving name"),
        ("vllm", ["--served", "x"], "serving name"),
        ("llamacpp", ["-a", "x"], "serving name"),
        # Host and port.
        ("vllm", ["--host", "0.0.0.0"], "every address"),  # noqa: S104
        ("vllm", ["--port=1"], "spec.engine.port"),
        ("vllm", ["--po", "1"], "spec.engine.port"),
        ("sglang", ["--port", "1"], "spec.engine.port"),
        # Parallelism.
        ("vllm", ["-tp", "2"], "spec.parallelism.tp"),
        ("vllm", ["-tp=2"], "spec.parallelism.tp"),
        ("vllm", ["--tensor_parallel_size=2"], "spec.parallelism.tp"),
        ("vllm", ["--tensor-par", "2"], "spec.parallelism.tp"),
        ("vllm", ["-pp", "2"], "spec.parallelism.pp"),
        ("vllm", ["-dp", "2"], "spec.parallelism.dp"),
        ("vllm", ["-dpn", "2"], "spec.parallelism.dp"),
        ("vllm", ["-dcp", "2"], "spec.parallelism.cp"),
        ("vllm", ["-ep"], "spec.parallelism.ep"),
        ("vllm", ["--enable-expert-parallel"], "spec.parallelism.ep"),
        ("vllm", ["-pcp", "2"], "spec.engine_args"),
        ("vllm", ["-n2"], "spec.topology.nodes"),
        ("vllm", ["--headless"], "spec.topology.nodes"),
        ("sglang", ["--tp", "2"], "spec.parallelism.tp"),
        ("sglang", ["--tp-size", "2"], "spec.parallelism.tp"),
        ("sglang", ["--tensor-parallel-size", "2"], "spec.parallelism.tp"),
        ("sglang", ["--ep", "2"], "spec.parallelism.ep"),
        ("sglang", ["--enable-dp-attention"], "spec.engine_args"),
        # Keys.
        ("vllm", ["--api-key", "x"], "could be read in the manifest"),
        ("vllm", ["--api_key=x"], "could be read in the manifest"),
        ("vllm", ["--api-k", "x"], "could be read in the manifest"),
        ("vllm", ["--hf-token", "x"], "auth_secret_ref"),
        ("sglang", ["--admin-api-key", "x"], "could be read in the manifest"),
        ("llamacpp", ["--api-key", "x"], "could be read in the manifest"),
        ("llamacpp", ["-hft", "x"], "auth_secret_ref"),
        # Code, and spelling.
        ("vllm", ["--trust-remote-code"], "spec.engine.allow_remote_code"),
        ("sglang", ["--trust-remote-code"], "spec.engine.allow_remote_code"),
        ("vllm", ["--max-model", "8"], "write the whole name"),
        ("vllm", ["--task", "embed"], "does not take task"),
        ("vllm", ["--enforce-eager", "true"], "'true' behind it"),
        ("vllm", ["--enforce-eager=true"], "takes no value"),
        ("vllm", ["--no-grpc"], "knows no --no- form"),
        ("sglang", ["--context_length", "8"], "write it with dashes"),
        ("sglang", ["--enable-torch-compile", "true"], "'true' behind it"),
        ("sglang", ["--no-enable-torch-compile"], "knows no --no- form"),
        ("sglang", ["--context", "8"], "write the whole name"),
        ("llamacpp", ["--ctx-size=8"], "a word of its own"),
    ],
)
def test_what_has_a_field_or_is_misspelt_is_refused_and_not_rendered(
    launch_of: Callable[..., Launch],
    refusals_of: Callable[..., dict[str, str]],
    kind: str,
    words: list[str],
    advice: str,
) -> None:
    parts = {"engine": {"serve_args": words}}
    assert advice in refusals_of(kind, **parts)[PATH]
    assert launch_of(kind, **parts).args == launch_of(kind).args


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("vllm", ["--max-loras", "2", "--lora-modules", "a=/a", "b=/b", "--seed", "-1"]),
        ("vllm", ["-O", "3"]),
        ("vllm", ["-O3"]),
        ("vllm", ["--tokenizer-mode", "auto"]),
        ("vllm", ["--model-impl", "auto"]),
        ("sglang", ["--lora-paths", "a=/a", "b=/b", "--no-lora-strict-loading"]),
        ("llamacpp", ["-ngl", "99", "--no-mmap", "--lora", "/a"]),
    ],
)
def test_other_words_are_passed_on_as_they_are(
    launch_of: Callable[..., Launch],
    findings_of: Callable[..., tuple[Finding, ...]],
    kind: str,
    words: list[str],
) -> None:
    parts = {"engine": {"serve_args": words}}
    assert findings_of(kind, **parts) == ()
    assert list(launch_of(kind, **parts).args)[-len(words) :] == words


@pytest.mark.parametrize("words", [["--brand-new", "x"], ["--config", "/c.yaml"]])
def test_words_that_cannot_be_checked_get_a_warning(
    warnings_of: Callable[..., dict[str, str]],
    refusals_of: Callable[..., dict[str, str]],
    words: list[str],
) -> None:
    parts = {"engine": {"serve_args": words}}
    assert refusals_of("vllm", **parts) == {}
    assert words[0] in warnings_of("vllm", **parts)[PATH]


def test_code_of_the_model_may_be_switched_on_where_the_template_allows_it(
    launch_of: Callable[..., Launch],
) -> None:
    words = ["--trust-remote-code"]
    launch = launch_of("vllm", engine={"serve_args": words, "allow_remote_code": True})
    assert launch.args.count("--trust-remote-code") == 1
