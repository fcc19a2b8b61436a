"""The template schema: what it takes, and by which path it refuses."""

import pytest

from providers.contract.errors import InvalidRequest
from providers.contract.manifest import Manifest
from providers.contract.template import parse_spec

GOOD: Manifest = {
    "engine": {"type": "vllm", "version": "0.11.0", "image": "docker.io/vllm/vllm-openai:v0.11.0"},
    "model_source": {"type": "huggingface", "uri": "Qwen/Qwen3-8B", "auth_secret_ref": "hf-token"},
    "accelerator": {"type": "H100", "count": 2, "vram_gb": 80},
    "engine_args": {"max_model_len": 8192, "enable_prefix_caching": True, "a": "FALSE", "b": 0.9},
    "resources": {"cpu": 4, "memory": "32Gi"},
    "overridable": {"engine_args.max_model_len": {"max": 32768}, "model_version": {}},
}


def with_part(path: str, value: object) -> Manifest:
    """Return the good spec with one dotted path set."""
    *parents, last = path.split(".")
    spec: Manifest = {**GOOD}
    here = spec
    for parent in parents:
        here[parent] = {**here.get(parent, {})}
        here = here[parent]
    here[last] = value
    return spec


def test_a_good_spec_is_read_with_its_defaults() -> None:
    spec = parse_spec(GOOD)
    assert spec.model_source is not None
    assert spec.model_source.auth_secret_ref is not None
    assert spec.model_source.auth_secret_ref.key == "token"
    assert spec.engine_args == {
        "max_model_len": "8192",
        "enable_prefix_caching": "true",
        "a": "false",
        "b": "0.9",
    }
    assert spec.resources.cpu == "4"
    assert (spec.scaling_defaults.min_replicas, spec.scaling_defaults.max_replicas) == (1, None)
    assert (spec.engine.port, spec.engine.ready_timeout_seconds) == (None, 900)


def test_a_spec_comes_back_as_it_was_written() -> None:
    document = parse_spec(GOOD).as_document()
    assert set(document) == set(GOOD)
    assert parse_spec(document) == parse_spec(GOOD)


def test_null_counts_as_absent_everywhere() -> None:
    spec = with_part("scaling_defaults", {"max_replicas": None, "metric": None})
    spec["topology"] = None
    assert parse_spec(spec).as_document() == {
        **parse_spec(GOOD).as_document(),
        "scaling_defaults": {},
    }


