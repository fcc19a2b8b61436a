"""vLLM's command line, version by version: what is rendered, what is refused with which advice."""

from collections.abc import Callable
from typing import Any

import pytest

from providers.engines import Launch

OLD, NEW = "0.11.0", "0.33.0"


def test_the_model_comes_first_in_one_word_and_the_images_entry_point_stays(
    launch_of: Callable[..., Launch],
) -> None:
    launch = launch_of("vllm")
    assert launch.command == ()
    assert launch.args == ("--model=Qwen/Qwen3-8B", "--served-model-name=qwen3")


def test_everything_stands_in_its_order(launch_of: Callable[..., Launch]) -> None:
    launch = launch_of(
        "vllm",
        port=9000,
        engine={"serve_args": ["--disable-log-stats"], "allow_remote_code": True},
        model_source={
            "type": "huggingface",
            "uri": "Qwen/Qwen3-8B",
            "revision": "main",
            "tokenizer_path": "Qwen/Qwen3-8B-Base",
            "chat_template_path": "/chat.jinja",
        },
        accelerator={"count": 16},
        parallelism={"tp": 4, "pp": 2, "dp": 2, "ep": 8, "cp": 2},
        engine_args={"seed": 7, "max_model_len": 8192, "enforce_eager": True},
        quantization={"weight": "fp8", "kv_cache": "fp8_e4m3"},
        request={"enable_multi_lora": True},
    )
    assert launch.args == (
        "--model=Qwen/Qwen3-8B",
        "--revision=main",
        "--tokenizer=Qwen/Qwen3-8B-Base",
        "--chat-template=/chat.jinja",
        "--tensor-parallel-size=4",
        "--pipeline-parallel-size=2",
        "--data-parallel-size=2",
        "--decode-context-parallel-size=2",
        "--enable-expert-parallel",
        "--enforce-eager",
        "--max-model-len=8192",
        "--seed=7",
        "--quantization=fp8",
        "--kv-cache-dtype=fp8_e4m3",
        "--enable-lora",
        "--trust-remote-code",
        "--served-model-name=qwen3",
        "--port=9000",
        "--disable-log-stats",
    )


def test_a_command_of_the_template_takes_the_place_of_the_entry_point(
    launch_of: Callable[..., Launch],
) -> None:
    launch = launch_of("vllm", engine={"command": ["vllm", "serve"]})
    assert launch.command == ("vllm", "serve")
    assert launch.args[0] == "--model=Qwen/Qwen3-8B"


@pytest.mark.parametrize(
    ("version", "key", "value", "tokens"),
    [
        (OLD, "enable_prefix_caching", True, ["--enable-prefix-caching"]),
        (OLD, "enable_prefix_caching", False, ["--no-enable-prefix-caching"]),
        (NEW, "enable_prefix_caching", "False", ["--no-enable-prefix-caching"]),
        (NEW, "async_scheduling", False, ["--no-async-scheduling"]),
        (NEW, "enforce_eager", False, ["--no-enforce-eager"]),
        (NEW, "grpc", False, []),
        (NEW, "aggregate_engine_logging", False, []),
        (OLD, "enable_multimodal_encoder_data_parallel", False, []),
        (OLD, "task", "embed", ["--task=embed"]),
        (OLD, "swap_space", 4, ["--swap-space=4"]),
        (OLD, "cuda_graph_sizes", 8, ["--cuda-graph-sizes=8"]),
        (NEW, "cudagraph_capture_sizes", 8, ["--cudagraph-capture-sizes=8"]),
        (NEW, "max_model_len", "auto", ["--max-model-len=auto"]),
        (NEW, "max_model_len", -1, ["--max-model-len=-1"]),
        (NEW, "speculative_config.method", "ngram", ["--speculative-config.method=ngram"]),
        (
            NEW,
            "speculative_config.num_speculative_tokens",
            3,
            ["--speculative-config.num_speculative_tokens=3"],
        ),
        (NEW, "limit_mm_per_prompt", '{"image": 2}', ['--limit-mm-per-prompt={"image": 2}']),
        (NEW, "max_lora_rank", 1, ["--max-lora-rank=1"]),
        (OLD, "block_size", 16, ["--block-size=16"]),
        (NEW, "block_size", 24, ["--block-size=24"]),
        (NEW, "gpu_memory_utilization", 0.9, ["--gpu-memory-utilization=0.9"]),
        (NEW, "disable_log_requests", True, ["--disable-log-requests"]),
        (NEW, "enable_expert_parallel", True, ["--enable-expert-parallel"]),
        (NEW, "kv_cache_dtype", "fp8", ["--kv-cache-dtype=fp8"]),
        (NEW, "enable_lora", True, ["--enable-lora"]),
    ],
)
def test_an_argument_becomes_the_versions_own_flag(
    launch_of: Callable[..., Launch],
    refusals_of: Callable[..., dict[str, str]],
    version: str,
    key: str,
    value: Any,
    tokens: list[str],
) -> None:
    parts = {"engine": {"version": version}, "engine_args": {key: value}}
    assert refusals_of("vllm", **parts) == {}
    args = launch_of("vllm", **parts).args
    assert list(args) == ["--model=Qwen/Qwen3-8B", *tokens, "--served-model-name=qwen3"]


