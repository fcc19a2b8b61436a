"""Names of quantization and cache types, serving names, and sources, by engine and version."""

from collections.abc import Callable
from typing import Any

import pytest

from providers.engines import Finding, Launch

VO, VN, SO, SN = ("vllm", "0.11.0"), ("vllm", "0.33.0"), ("sglang", "0.5.3"), ("sglang", "0.5.23")
S3 = {"type": "s3", "uri": "s3://bucket/model"}


@pytest.mark.parametrize(
    ("engine", "weight"),
    [
        (VO, "fp8"),
        (VN, "fp8"),
        (VN, "FP8"),
        (VO, "bitsandbytes"),
        (VN, "mxfp8"),
        (VN, "fp8_per_block"),
        (SO, "fp8"),
        (SN, "fp8"),
        (SO, "qoq"),
        (SN, "mxfp8"),
        (SN, "nvfp4_online"),
        (SO, "w8a8_int8"),
    ],
)
def test_a_quantization_that_the_version_has_is_taken(
    findings_of: Callable[..., tuple[Finding, ...]], engine: tuple[str, str], weight: str
) -> None:
    kind, version = engine
    parts = {"engine": {"version": version}, "quantization": {"weight": weight}}
    assert findings_of(kind, **parts) == ()


@pytest.mark.parametrize(
    ("engine", "weight"),
    [
        (VO, "int4"),
        (VN, "int8"),
        (VN, "w8a8"),
        (VN, "bf16"),
        (VN, "none"),
        (VN, "bitsandbytes"),
        (VN, "gguf"),
        (VN, "hqq"),
        (VN, "rtn"),
        (VN, "auto-round"),
        (VN, "bitblas"),
        (VN, "ptpc_fp8"),
        (VO, "mxfp8"),
        (VO, "online"),
        (SN, "int8"),
        (SN, "int4"),
        (SN, "marlin"),
        (SN, "qoq"),
        (SO, "mxfp8"),
        (SO, "compressed-tensors"),
    ],
)
def test_a_quantization_that_the_version_does_not_have_is_refused(
    refusals_of: Callable[..., dict[str, str]], engine: tuple[str, str], weight: str
) -> None:
    kind, version = engine
    parts = {"engine": {"version": version}, "quantization": {"weight": weight}}
    assert (
        f"has no quantization '{weight}'" in refusals_of(kind, **parts)["spec.quantization.weight"]
    )


@pytest.mark.parametrize(
    ("engine", "cache", "taken"),
    [
        (VO, "fp8", True),
        (VO, "bfloat16", True),
        (VO, "fp8_inc", True),
        (VO, "float16", False),
        (VN, "float16", True),
        (VN, "nvfp4", True),
        (VN, "turboquant_k8v4", True),
        (VN, "int8_per_token_head", True),
        (VN, "fp16", False),
        (VN, "bf16", False),
        (VN, "int8", False),
        (SO, "fp8_e5m2", True),
        (SO, "fp8", False),
        (SN, "fp8", False),
        (SO, "bf16", False),
        (SN, "bf16", True),
        (SN, "fp4_mx_block16", True),
    ],
)
def test_a_cache_type_is_taken_only_where_the_version_has_it(
    refusals_of: Callable[..., dict[str, str]], engine: tuple[str, str], cache: str, *, taken: bool
) -> None:
    kind, version = engine
    found = refusals_of(kind, engine={"version": version}, quantization={"kv_cache": cache})
    assert list(found) == ([] if taken else ["spec.quantization.kv_cache"])


@pytest.mark.parametrize(
    ("uri", "weight", "warned"),
    [
        ("Qwen/Qwen3-8B-AWQ", "awq", True),
        ("Qwen/Qwen3-8B-FP8", "fp8", True),
        ("a/Model-GPTQ-Int4", "gptq", True),
        ("a/model.w4a16", "fp8", True),
        ("a/model-gguf", "fp8", True),
        ("Qwen/Qwen3-8B", "fp8", False),
        ("Qwen/Qwen3-8B-AWQ", "", False),
        ("Qwen/Qwen3-8B", "awq", True),
    ],
)
def test_a_weight_named_for_the_wrong_kind_of_checkpoint_gets_a_warning(
    warnings_of: Callable[..., dict[str, str]], uri: str, weight: str, *, warned: bool
) -> None:
    found = warnings_of("vllm", model_source={"uri": uri}, quantization={"weight": weight})
    assert list(found) == (["spec.quantization.weight"] if warned else [])


