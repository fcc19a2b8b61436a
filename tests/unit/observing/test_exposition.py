"""What is read of an engine's metrics page, and what of it is left alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from providers.contract.template import Engine
from providers.engines.metrics import MetricNames, metric_names
from providers.observing.exposition import MOST_SAMPLES, TooManySeries, read_exposition

VLLM = metric_names(Engine(type="vllm", version="0.11.0"))
SGLANG = metric_names(Engine(type="sglang", version="0.5.23"))
LLAMACPP = metric_names(Engine(type="llamacpp", version="b10434"))

VLLM_PAGE = """\
# HELP vllm:num_requests_running Number of requests in model execution batches.
# TYPE vllm:num_requests_running gauge
vllm:num_requests_running{engine="0",model_name="qwen, \\"the\\" {first}"} 3.0
vllm:num_requests_running{engine="1",model_name="qwen, \\"the\\" {first}"} 2.0
vllm:num_requests_waiting{engine="0",model_name="qwen"} 0.0
vllm:num_requests_waiting_by_reason{engine="0",reason="capacity"} 7.0
vllm:kv_cache_usage_perc{engine="0",model_name="qwen"} 0.25
vllm:kv_cache_usage_perc{engine="1",model_name="qwen"} 0.75
# TYPE vllm:generation_tokens_total counter
vllm:generation_tokens_total{engine="0",model_name="qwen"} 1200.0
vllm:generation_tokens_created{engine="0",model_name="qwen"} 1.7e+09
vllm:request_success_total{engine="0",finished_reason="stop"} 5.0
vllm:request_success_total{engine="0",finished_reason="length"} 1.0
# TYPE vllm:time_to_first_token_seconds histogram
vllm:time_to_first_token_seconds_bucket{engine="0",le="0.001"} 0.0
vllm:time_to_first_token_seconds_bucket{engine="0",le="+Inf"} 6.0
vllm:time_to_first_token_seconds_count{engine="0"} 6.0
vllm:time_to_first_token_seconds_sum{engine="0"} 1.5
"""


def test_engines_of_a_pod_add_up_and_the_fullest_cache_counts() -> None:
    assert read_exposition(VLLM_PAGE, VLLM) == {
        "running": 5.0,
        "waiting": 0.0,
        "cache_usage": 0.75,
        "generation_tokens": 1200.0,
        "requests": 6.0,
        "ttft_sum": 1.5,
        "ttft_count": 6.0,
    }


def test_ranks_that_share_their_requests_count_once_and_those_with_their_own_add_up() -> None:
    page = """\
sglang:num_running_reqs{dp_rank="0",pp_rank="0",tp_rank="0"} 4
sglang:num_running_reqs{dp_rank="0",pp_rank="0",tp_rank="1"} 4
sglang:num_running_reqs{dp_rank="0",pp_rank="1",tp_rank="1"} 3
sglang:num_running_reqs{dp_rank="1",pp_rank="0",tp_rank="2"} 1
sglang:token_usage{dp_rank="0",tp_rank="0"} 0.5
"""
    assert read_exposition(page, SGLANG) == {"running": 5.0, "cache_usage": 0.5}


def test_a_page_without_labels_is_read() -> None:
    page = "llamacpp:requests_processing 2\r\nllamacpp:tokens_predicted_total 77\r\n"
    assert read_exposition(page, LLAMACPP) == {"running": 2.0, "generation_tokens": 77.0}


@pytest.mark.parametrize(
    "line",
    [
        'vllm:num_requests_running{engine="0" 1',
        "vllm:num_requests_running",
        "vllm:num_requests_running{} many",
        "vllm:num_requests_running NaN",
        "vllm:num_requests_running +Inf",
        "vllm:num_requests_running -1",
        'vllm:num_requests_running{engine="0"} 1 2 3 4 x',
        "<html>vllm:num_requests_running 9</html>",
    ],
)
def test_a_line_that_is_no_number_costs_only_itself(line: str) -> None:
    page = f"{line}\nvllm:num_requests_waiting 1\n"
    assert read_exposition(page, VLLM) == {"waiting": 1.0}


@given(st.text())
def test_whatever_a_page_says_it_is_read_or_left_alone(text: str) -> None:
    page = f"vllm:num_requests_running{text}\n{text}\nvllm:num_requests_waiting 1\n"
    assert set(read_exposition(page, VLLM)) <= {"running", "waiting"}


def test_a_name_that_the_version_lacks_matches_nothing() -> None:
    assert read_exposition(VLLM_PAGE, MetricNames()) == {}
    assert read_exposition(' 5\n{a="b"} 5\n', MetricNames()) == {}


def test_labels_that_explode_are_told_and_not_summed_for_ever() -> None:
    page = "\n".join(
        f'vllm:num_requests_running{{user="{number}"}} 1' for number in range(MOST_SAMPLES + 1)
    )
    with pytest.raises(TooManySeries, match="more than 5000 series"):
        read_exposition(page, VLLM)
