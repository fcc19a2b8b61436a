"""The load of a simulated pod: what it uses, and what its engine tells on its metrics page.

Requests come and go in waves, each pod's in a time of its own; what is counted only ever grows.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from providers.contract.manifest import Manifest
from providers.contract.quantity import lenient_quantity

# Seconds from one wave to the next, and how many requests run in the middle of it.
WAVE_SECONDS, MEAN_REQUESTS = 240.0, 6.0
MOST_AT_ONCE = 8
TOKENS_PER_REQUEST, PROMPTS_PER_TOKEN = 32.0, 3.0
SECONDS_TO_FIRST_TOKEN, TOKENS_PER_ANSWER = 0.3, 250.0
USED_CPU, USED_MEMORY = 0.2, 0.6

_NAMES: Mapping[str, Mapping[str, str]] = {
    "vllm": {
        "running": "vllm:num_requests_running",
        "waiting": "vllm:num_requests_waiting",
        "cache_usage": "vllm:kv_cache_usage_perc",
        "generation_tokens": "vllm:generation_tokens_total",
        "prompt_tokens": "vllm:prompt_tokens_total",
        "ttft_sum": "vllm:time_to_first_token_seconds_sum",
        "ttft_count": "vllm:time_to_first_token_seconds_count",
    },
    "sglang": {
        "running": "sglang:num_running_reqs",
        "waiting": "sglang:num_queue_reqs",
        "cache_usage": "sglang:token_usage",
        "generation_tokens": "sglang:generation_tokens_total",
        "prompt_tokens": "sglang:prompt_tokens_total",
        "ttft_sum": "sglang:time_to_first_token_seconds_sum",
        "ttft_count": "sglang:time_to_first_token_seconds_count",
    },
    "llama": {
        "running": "llamacpp:requests_processing",
        "waiting": "llamacpp:requests_deferred",
        "generation_tokens": "llamacpp:tokens_predicted_total",
        "prompt_tokens": "llamacpp:prompt_tokens_total",
    },
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Wave:
    """Where a pod is in its waves: `phase` in radians, `seconds` since it started."""

    seconds: float
    phase: float

    @property
    def height(self) -> float:
        """Return 0 in a trough, 1 in the middle, 2 on a crest."""
        return 1 + math.sin(self._angle)

    @property
    def so_far(self) -> float:
        """Return the seconds that have passed, each weighed by the height it had."""
        turned = math.cos(self.phase) - math.cos(self._angle)
        return self.seconds + turned * WAVE_SECONDS / math.tau

    @property
    def _angle(self) -> float:
        return self.seconds / WAVE_SECONDS * math.tau + self.phase


def metrics_page(pod: Manifest, now: datetime) -> str:
    """Return the page of the engine that a pod's image names, empty where nothing answers."""
    if not _is_ready(pod):
        return ""
    image = str(pod["spec"]["containers"][0].get("image"))
    names = next((names for engine, names in _NAMES.items() if engine in image), {})
    told = dict(_told(_wave(pod, now)))
    return "".join(f"{name} {told[key]:.3f}\n" for key, name in names.items())


def pod_metrics(pods: Sequence[Manifest], now: datetime) -> list[Manifest]:
    """Return what metrics.k8s.io would say of those of the pods that run."""
    return [_used(pod, now) for pod in pods if _is_ready(pod)]


def _is_ready(pod: Manifest) -> bool:
    statuses = pod.get("status", {}).get("containerStatuses") or ()
    return bool(statuses) and all(each.get("ready") for each in statuses)


def _used(pod: Manifest, now: datetime) -> Manifest:
    height = _wave(pod, now).height
    shares = {"cpu": USED_CPU * height, "memory": USED_MEMORY}
    containers = [
        {
            "name": container["name"],
            "usage": {name: _part_of(container, name, share) for name, share in shares.items()},
        }
        for container in pod["spec"]["containers"]
    ]
    kept = {name: pod["metadata"].get(name) for name in ("name", "namespace", "labels")}
    return {"metadata": kept, "timestamp": now.isoformat(), "containers": containers}


def _told(wave: Wave) -> Iterator[tuple[str, float]]:
    requests = round(MEAN_REQUESTS * wave.height)
    tokens = TOKENS_PER_REQUEST * MEAN_REQUESTS * wave.so_far
    answers = tokens / TOKENS_PER_ANSWER
    yield "running", min(requests, MOST_AT_ONCE)
    yield "waiting", max(0, requests - MOST_AT_ONCE)
    yield "cache_usage", 0.1 + 0.4 * wave.height
    yield "generation_tokens", tokens
    yield "prompt_tokens", tokens * PROMPTS_PER_TOKEN
    yield "ttft_sum", answers * SECONDS_TO_FIRST_TOKEN
    yield "ttft_count", answers


def _wave(pod: Manifest, now: datetime) -> Wave:
    began = (pod.get("status") or {}).get("startTime")
    seconds = (now - datetime.fromisoformat(began)).total_seconds() if began else 0.0
    phase = sum(str(pod["metadata"]["uid"]).encode()) % 64 / 64 * math.tau
    return Wave(seconds=max(0.0, seconds), phase=phase)


def _part_of(container: Manifest, resource: str, share: float) -> str:
    needs = container.get("resources") or {}
    asked = {**(needs.get("limits") or {}), **(needs.get("requests") or {})}.get(resource)
    amount = float(lenient_quantity(str(asked or 1))) * share
    return f"{amount * 1e9:.0f}n" if resource == "cpu" else f"{amount:.0f}"
