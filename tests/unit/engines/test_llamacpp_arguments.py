"""The llama.cpp server's command line: two words each, never without a model."""

from collections.abc import Callable
from typing import Any

import pytest

from providers.engines import Finding, Launch

HEAD = ["--hf-repo", "ggml-org/gemma-3-4b-it-GGUF"]
TAIL = ["--alias", "qwen3", "--host", "0.0.0.0", "--port", "8000", "--metrics"]  # noqa: S104
SOURCE = {"type": "huggingface", "uri": "ggml-org/gemma-3-4b-it-GGUF"}


def test_host_and_port_are_always_said(launch_of: Callable[..., Launch]) -> None:
    launch = launch_of("llamacpp", model_source=SOURCE)
    assert launch.command == ()
    assert list(launch.args) == HEAD + TAIL


def test_a_command_of_the_template_takes_the_place_of_the_entry_point(
    launch_of: Callable[..., Launch],
) -> None:
    assert launch_of("llamacpp", engine={"command": ["/llama-server"]}).command == (
        "/llama-server",
    )


@pytest.mark.parametrize(
    ("source", "weight", "words"),
    [
        ({"type": "local", "uri": "/models/a.gguf"}, "", ["--model", "/models/a.gguf"]),
        (SOURCE, "Q4_K_M", ["--hf-repo", "ggml-org/gemma-3-4b-it-GGUF:Q4_K_M"]),
        (SOURCE, "UD-Q4_K_XL", ["--hf-repo", "ggml-org/gemma-3-4b-it-GGUF:UD-Q4_K_XL"]),
        ({**SOURCE, "chat_template_path": "/t"}, "", [*HEAD, "--chat-template-file", "/t"]),
    ],
)
def test_the_model_is_a_file_or_a_repository_with_its_type(
    launch_of: Callable[..., Launch],
    refusals_of: Callable[..., dict[str, str]],
    source: dict[str, Any],
    weight: str,
    words: list[str],
) -> None:
    parts = {"model_source": source, "quantization": {"weight": weight}}
    assert refusals_of("llamacpp", **parts) == {}
    assert list(launch_of("llamacpp", **parts).args) == words + TAIL


def test_without_a_model_it_is_never_started(launch_of: Callable[..., Launch]) -> None:
    with pytest.raises(Exception, match=r"overrides\.model_version: is required"):
        launch_of("llamacpp", request={"source": None})


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ({"max_model_len": 8192}, ["--ctx-size", "8192"]),
        ({"max_model_len": 8192, "max_num_seqs": 4}, ["--ctx-size", "32768", "--parallel", "4"]),
        ({"max_model_len": 8192, "parallel": 4}, ["--ctx-size", "32768", "--parallel", "4"]),
        ({"max_num_seqs": 4, "ctx_size": 8192}, ["--ctx-size", "8192", "--parallel", "4"]),
        ({"seed": 3}, ["--seed", "3"]),
        ({"n_gpu_layers": "all"}, ["--n-gpu-layers", "all"]),
        ({"mmap": False}, ["--no-mmap"]),
        ({"jinja": True}, ["--jinja"]),
        ({"embeddings": True}, ["--embeddings"]),
        ({"embeddings": False}, []),
        ({"enable_prefix_caching": True}, []),
        ({"enable_prefix_caching": False}, ["--no-cache-prompt"]),
        ({"enforce_eager": False}, []),
        ({"dtype": "auto"}, []),
        ({"flash_attn": "on"}, ["--flash-attn", "on"]),
        ({"no_host": True}, ["--no-host"]),
    ],
)
def test_arguments_are_two_words_each(
    launch_of: Callable[..., Launch],
    findings_of: Callable[..., tuple[Finding, ...]],
    args: dict[str, Any],
    words: list[str],
) -> None:
    parts = {"model_source": SOURCE, "engine_args": args}
    assert findings_of("llamacpp", **parts) == ()
    assert list(launch_of("llamacpp", **parts).args) == HEAD + words + TAIL