@pytest.mark.parametrize(
    ("version", "key", "value", "advice"),
    [
        # Gone or renamed.
        (NEW, "task", "embed", "write runner: pooling"),
        (NEW, "swap_space", 4, "does not take swap_space; leave it out"),
        (NEW, "calculate_kv_scales", True, "leave it out"),
        (NEW, "cuda_graph_sizes", 8, "write cudagraph_capture_sizes instead"),
        (NEW, "guided_decoding_backend", "auto", "write structured_outputs_config instead"),
        (NEW, "rope_scaling", "{}", "write hf_overrides instead"),
        (NEW, "rope_theta", 1, "write hf_overrides instead"),
        (NEW, "override_pooler_config", "{}", "write pooler_config instead"),
        (NEW, "disable_frontend_multiprocessing", True, "leave it out"),
        (NEW, "lora_extra_vocab_size", 8, "leave it out"),
        (NEW, "enable_lora_bias", True, "leave it out"),
        (NEW, "num_lookahead_slots", 1, "leave it out"),
        (NEW, "num_redundant_experts", 1, "write eplb_config instead"),
        (NEW, "eplb_window_size", 1, "write eplb_config instead"),
        (NEW, "max_num_partial_prefills", 2, "leave it out"),
        (NEW, "compilation_config", '{"level": 3}', 'write {"mode": N}'),
        (OLD, "device", "cuda", "leave it out"),
        (NEW, "num_scheduler_steps", 8, "leave it out"),
        (OLD, "speculative_model", "x", "write speculative_config.model instead"),
        (OLD, "enable_reasoning", True, "reasoning_parser"),
        (OLD, "shutdown_timeout", 30, "does not take shutdown_timeout"),
        (OLD, "cudagraph_capture_sizes", 8, "write cuda_graph_sizes instead"),
        # Misspelt.
        (NEW, "max_model", 8192, "write the whole name, max_model_len"),
        (NEW, "maxmodel_len", 8192, "write the whole name, max_model_len"),
        (NEW, "max_num_seq", 8, "write the whole name, max_num_seqs"),
        (NEW, "enforce", True, "write the whole name, enforce_eager"),
        (NEW, "tensor_parallel", 2, "spec.parallelism.tp"),
        # Fields of the template.
        (NEW, "model", "x", "spec.model_source"),
        (NEW, "served_model_name", "x", "serving name"),
        (NEW, "host", "0.0.0.0", "every address"),  # noqa: S104
        (NEW, "port", 9000, "spec.engine.port"),
        (NEW, "tensor_parallel_size", 2, "spec.parallelism.tp"),
        (NEW, "tp", 2, "spec.parallelism.tp"),
        (NEW, "data_parallel_size_local", 2, "spec.parallelism.dp"),
        (NEW, "nnodes", 2, "spec.topology.nodes"),
        (NEW, "api_key", "x", "could be read in the manifest"),
        (NEW, "hf_token", "x", "auth_secret_ref"),
        # Negatives.
        (NEW, "no_enable_prefix_caching", True, "write enable_prefix_caching: false instead"),
        (NEW, "disable_cascade_attn", False, "leave it out: cascade_attn is on without it"),
        (OLD, "disable_log_requests", False, "write enable_log_requests: true instead"),
        # Values.
        (NEW, "max_model_len", "8k", "give the number"),
        (NEW, "max_model_len", "32K", "give the number"),
        (NEW, "max_num_batched_tokens", "8k", "give the number"),
        (NEW, "max_model_len", 8192.0, "must be a whole number"),
        (NEW, "max_model_len", 0, "must be above 0"),
        (OLD, "max_model_len", -1, "must be above 0"),
        (OLD, "max_model_len", "auto", "must be a whole number"),
        (NEW, "max_model_len", "\u0663", "must be a whole number"),
        (NEW, "shutdown_timeout", "\u00b2", "must be a whole number"),
        (NEW, "max_model_len", True, "needs a value"),
        (NEW, "enforce_eager", "yes", "must be true or false"),
        (NEW, "enable_lora", "yes", "must be true or false"),
        (NEW, "gpu_memory_utilization", 90, "must be above 0 and at most 1"),
        (NEW, "gpu_memory_utilization", "most", "must be above 0 and at most 1"),
        (NEW, "limit_mm_per_prompt", "image=2", "must be JSON"),
        (NEW, "allowed_origins", "*", "must be JSON"),
        (NEW, "max_lora_rank", 24, "takes one of 1, 8, 16"),
        (OLD, "max_lora_rank", 1, "takes one of 8, 16"),
        (OLD, "block_size", 24, "takes one of 1, 8, 16"),
        (NEW, "convert", "reward", "takes one of"),
        # Code that the model brings.
        (NEW, "trust_remote_code", True, "spec.engine.allow_remote_code"),
        (NEW, "code_revision", "main", "spec.engine.allow_remote_code"),
        (NEW, "tool_parser_plugin", "/m/p.py", "spec.engine.allow_remote_code"),
        # Companions.
        (NEW, "enable_eplb", True, "needs expert parallelism"),
    ],
)
def test_an_argument_that_cannot_work_is_refused_with_what_to_do(
    launch_of: Callable[..., Launch],
    refusals_of: Callable[..., dict[str, str]],
    version: str,
    key: str,
    value: Any,
    advice: str,
) -> None:
    parts = {"engine": {"version": version}, "engine_args": {key: value}}
    assert advice in refusals_of("vllm", **parts)[f"spec.engine_args.{key}"]
    if key != "enable_eplb":
        assert launch_of("vllm", **parts).args == (
            "--model=Qwen/Qwen3-8B",
            "--served-model-name=qwen3",
        )