def test_a_deprecated_quantization_wants_its_switch(
    refusals_of: Callable[..., dict[str, str]],
) -> None:
    parts = {"quantization": {"weight": "fbgemm_fp8"}}
    assert (
        "allow_deprecated_quantization" in refusals_of("vllm", **parts)["spec.quantization.weight"]
    )
    switch = {"engine_args": {"allow_deprecated_quantization": True}}
    assert refusals_of("vllm", **parts, **switch) == {}
    assert refusals_of("vllm", engine={"version": "0.11.0"}, **parts) == {}


@pytest.mark.parametrize(
    ("engine", "taken"),
    [(VO, False), (("vllm", "0.11.1"), True), (VN, True), (SO, False), (SN, True)],
)
def test_s3_is_refused_where_the_version_cannot_read_it(
    refusals_of: Callable[..., dict[str, str]], engine: tuple[str, str], *, taken: bool
) -> None:
    kind, version = engine
    found = refusals_of(kind, engine={"version": version}, model_source=S3)
    assert list(found) == ([] if taken else ["spec.model_source.type"])


def test_sglang_reads_s3_only_with_a_package_in_its_image(
    warnings_of: Callable[..., dict[str, str]],
) -> None:
    found = warnings_of("sglang", model_source=S3)
    assert "runai_model_streamer" in found["spec.model_source.type"]


def test_an_address_of_weights_that_no_engine_is_told_gets_a_warning(
    warnings_of: Callable[..., dict[str, str]],
) -> None:
    found = warnings_of("vllm", quantization={"weights_artifact_uri": "s3://b/w"})
    assert list(found) == ["spec.quantization.weights_artifact_uri"]


@pytest.mark.parametrize(
    ("engine", "name", "taken"),
    [
        (VN, "qwen2.5:32b", True),
        (VN, "meta-llama/Llama-3.2-3B", True),
        (VN, "模型", True),
        (VN, "", False),
        (VN, " ", False),
        (VN, "-qwen", False),
        (SO, "qwen2.5:32b", True),
        (SN, "qwen2.5:32b", False),
        (SN, "qwen/qwen2.5", True),
        (("llamacpp", "b10434"), "qwen2.5:32b", True),
        (("llamacpp", "b10434"), "a,b", False),
        (("mock", ""), "", False),
    ],
)
def test_a_serving_name_is_refused_where_the_engine_does_not_take_it(
    refusals_of: Callable[..., dict[str, str]], engine: tuple[str, str], name: str, *, taken: bool
) -> None:
    kind, version = engine
    found = refusals_of(kind, serving_name=name, engine={"version": version})
    assert list(found) == ([] if taken else ["spec.serving_name"])


def test_a_name_stays_one_word_however_it_looks(launch_of: Callable[..., Launch]) -> None:
    launch = launch_of("vllm", request={"serving_name": "my model"})
    assert launch.args[-1] == "--served-model-name=my model"


def test_only_vllm_folds_the_case_of_a_quantization(
    refusals_of: Callable[..., dict[str, str]],
) -> None:
    upper = {"quantization": {"weight": "FP8"}}
    assert refusals_of("vllm", **upper) == {}
    assert "spec.quantization.weight" in refusals_of("sglang", **upper)


@pytest.mark.parametrize("kind", ["vllm", "sglang", "llamacpp"])
@pytest.mark.parametrize(
    "source",
    [{"type": "local", "uri": "models/qwen"}, {"type": "s3", "uri": "bucket/qwen"}],
)
def test_an_address_of_another_type_is_refused(
    refusals_of: Callable[..., dict[str, str]], kind: str, source: dict[str, Any]
) -> None:
    assert "spec.model_source.uri" in refusals_of(kind, model_source=source)


def test_a_path_named_as_a_repository_gets_a_warning(
    warnings_of: Callable[..., dict[str, str]],
) -> None:
    found = warnings_of("vllm", model_source={"uri": "/models/qwen"})
    assert list(found) == ["spec.model_source.uri"]
