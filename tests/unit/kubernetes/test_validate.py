"""What `k8s-deployment` refuses and what it warns of, without asking a cluster."""

from collections.abc import Mapping
from typing import Any

import pytest

from providers.contract.checks import Check, Result
from providers.contract.errors import InvalidRequest
from providers.kubernetes.validate import validate
from tests.golden.build import SPEC, TARGET, request_of, target_of

CPU = {"type": "cpu"}


def checks_of(
    spec: Mapping[str, Any], *, overrides: Mapping[str, Any] | None = None, **target: Any
) -> tuple[Check, ...]:
    case = {
        "spec": {**SPEC, **spec},
        "overrides": overrides or {},
        "target": {**TARGET, **target},
    }
    return validate(request_of(case), target_of(case))


def warned(checks: tuple[Check, ...]) -> dict[str, str]:
    return {check.code: check.field for check in checks if check.result is Result.WARN}


def refused(spec: Mapping[str, Any]) -> Mapping[str, tuple[str, ...]]:
    with pytest.raises(InvalidRequest) as caught:
        checks_of(spec)
    return caught.value.fields


def test_a_plain_request_has_nothing_to_say() -> None:
    assert checks_of({}) == ()


def test_a_missing_image_is_refused() -> None:
    fields = refused({"engine": {"type": "vllm", "version": "0.11.0"}})
    assert list(fields) == ["spec.engine.image"]


def test_a_topology_of_several_nodes_is_refused() -> None:
    fields = refused({"topology": {"kind": "multi-node", "nodes": 2}})
    assert "use standard" in fields["spec.topology.kind"][0]


def test_a_model_by_its_format_is_refused_with_or_without_an_image() -> None:
    engine = {"type": "vllm", "version": "0.11.0"}
    fields = refused({"engine": engine, "serving_runtime": {"format": "vLLM"}})
    assert list(fields) == ["spec.serving_runtime"]


def test_a_template_for_other_implementations_is_refused_with_those_it_allows() -> None:
    fields = refused({"compatibility": {"implementation_kinds": ["stormservice"]}})
    assert fields["implementation.kind"] == (
        "the template does not allow k8s-deployment; it allows stormservice",
    )


def test_what_the_engine_refuses_is_refused_at_its_field() -> None:
    assert "spec.quantization.weight" in refused({"quantization": {"weight": "int4"}})


def test_an_override_is_reviewed_like_the_template_s_own_argument() -> None:
    spec = {**SPEC, "overridable": {"engine_args.max_model_len": {}}}
    case = {"spec": spec, "overrides": {"engine_args": {"max_model_len": "8k"}}}
    with pytest.raises(InvalidRequest) as caught:
        validate(request_of(case), target_of(case))
    assert "spec.engine_args.max_model_len" in caught.value.fields


def test_all_faults_are_told_at_once() -> None:
    fields = refused(
        {
            "engine": {"type": "vllm", "version": "0.11.0"},
            "topology": {"kind": "multi-node", "nodes": 2},
            "quantization": {"weight": "int4"},
        }
    )
    assert {"spec.engine.image", "spec.topology.kind", "spec.quantization.weight"} <= set(fields)


@pytest.mark.parametrize("path", ["/", "/dev/shm", "/dev", "/proc/x", "/a:b", "/models/../proc"])  # noqa: S108
def test_a_cache_that_hides_what_the_pod_needs_is_refused(path: str) -> None:
    source = {**SPEC["model_source"], "cache": {"claim": "models", "mount_path": path}}
    assert list(refused({"model_source": source})) == ["spec.model_source.cache.mount_path"]


@pytest.mark.parametrize("path", ["/models", "/devices", "/system/", "/data/dev"])
def test_a_cache_in_a_folder_of_its_own_is_fine(path: str) -> None:
    source = {**SPEC["model_source"], "cache": {"claim": "models", "mount_path": path}}
    assert checks_of({"model_source": source}) == ()


def test_an_unmapped_type_of_nvidia_s_is_a_warning_that_names_the_map() -> None:
    (check,) = checks_of({"accelerator": {"type": "L4"}})
    assert (check.code, check.result) == ("AcceleratorUnmapped", Result.WARN)
    assert "accelerator map" in check.message


def test_an_unmapped_type_of_another_maker_fails() -> None:
    (check,) = checks_of({"accelerator": {"type": "MI300X"}})
    assert (check.code, check.result) == ("AcceleratorUnmapped", Result.FAIL)
    assert check.field == "spec.accelerator.type"
    assert "example" in check.message


def test_a_mapped_type_is_fine_whatever_its_case() -> None:
    mapping = {"mi300x": {"resource": "amd.com/gpu"}}
    assert checks_of({"accelerator": {"type": "MI300X"}}, accelerators=mapping) == ()


@pytest.mark.parametrize("metric", ["cpu", "memory"])
def test_a_share_of_a_request_that_nobody_makes_is_a_warning(metric: str) -> None:
    spec = {
        "engine": {"type": "custom", "image": "registry.example.com/a:1"},
        "accelerator": CPU,
        "scaling_defaults": {"metric": {"type": metric}},
    }
    checks = checks_of(spec, overrides={"enable_auto_scaling": True, "max_replicas": 2})
    assert warned(checks) == {"MetricWithoutRequest": f"spec.resources.{metric}"}


def test_shared_memory_above_the_pod_s_memory_is_a_warning() -> None:
    checks = checks_of({"resources": {"memory": "4Gi", "shm_size": "8Gi"}})
    assert warned(checks) == {"SharedMemoryAboveMemory": "spec.resources.shm_size"}


def test_a_metric_with_its_request_is_fine() -> None:
    spec = {"accelerator": CPU, "resources": {"cpu": "4"}}
    assert checks_of(spec, overrides={"enable_auto_scaling": True, "max_replicas": 2}) == ()


def test_a_template_may_allow_the_kind_by_its_alias() -> None:
    for name in ("kubernetes", "k8s-deployment"):
        checks_of({"compatibility": {"implementation_kinds": [name]}})
    with pytest.raises(InvalidRequest, match="it allows stormservice"):
        checks_of({"compatibility": {"implementation_kinds": ["stormservice"]}})