def test_an_unknown_argument_is_passed_on_with_a_warning(
    launch_of: Callable[..., Launch],
    refusals_of: Callable[..., dict[str, str]],
    warnings_of: Callable[..., dict[str, str]],
) -> None:
    parts = {"engine_args": {"brand_new": "x", "brand_newer": True, "brand_newest": False}}
    assert refusals_of("vllm", **parts) == {}
    assert set(warnings_of("vllm", **parts)) == {
        f"spec.engine_args.{k}" for k in ("brand_new", "brand_newer", "brand_newest")
    }
    assert launch_of("vllm", **parts).args[1:4] == (
        "--brand-new=x",
        "--brand-newer",
        "--no-brand-newest",
    )


def test_a_warning_about_an_unknown_argument_names_the_one_that_was_probably_meant(
    warnings_of: Callable[..., dict[str, str]],
) -> None:
    found = warnings_of("vllm", engine_args={"max_modle_len": 1})
    assert "did you mean max_model_len?" in found["spec.engine_args.max_modle_len"]


def test_code_of_the_model_runs_where_the_template_allows_it(
    launch_of: Callable[..., Launch], refusals_of: Callable[..., dict[str, str]]
) -> None:
    parts = {"engine": {"allow_remote_code": True}, "engine_args": {"code_revision": "v1"}}
    assert refusals_of("vllm", **parts) == {}
    assert {"--trust-remote-code", "--code-revision=v1"} <= set(launch_of("vllm", **parts).args)


def test_trust_can_be_taken_back_where_the_template_would_allow_it(
    launch_of: Callable[..., Launch],
) -> None:
    launch = launch_of(
        "vllm", engine={"allow_remote_code": True}, engine_args={"trust_remote_code": False}
    )
    assert not any("trust-remote-code" in word for word in launch.args)


@pytest.mark.parametrize(
    ("key", "parts"),
    [
        ("quantization", {"quantization": {"weight": "fp8"}}),
        ("kv_cache_dtype", {"quantization": {"kv_cache": "fp8"}}),
        ("revision", {"model_source": {"revision": "main"}}),
        ("tokenizer", {"model_source": {"tokenizer_path": "a/b"}}),
        ("chat_template", {"model_source": {"chat_template_path": "/a"}}),
    ],
)
def test_what_a_field_says_already_is_not_said_otherwise_by_an_argument(
    refusals_of: Callable[..., dict[str, str]], key: str, parts: dict[str, Any]
) -> None:
    found = refusals_of("vllm", engine_args={key: "mxfp4"}, **parts)
    assert "leave this argument out" in found[f"spec.engine_args.{key}"]


def test_arguments_of_the_deployment_are_rendered_not_those_of_the_template(
    launch_of: Callable[..., Launch],
) -> None:
    launch = launch_of(
        "vllm",
        engine_args={"max_model_len": 8192},
        request={"engine_args": {"max_model_len": "4096"}},
    )
    assert "--max-model-len=4096" in launch.args


def test_without_a_source_nothing_is_started(launch_of: Callable[..., Launch]) -> None:
    with pytest.raises(Exception, match=r"overrides\.model_version: is required"):
        launch_of("vllm", request={"source": None})


def test_a_draft_without_a_source_can_be_reviewed(
    refusals_of: Callable[..., dict[str, str]],
) -> None:
    assert refusals_of("vllm", model_source=None) == {}


def test_an_empty_argument_is_not_given(launch_of: Callable[..., Launch]) -> None:
    assert launch_of("vllm", engine_args={"max_model_len": ""}).args == launch_of("vllm").args
