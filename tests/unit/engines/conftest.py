"""Short ways to ask an engine: the smallest template that it takes, plus what a test gives."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from providers.contract.overrides import Overrides, resolve_scaling
from providers.contract.request import DeployRequest, Rollout
from providers.contract.template import TemplateSpec, parse_spec
from providers.engines import Finding, Launch, Weight, render_launch, review_spec

SMALLEST: Mapping[str, Mapping[str, Any]] = {
    "vllm": {"engine": {"type": "vllm", "version": "0.33.0", "image": "docker.io/e/vllm:1"}},
    "sglang": {"engine": {"type": "sglang", "version": "0.5.23", "image": "docker.io/e/sglang:1"}},
    "llamacpp": {"engine": {"type": "llamacpp", "version": "b10434", "image": "ghcr.io/e/l:1"}},
    "mock": {"engine": {"type": "mock", "image": "docker.io/e/mock:1"}},
    "custom": {"engine": {"type": "custom", "image": "docker.io/e/own:1"}},
}
SOURCE = {"type": "huggingface", "uri": "Qwen/Qwen3-8B"}


def build_spec(kind: str, parts: Mapping[str, Any]) -> TemplateSpec:
    document: dict[str, Any] = {
        **SMALLEST[kind],
        "model_source": SOURCE,
        "accelerator": {"type": "H100", "count": 1},
    }
    for name, value in parts.items():
        base = document.get(name)
        document[name] = {**base, **value} if base and isinstance(value, Mapping) else value
    return parse_spec(document)


def build_request(spec: TemplateSpec, **more: Any) -> DeployRequest:
    given = {
        "id": "7a1f3c52-0000-4000-8000-000000000000",
        "name": "qwen",
        "runtime_name": "qwen-7a1f3c52",
        "namespace": "models",
        "source": spec.model_source,
        "serving_name": "qwen3",
        "scaling": resolve_scaling(spec, Overrides()),
        "rollout": Rollout.SURGE,
        "engine_args": spec.engine_args,
    }
    return DeployRequest(spec=spec, **{**given, **more})


@pytest.fixture
def spec_of() -> Callable[..., TemplateSpec]:
    def build(kind: str, /, **parts: Any) -> TemplateSpec:
        return build_spec(kind, parts)

    return build


@pytest.fixture
def launch_of() -> Callable[..., Launch]:
    def launch(
        kind: str, /, *, port: int = 8000, request: Mapping[str, Any] | None = None, **parts: Any
    ) -> Launch:
        spec = build_spec(kind, parts)
        return render_launch(build_request(spec, **(request or {})), port=port)

    return launch


@pytest.fixture
def findings_of() -> Callable[..., tuple[Finding, ...]]:
    def review(kind: str, /, *, serving_name: str = "qwen3", **parts: Any) -> tuple[Finding, ...]:
        spec = build_spec(kind, parts)
        return review_spec(spec, source=spec.model_source, serving_name=serving_name)

    return review


@pytest.fixture
def refusals_of(findings_of: Callable[..., tuple[Finding, ...]]) -> Callable[..., dict[str, str]]:
    """What is refused, by path."""

    def refusals(kind: str, /, **parts: Any) -> dict[str, str]:
        found = findings_of(kind, **parts)
        return {item.path: item.message for item in found if item.weight is Weight.REFUSE}

    return refusals


@pytest.fixture
def warnings_of(findings_of: Callable[..., tuple[Finding, ...]]) -> Callable[..., dict[str, str]]:
    """What is warned of, by path."""

    def warnings(kind: str, /, **parts: Any) -> dict[str, str]:
        found = findings_of(kind, **parts)
        return {item.path: item.message for item in found if item.weight is Weight.WARN}

    return warnings
