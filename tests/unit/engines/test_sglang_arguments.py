"""SGLang's command line: vLLM's words translated, whole flags, no form for false."""

from collections.abc import Callable
from typing import Any

import pytest

from providers.engines import Finding, Launch

OLD, NEW = "0.5.3", "0.5.23"
HEAD = ["--model-path=Qwen/Qwen3-8B"]
TAIL = ["--served-model-name=qwen3", "--host=0.0.0.0", "--port=8000", "--enable-metrics"]


@pytest.mark.parametrize("version", [OLD, NEW])
def test_the_module_is_started_on_every_address_with_metrics(
    launch_of: Callable[..., Launch], version: str
) -> None:
    launch = launch_of("sglang", engine={"version": version})
    assert launch.command == ("python3", "-m", "sglang.launch_server")
    assert list(launch.args) == HEAD + TAIL


def test_a_command_of_the_template_takes_the_place_of_the_module(
    launch_of: Callable[..., Launch],
) -> None:
    assert launch_of("sglang", engine={"command": ["sglang", "serve"]}).command == (
        "sglang",
        "serve",
    )


def test_everything_stands_in_its_order(launch_of: Callable[..., Launch]) -> None:
    launch = launch_of(
        "sglang",
        port=9000,
        engine={"serve_args": ["--log-level", "debug"], "allow_remote_code": True},
        model_source={
            "type": "huggingface",
            "uri": "Qwen/Qwen3-8B",
            "revision": "main",
            "tokenizer_path": "a/b",
            "chat_template_path": "/c",
        },
        accelerator={"count": 16},
        parallelism={"tp": 4, "pp": 2, "dp": 2, "ep": 2, "cp": 2, "sp": 4},
        engine_args={"seed": 7, "max_model_len": 8192},
        quantization={"weight": "fp8", "kv_cache": "fp8_e4m3"},
        request={"enable_multi_lora": True},
    )
    assert list(launch.args) == [
        *HEAD,
        "--revision=main",
        "--tokenizer-path=a/b",
        "--chat-template=/c",
        "--tp-size=4",
        "--pp-size=2",
        "--dp-size=2",
        "--ep-size=2",
        "--dcp-size=2",
        "--enable-layernorm-sp",
        "--context-length=8192",
        "--random-seed=7",
        "--quantization=fp8",
        "--kv-cache-dtype=fp8_e4m3",
        "--enable-lora",
        "--max-lora-rank=64",
        "--lora-target-modules=all",
        "--trust-remote-code",
        "--served-model-name=qwen3",
        "--host=0.0.0.0",
        "--port=9000",
        "--enable-metrics",
        "--log-level",
        "debug",
    ]


@pytest.mark.parametrize(
    ("version", "key", "value", "tokens"),
    [
        (NEW, "max_model_len", 8192, ["--context-length=8192"]),
        (NEW, "max_num_seqs", 64, ["--max-running-requests=64"]),
        (NEW, "seed", 1, ["--random-seed=1"]),
        (NEW, "download_dir", "/m", ["--download-dir=/m"]),
        (NEW, "dtype", "bfloat16", ["--dtype=bfloat16"]),
        (NEW, "load_format", "dummy", ["--load-format=dummy"]),
        (NEW, "max_loras", 4, ["--max-loras-per-batch=4"]),
        (NEW, "max_lora_rank", 32, ["--max-lora-rank=32"]),
        (NEW, "block_size", 64, ["--page-size=64"]),
        (NEW, "hf_overrides", '{"a": 1}', ['--json-model-override-args={"a": 1}']),
        (NEW, "cpu_offload_gb", 4, ["--cpu-offload-gb=4"]),
        (NEW, "disable_custom_all_reduce", True, ["--disable-custom-all-reduce"]),
        (NEW, "reasoning_parser", "qwen3", ["--reasoning-parser=qwen3"]),
        (NEW, "tool_call_parser", "hermes", ["--tool-call-parser=hermes"]),
        (OLD, "tool_call_parser", "qwen25", ["--tool-call-parser=qwen25"]),
        # On or off by itself.
        (NEW, "enable_prefix_caching", True, []),
        (NEW, "enable_prefix_caching", False, ["--disable-radix-cache"]),
        (NEW, "enable_chunked_prefill", True, []),
        (NEW, "enable_chunked_prefill", False, ["--chunked-prefill-size=-1"]),
        (NEW, "enforce_eager", False, []),
        (OLD, "enforce_eager", True, ["--disable-cuda-graph"]),
        (
            NEW,
            "enforce_eager",
            True,
            ["--cuda-graph-backend-decode=disabled", "--cuda-graph-backend-prefill=disabled"],
        ),
        (NEW, "swap_space", 0, []),
        (NEW, "enable_auto_tool_choice", False, []),
        (NEW, "disable_log_requests", True, []),
        (NEW, "distributed_executor_backend", "mp", []),
        (NEW, "uvicorn_log_level", "info", []),
        # False is left out, but for the few switches with a form for it.
        (NEW, "disable_radix_cache", False, []),
        (NEW, "disable_custom_all_reduce", False, []),
        (NEW, "enable_torch_compile", False, []),
        (NEW, "enable_torch_compile", True, ["--enable-torch-compile"]),
        (NEW, "lora_strict_loading", False, ["--no-lora-strict-loading"]),
        (OLD, "cuda_graph_max_bs", 8, ["--cuda-graph-max-bs=8"]),
        (NEW, "cuda_graph_max_bs_decode", 8, ["--cuda-graph-max-bs-decode=8"]),
        (OLD, "kv_cache_dtype", "fp8_e5m2", ["--kv-cache-dtype=fp8_e5m2"]),
    ],
)
def test_a_word_of_vllm_becomes_sglangs_own_flag(
    launch_of: Callable[..., Launch],
    findings_of: Callable[..., tuple[Finding, ...]],
    version: str,
    key: str,
    value: Any,
    tokens: list[str],
) -> None:
    parts = {"engine": {"version": version}, "engine_args": {key: value}}
    assert findings_of("sglang", **parts) == ()
    assert list(launch_of("sglang", **parts).args) == HEAD + tokens + TAIL


