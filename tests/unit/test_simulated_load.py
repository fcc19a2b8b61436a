"""The load of simulated pods: plausible to whoever reads it, and counted as real engines count."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from providers.contract.manifest import Manifest
from providers.contract.template import Engine
from providers.engines.metrics import metric_names
from providers.observing.exposition import read_exposition
from providers.simulation.load import MOST_AT_ONCE, metrics_page, pod_metrics

START = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
ENGINES = {
    "docker.io/vllm/vllm-openai:v0.11.0": Engine(type="vllm", version="0.11.0"),
    "docker.io/aibrix/vllm-mock:v0.3.0": Engine(type="mock"),
    "docker.io/lmsysorg/sglang:v0.5.3": Engine(type="sglang", version="0.5.3"),
    "ghcr.io/ggml-org/llama.cpp:server-b10434": Engine(type="llamacpp", version="b10434"),
}
COUNTERS = ("generation_tokens", "prompt_tokens", "ttft_sum", "ttft_count")


def pod_of(image: str, *, uid: str = "u-1", ready: bool = True) -> Manifest:
    resources = {"requests": {"cpu": "2", "memory": "1Gi"}}
    return {
        "metadata": {"name": "qwen", "namespace": "team", "uid": uid, "labels": {"a": "b"}},
        "spec": {"containers": [{"name": "engine", "image": image, "resources": resources}]},
        "status": {
            "startTime": START.isoformat(),
            "containerStatuses": [{"name": "engine", "ready": ready}],
        },
    }


@pytest.mark.parametrize("image", ENGINES)
def test_every_engine_tells_its_figures_under_its_own_names(image: str) -> None:
    page = metrics_page(pod_of(image), START + timedelta(minutes=5))
    told = read_exposition(page, metric_names(ENGINES[image]))
    assert {"running", "waiting", "generation_tokens", "prompt_tokens"} <= set(told)
    assert len(told) == len(page.splitlines())


@pytest.mark.parametrize("uid", ["a", "z-1", "0f00"])
def test_over_time_counters_grow_and_gauges_stay_in_bounds(uid: str) -> None:
    pod, names = pod_of("vllm", uid=uid), metric_names(Engine(type="mock"))
    seen = [
        read_exposition(metrics_page(pod, START + timedelta(seconds=5 * turn)), names)
        for turn in range(200)
    ]
    for before, after in pairwise(seen):
        assert all(after[name] >= before[name] for name in COUNTERS)
    assert all(0 <= one["cache_usage"] <= 1 and one["running"] <= MOST_AT_ONCE for one in seen)
    assert len({one["running"] for one in seen}) > 3


def test_a_pod_that_does_not_answer_has_no_page_and_no_use() -> None:
    pod = pod_of("vllm", ready=False)
    assert (metrics_page(pod, START), pod_metrics([pod], START)) == ("", [])
    assert metrics_page(pod_of("nginx"), START) == ""


def test_a_pod_uses_some_of_what_it_asks_for() -> None:
    [used] = pod_metrics([pod_of("vllm")], START + timedelta(minutes=1))
    assert used["metadata"] == {"name": "qwen", "namespace": "team", "labels": {"a": "b"}}
    [container] = used["containers"]
    assert 0 <= int(container["usage"]["cpu"].removesuffix("n")) <= 2e9
    assert container["usage"]["memory"] == str(round(0.6 * 1024**3))