def test_the_cache_type_is_said_for_keys_and_for_values(launch_of: Callable[..., Launch]) -> None:
    words = launch_of("llamacpp", model_source=SOURCE, quantization={"kv_cache": "q8_0"}).args
    assert list(words) == [*HEAD, "--cache-type-k", "q8_0", "--cache-type-v", "q8_0", *TAIL]


@pytest.mark.parametrize(
    ("key", "value", "advice"),
    [
        ("max_model_len", "8k", "give the number"),
        ("max_model_len", 0, "must be above 0"),
        ("max_num_seqs", "many", "must be a whole number"),
        ("gpu_memory_utilization", 0.9, "write n_gpu_layers"),
        ("max_num_batched_tokens", 512, "write batch_size"),
        ("enable_auto_tool_choice", False, "write jinja: false"),
        ("speculative_config.method", "x", "has no counterpart in llama.cpp"),
        ("draft_max", 4, "write spec_draft_n_max instead"),
        ("ctx", 4096, "write the whole name"),
        ("no_mmap", True, "write mmap: false instead"),
        ("hf_file", "x", "spec.model_source"),
        ("api_key_file", "/x", "leave it out"),
        ("gpt_oss_20b_default", True, "spec.model_source"),
        ("tensor_parallel_size", 2, "spec.parallelism.tp"),
    ],
)
def test_what_it_cannot_do_is_refused_with_what_to_do(
    launch_of: Callable[..., Launch],
    refusals_of: Callable[..., dict[str, str]],
    key: str,
    value: Any,
    advice: str,
) -> None:
    parts = {"model_source": SOURCE, "engine_args": {key: value}}
    assert advice in refusals_of("llamacpp", **parts)[f"spec.engine_args.{key}"]
    assert list(launch_of("llamacpp", **parts).args) == HEAD + TAIL


@pytest.mark.parametrize(
    ("path", "parts"),
    [
        ("spec.model_source.revision", {"model_source": {**SOURCE, "revision": "main"}}),
        ("spec.model_source.tokenizer_path", {"model_source": {**SOURCE, "tokenizer_path": "a"}}),
        ("spec.model_source.type", {"model_source": {"type": "s3", "uri": "s3://b/m"}}),
        ("spec.quantization.weight", {"quantization": {"weight": "awq"}}),
        (
            "spec.quantization.weight",
            {"quantization": {"weight": "Q8_0"}, "model_source": {**SOURCE, "uri": "a/b:Q4_K_M"}},
        ),
        ("spec.quantization.kv_cache", {"quantization": {"kv_cache": "fp8"}}),
        ("spec.parallelism.tp", {"parallelism": {"tp": 2}}),
        ("spec.topology.kind", {"topology": {"kind": "multi-node", "nodes": 2}}),
        ("spec.serving_name", {"serving_name": "a,b"}),
        ("spec.engine.serve_args", {"engine": {"serve_args": ["--gpt-oss-20b-default"]}}),
    ],
)
def test_a_field_that_it_cannot_honour_is_refused(
    refusals_of: Callable[..., dict[str, str]], path: str, parts: dict[str, Any]
) -> None:
    assert path in refusals_of("llamacpp", **{"model_source": SOURCE, **parts})


def test_slots_without_a_length_get_a_warning(warnings_of: Callable[..., dict[str, str]]) -> None:
    found = warnings_of("llamacpp", engine_args={"max_num_seqs": 4})
    assert "max_model_len" in found["spec.engine_args.max_num_seqs"]


def test_accelerators_may_be_counted_freely(refusals_of: Callable[..., dict[str, str]]) -> None:
    assert refusals_of("llamacpp", accelerator={"count": 3}, model_source=SOURCE) == {}


def test_adapters_by_switch_are_refused(launch_of: Callable[..., Launch]) -> None:
    with pytest.raises(Exception, match=r"overrides\.enable_multi_lora"):
        launch_of("llamacpp", request={"enable_multi_lora": True})