@pytest.mark.parametrize(
    ("key", "value", "token", "hint"),
    [
        ("gpu_memory_utilization", 0.8, "--mem-fraction-static=0.8", "weights and cache only"),
        ("max_num_batched_tokens", 4096, "--chunked-prefill-size=4096", "near, but not the same"),
    ],
)
def test_a_word_that_means_nearly_the_same_is_translated_with_a_warning(
    launch_of: Callable[..., Launch],
    warnings_of: Callable[..., dict[str, str]],
    refusals_of: Callable[..., dict[str, str]],
    key: str,
    value: Any,
    token: str,
    hint: str,
) -> None:
    parts = {"engine_args": {key: value}}
    assert refusals_of("sglang", **parts) == {}
    assert hint in warnings_of("sglang", **parts)[f"spec.engine_args.{key}"]
    assert token in launch_of("sglang", **parts).args


@pytest.mark.parametrize(
    ("version", "key", "value", "advice"),
    [
        (NEW, "swap_space", 4, "has no counterpart in SGLang"),
        (NEW, "enforce_eager", "maybe", "has no counterpart in SGLang"),
        (NEW, "enable_auto_tool_choice", True, "name a tool_call_parser"),
        (NEW, "disable_log_requests", False, "write log_requests: true"),
        (NEW, "distributed_executor_backend", "ray", "has no counterpart in SGLang"),
        (NEW, "uvicorn_log_level", "debug", "write log_level"),
        (NEW, "async_scheduling", True, "has no counterpart in SGLang"),
        (NEW, "speculative_config.method", "ngram", "has no counterpart in SGLang"),
        (NEW, "cuda_graph_max_bs", 8, "write cuda_graph_max_bs_decode"),
        (NEW, "enable_ep_moe", True, "spec.parallelism.ep"),
        (NEW, "torchao_config", "x", "does not take torchao_config"),
        (NEW, "stream_output", True, "does not take stream_output"),
        (NEW, "nsa_prefill", "x", "does not take nsa_prefill"),
        (NEW, "hybrid_kvcache_ratio", 1, "does not take hybrid_kvcache_ratio"),
        (NEW, "oltp_traces_endpoint", "x", "write otlp_traces_endpoint"),
        (OLD, "cuda_graph_max_bs_decode", 8, "write cuda_graph_max_bs instead"),
        (NEW, "context", 8192, "write the whole name"),
        (NEW, "tp_size", 2, "spec.parallelism.tp"),
        (NEW, "attn_dp_size", 2, "enable_dp_attention"),
        (NEW, "dist_init_addr", "x", "spec.topology.nodes"),
        (NEW, "admin_api_key", "x", "could be read in the manifest"),
        (NEW, "context_length", "8k", "give the number"),
        (NEW, "max_model_len", "8k", "give the number"),
        (NEW, "max_num_batched_tokens", "8k", "give the number"),
        (NEW, "dtype", "fp8", "takes one of"),
        (NEW, "gpu_memory_utilization", 90, "must be above 0 and at most 1"),
        (NEW, "mem_fraction_static", 90, "must be above 0 and at most 1"),
        (NEW, "enable_torch_compile", "yes", "must be true or false"),
        (NEW, "enable_dp_attention", "yes", "must be true or false"),
        (OLD, "tool_call_parser", "hermes", "does not know 'hermes'"),
        (NEW, "enable_custom_logit_processor", True, "allow_remote_code"),
        (NEW, "trust_remote_code", True, "allow_remote_code"),
    ],
)
def test_a_word_without_a_counterpart_is_refused_with_what_to_do(
    launch_of: Callable[..., Launch],
    refusals_of: Callable[..., dict[str, str]],
    version: str,
    key: str,
    value: Any,
    advice: str,
) -> None:
    parts = {"engine": {"version": version}, "engine_args": {key: value}}
    assert advice in refusals_of("sglang", **parts)[f"spec.engine_args.{key}"]
    assert list(launch_of("sglang", **parts).args) == HEAD + TAIL


