"""Names of the series that each engine exposes, by version, and where it exposes them.

Names as they stand on the metrics page; an empty name is a series that the version does not have.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from providers.contract.template import Engine
from providers.engines import llamacpp_table, sglang_table, vllm_table
from providers.engines.dialect import nearest

# Where an engine listens by itself; what we render is the resolved port of the deployment.
DEFAULT_PORTS: Mapping[str, int] = {
    "vllm": 8000,
    "sglang": 30000,
    "llamacpp": 8080,
    "mock": 8000,
    "custom": 8000,
}

_DEFAULT_PATH = "/metrics"


@dataclass(frozen=True, kw_only=True, slots=True)
class MetricNames:
    """Gauges first (`cache_usage` is 0 to 1), then counters, then histograms in seconds.

    `ttft` is the time to the first token, `itl` that between two, `tpot` the mean of a request,
    `e2e` a whole request.
    """

    running: str = ""
    waiting: str = ""
    cache_usage: str = ""
    prompt_tokens: str = ""
    generation_tokens: str = ""
    cached_tokens: str = ""
    requests: str = ""
    aborted: str = ""
    preemptions: str = ""
    ttft: str = ""
    itl: str = ""
    tpot: str = ""
    e2e: str = ""
    queue_time: str = ""


_VLLM_NEW = MetricNames(
    running="vllm:num_requests_running",
    waiting="vllm:num_requests_waiting",
    cache_usage="vllm:kv_cache_usage_perc",
    prompt_tokens="vllm:prompt_tokens_total",
    generation_tokens="vllm:generation_tokens_total",
    cached_tokens="vllm:prefix_cache_hits_total",
    requests="vllm:request_success_total",
    preemptions="vllm:num_preemptions_total",
    ttft="vllm:time_to_first_token_seconds",
    itl="vllm:inter_token_latency_seconds",
    tpot="vllm:request_time_per_output_token_seconds",
    e2e="vllm:e2e_request_latency_seconds",
    queue_time="vllm:request_queue_time_seconds",
)
_SGLANG_OLD = MetricNames(
    running="sglang:num_running_reqs",
    waiting="sglang:num_queue_reqs",
    cache_usage="sglang:token_usage",
    prompt_tokens="sglang:prompt_tokens_total",
    generation_tokens="sglang:generation_tokens_total",
    cached_tokens="sglang:cached_tokens_total",
    requests="sglang:num_requests_total",
    aborted="sglang:num_aborted_requests_total",
    ttft="sglang:time_to_first_token_seconds",
    itl="sglang:inter_token_latency_seconds",
    e2e="sglang:e2e_request_latency_seconds",
    queue_time="sglang:queue_time_seconds",
)
_SGLANG_NEW = replace(_SGLANG_OLD, tpot="sglang:request_time_per_output_token_seconds")
_LLAMACPP = MetricNames(
    running="llamacpp:requests_processing",
    waiting="llamacpp:requests_deferred",
    prompt_tokens="llamacpp:prompt_tokens_total",
    generation_tokens="llamacpp:tokens_predicted_total",
    cached_tokens="llamacpp:prompt_tokens_cached_total",
)

_BY_VERSION: Mapping[str, Mapping[str, MetricNames]] = {
    "vllm": {"0.11.0": _VLLM_NEW, "0.11.1": _VLLM_NEW, "0.33.0": _VLLM_NEW},
    "sglang": {"0.5.3": _SGLANG_OLD, "0.5.23": _SGLANG_NEW},
    "llamacpp": {"b10434": _LLAMACPP},
}
_DIALECTS = {
    "vllm": vllm_table.DIALECTS,
    "sglang": sglang_table.DIALECTS,
    "llamacpp": llamacpp_table.DIALECTS,
}


def metric_names(engine: Engine) -> MetricNames:
    """Return what an engine of this version exposes; nothing is known of a custom one."""
    if engine.type == "mock":
        return _VLLM_NEW
    if engine.type == "custom":
        return MetricNames()
    dialect, _ = nearest(_DIALECTS[engine.type], engine.version)
    return _BY_VERSION[engine.type][dialect.version]


def metrics_path(engine: Engine) -> str:
    """Return where the engine shows its metrics, empty when nobody said so of a custom one."""
    return engine.metrics_endpoint or ("" if engine.type == "custom" else _DEFAULT_PATH)