@pytest.mark.parametrize(
    ("path", "value", "at", "says"),
    [
        ("engine.type", "trtllm", "spec.engine.type", "not supported yet"),
        ("engine.type", {"a": 1}, "spec.engine.type", "must be"),
        ("engine.type", ["vllm"], "spec.engine.type", "must be"),
        ("engine.type", "lmdeploy", "spec.engine.type", "not supported yet"),
        ("engine.type", "ollama", "spec.engine.type", "must be 'vllm'"),
        ("engine.version", None, "spec.engine.version", "is required"),
        ("engine.version", "", "spec.engine.version", "is required"),
        ("engine.image", "a b", "spec.engine.image", "full name of an image"),
        ("engine.image", "--flag=1", "spec.engine.image", "full name of an image"),
        ("engine.image", "$(id)", "spec.engine.image", "full name of an image"),
        ("engine.image", "vllm:\u0663", "spec.engine.image", "full name of an image"),
        ("engine.image", "模型", "spec.engine.image", "full name of an image"),
        ("engine.image", "Repo/Image", "spec.engine.image", "full name of an image"),
        ("engine.port", "8000", "spec.engine.port", "whole number"),
        ("engine.port", 70000, "spec.engine.port", "65535"),
        ("engine.env", {"HF_TOKEN": "x"}, "spec.engine.env.HF_TOKEN", "looks like a secret"),
        ("engine.env", {"MY_API_KEY": "x"}, "spec.engine.env.MY_API_KEY", "looks like a secret"),
        ("engine.env", {"DB_PASSWORD": "x"}, "spec.engine.env.DB_PASSWORD", "looks like a secret"),
        ("engine.env", {"1A": "x"}, "spec.engine.env.1A", "not a name"),
        ("engine.serve_args", "--x", "spec.engine.serve_args", "must be a list"),
        ("engine.serve_args", ["a\nb"], "spec.engine.serve_args.0", "line breaks"),
        ("engine.health_endpoint", "health", "spec.engine.health_endpoint", "begins with /"),
        ("engine.speed", 1, "spec.engine.speed", "not a field"),
        ("accelerator.count", 0.5, "spec.accelerator.count", "whole number"),
        ("accelerator.count", "2", "spec.accelerator.count", "whole number"),
        ("accelerator.count", True, "spec.accelerator.count", "whole number"),
        ("accelerator.count", -1, "spec.accelerator.count", "greater than or equal to 0"),
        ("accelerator.count", 0, "spec.accelerator.count", "write type cpu"),
        ("accelerator", {"type": "CPU", "count": 1}, "spec.accelerator.count", "absent"),
        ("accelerator.vram_gb", float("nan"), "spec.accelerator.vram_gb", "a number"),
        ("accelerator.type", "", "spec.accelerator.type", "such as H100"),
        ("model_source.uri", "a b", "spec.model_source.uri", "blanks"),
        ("model_source.type", "git", "spec.model_source.type", "must be 'huggingface'"),
        (
            "model_source.auth_secret_ref",
            {"name": "A B"},
            "spec.model_source.auth_secret_ref.name",
            "Kubernetes object",
        ),
        ("engine_args", {"max-model-len": 1}, "spec.engine_args.max-model-len", "underscores"),
        ("engine_args", {"x": {"y": 1}}, "spec.engine_args.x", "must be text, a number"),
        ("resources.memory", "32 Gi", "spec.resources.memory", "not a quantity"),
        ("resources.memory", "NaN", "spec.resources.memory", "not a quantity"),
        ("resources.memory", "1_0", "spec.resources.memory", "not a quantity"),
        ("resources.cpu", "0", "spec.resources.cpu", "above zero"),
        ("parallelism.tp", 0, "spec.parallelism.tp", "greater than or equal to 1"),
        ("topology", {"kind": "multi-node"}, "spec.topology.nodes", "is required"),
        ("topology", {"kind": "standard", "nodes": 2}, "spec.topology.nodes", "only there"),
        ("topology", {"kind": "disaggregated"}, "spec.topology.roles", "required"),
        ("topology", [], "spec.topology", "must be an object"),
        ("serving_runtime", {}, "spec.serving_runtime.format", "required"),
        ("serving_runtime", {"format": ""}, "spec.serving_runtime.format", "at least 1"),
        (
            "serving_runtime",
            {"format": "vLLM", "name": "No Name"},
            "spec.serving_runtime.name",
            "Kubernetes object",
        ),
        ("serving_runtime", {"format": "vLLM", "image": "x"}, "spec.serving_runtime.image", ""),
        (
            "compatibility",
            {"implementation_kinds": []},
            "spec.compatibility.implementation_kinds",
            "at least 1",
        ),
        (
            "scaling_defaults.min_replicas",
            1.5,
            "spec.scaling_defaults.min_replicas",
            "whole number",
        ),
        ("scaling_defaults.min_replicas", 1001, "spec.scaling_defaults.min_replicas", "1000"),
        (
            "scaling_defaults.metric",
            {"type": "pods"},
            "spec.scaling_defaults.metric.name",
            "required",
        ),
        ("rollout.strategy", "fast", "spec.rollout.strategy", "must be 'auto'"),
        ("overridable", {"image": {}}, "spec.overridable.image", "cannot be overridden"),
        (
            "overridable",
            {"min_replicas": {"min": 3, "max": 1}},
            "spec.overridable.min_replicas.min",
            "above max",
        ),
        ("overridable", {"region": {"values": []}}, "spec.overridable.region.values", "at least 1"),
        ("extra", 1, "spec.extra", "not a field"),
        ("engine", None, "spec.engine", "is required"),
    ],
)
def test_a_fault_is_named_by_its_path(path: str, value: object, at: str, says: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        parse_spec(with_part(path, value))
    assert list(refused.value.fields) == [at]
    assert says in " ".join(refused.value.fields[at])


@pytest.mark.parametrize("document", [None, [], "x", 3])
def test_what_is_no_object_is_refused(document: object) -> None:
    with pytest.raises(InvalidRequest) as refused:
        parse_spec(document)
    assert "spec" in refused.value.fields


def test_every_fault_is_told_at_once() -> None:
    with pytest.raises(InvalidRequest) as refused:
        parse_spec({"engine": {"type": "vllm"}, "accelerator": {"type": "cpu", "count": 2}, "x": 1})
    assert set(refused.value.fields) == {"spec.engine.version", "spec.accelerator.count", "spec.x"}


def test_accelerators_per_pod_default_to_one_and_cpu_to_none() -> None:
    assert parse_spec(with_part("accelerator", {"type": "L4"})).accelerator.per_pod == 1
    assert parse_spec(with_part("accelerator", {"type": "Cpu"})).accelerator.per_pod == 0


@pytest.mark.parametrize(
    "image",
    [
        "x:1",
        "docker.io/vllm/vllm-openai:v0.11.0",
        "ghcr.io/ggml-org/llama.cpp:server-b10438",
        "localhost:5000/a/b_c:X-1",
        "registry.example/x@sha256:" + "0" * 64,
        "",
    ],
)
def test_the_usual_names_of_images_are_taken(image: str) -> None:
    assert parse_spec(with_part("engine.image", image)).engine.image == image


def test_a_serving_runtime_needs_a_format_alone() -> None:
    runtime = parse_spec(with_part("serving_runtime", {"format": "vLLM"})).serving_runtime
    assert runtime is not None
    assert (runtime.format, runtime.version, runtime.name) == ("vLLM", "", None)


def test_a_command_is_refused_beside_a_serving_runtime_which_has_its_own() -> None:
    spec = with_part("serving_runtime", {"format": "vLLM"})
    spec["engine"] = {**GOOD["engine"], "command": ["serve"]}
    with pytest.raises(InvalidRequest) as refused:
        parse_spec(spec)
    assert "serving runtime's" in refused.value.fields["spec.engine.command"][0]


@pytest.mark.parametrize(
    ("parts", "needed"),
    [
        ({}, True),
        ({"engine": {"type": "mock"}}, False),
        ({"engine": {"type": "mock"}, "serving_runtime": {"format": "mock"}}, True),
    ],
)
def test_a_source_is_needed_where_an_engine_or_a_runtime_serves_one(
    parts: Manifest, *, needed: bool
) -> None:
    assert parse_spec({**GOOD, **parts}).needs_source is needed