def test_a_negative_key_is_left_out_with_a_warning(
    launch_of: Callable[..., Launch], warnings_of: Callable[..., dict[str, str]]
) -> None:
    parts = {"engine_args": {"no_enable_prefix_caching": True}}
    found = warnings_of("sglang", **parts)["spec.engine_args.no_enable_prefix_caching"]
    assert "write enable_prefix_caching: false" in found
    assert list(launch_of("sglang", **parts).args) == HEAD + TAIL


def test_an_unknown_argument_is_passed_on_with_a_warning(
    launch_of: Callable[..., Launch],
    warnings_of: Callable[..., dict[str, str]],
    refusals_of: Callable[..., dict[str, str]],
) -> None:
    parts = {"engine_args": {"brand_new": "x"}}
    assert refusals_of("sglang", **parts) == {}
    assert "spec.engine_args.brand_new" in warnings_of("sglang", **parts)
    assert "--brand-new=x" in launch_of("sglang", **parts).args


def test_two_words_for_one_flag_are_refused_and_rendered_once(
    launch_of: Callable[..., Launch], refusals_of: Callable[..., dict[str, str]]
) -> None:
    parts = {"engine_args": {"chunked_prefill_size": 2048, "max_num_batched_tokens": 4096}}
    found = refusals_of("sglang", **parts)["spec.engine_args.max_num_batched_tokens"]
    assert "--chunked-prefill-size is set twice" in found
    words = [w for w in launch_of("sglang", **parts).args if w.startswith("--chunked")]
    assert words == ["--chunked-prefill-size=2048"]


@pytest.mark.parametrize(
    ("version", "tokens"),
    [
        (OLD, ["--tp-size=4", "--dp-size=2", "--enable-dp-attention"]),
        (NEW, ["--tp-size=4", "--attn-dp-size=2"]),
    ],
)
def test_attention_dp_is_spelt_as_the_version_wants_it(
    launch_of: Callable[..., Launch],
    refusals_of: Callable[..., dict[str, str]],
    version: str,
    tokens: list[str],
) -> None:
    parts = {
        "engine": {"version": version},
        "accelerator": {"count": 4},
        "parallelism": {"tp": 4, "dp": 2},
        "engine_args": {"enable_dp_attention": True},
    }
    assert refusals_of("sglang", **parts) == {}
    assert list(launch_of("sglang", **parts).args) == HEAD + tokens + TAIL


def test_expert_parallelism_by_vllms_word_covers_all_of_tp(
    launch_of: Callable[..., Launch],
) -> None:
    launch = launch_of(
        "sglang",
        accelerator={"count": 4},
        parallelism={"tp": 4},
        engine_args={"enable_expert_parallel": True},
    )
    assert "--ep-size=4" in launch.args


@pytest.mark.parametrize(
    ("args", "tokens"),
    [
        (
            {"max_lora_rank": "16"},
            ["--max-lora-rank=16", "--enable-lora", "--lora-target-modules=all"],
        ),
        ({"lora_paths": "a=/a"}, ["--lora-paths=a=/a", "--enable-lora"]),
        (
            {"lora_target_modules": "q_proj"},
            ["--lora-target-modules=q_proj", "--enable-lora", "--max-lora-rank=64"],
        ),
    ],
)
def test_adapters_get_a_rank_and_modules_unless_the_template_names_them(
    launch_of: Callable[..., Launch], args: dict[str, str], tokens: list[str]
) -> None:
    launch = launch_of("sglang", engine_args=args, request={"enable_multi_lora": True})
    assert list(launch.args) == HEAD + tokens + TAIL


@pytest.mark.parametrize(("value", "rendered"), [(True, ["--enable-metrics"]), (False, [])])
def test_the_metrics_switch_is_the_templates_where_it_says_so(
    launch_of: Callable[..., Launch], value: Any, rendered: list[str]
) -> None:
    words = launch_of("sglang", engine_args={"enable_metrics": value}).args
    assert [word for word in words if "metrics" in word] == rendered
