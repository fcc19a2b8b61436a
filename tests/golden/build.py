"""Builds requests and targets from small documents, as the core would from its records.

A case names only what it is about; everything else has one dull value here.
"""

from collections.abc import Mapping
from typing import Any

from providers.contract.overrides import (
    Overrides,
    check_overrides,
    merged_engine_args,
    parse_overrides,
    resolve_scaling,
)
from providers.contract.request import DeployRequest, Rollout
from providers.contract.target import AcceleratorMapping, ClusterTarget, Connection
from providers.contract.template import ModelSource, TemplateSpec, parse_spec
from providers.workload.naming import runtime_name

Document = Mapping[str, Any]

ID = "1a2b3c4d-5e6f-4a8b-9c0d-1e2f3a4b5c6d"
NAMESPACE = "models"
SPEC: Document = {
    "engine": {
        "type": "vllm",
        "version": "0.11.0",
        "image": "docker.io/vllm/vllm-openai:v0.11.0",
    },
    "model_source": {"type": "huggingface", "uri": "Qwen/Qwen3-8B"},
    "accelerator": {"type": "H100"},
}
TARGET: Document = {"accelerators": {"H100": {"resource": "nvidia.com/gpu"}}}


def request_of(case: Document) -> DeployRequest:
    """Return the request of a case: name, serving_name, spec, overrides, model_version, rollout."""
    spec = parse_spec(case.get("spec", SPEC))
    overrides = parse_overrides(case.get("overrides", {}))
    check_overrides(overrides, spec)
    name = case.get("name", "Qwen chat")
    return DeployRequest(
        id=ID,
        name=name,
        runtime_name=runtime_name(name, deployment_id=ID),
        namespace=NAMESPACE,
        spec=spec,
        source=_source(spec, overrides, case.get("model_versions", {})),
        serving_name=case.get("serving_name", "qwen3-8b"),
        scaling=resolve_scaling(spec, overrides),
        rollout=Rollout(case.get("rollout", "surge")),
        engine_args=merged_engine_args(spec, overrides),
        enable_multi_lora=bool(overrides.enable_multi_lora),
        revision=case.get("revision", 1),
    )


def target_of(case: Document) -> ClusterTarget:
    """Return the cluster of a case: `target` holds the fields of a ClusterTarget."""
    given = dict(case.get("target", TARGET))
    accelerators = {
        name: AcceleratorMapping(
            **{**mapping, "tolerations": tuple(mapping.get("tolerations", ()))}
        )
        for name, mapping in given.pop("accelerators", {}).items()
    }
    secrets = tuple(given.pop("image_pull_secrets", ()))
    return ClusterTarget(
        key="1",
        name="example",
        connection=Connection(),
        default_namespace=NAMESPACE,
        namespaces=(NAMESPACE,),
        accelerators=accelerators,
        image_pull_secrets=secrets,
        **given,
    )


def _source(
    spec: TemplateSpec, overrides: Overrides, versions: Mapping[str, Document]
) -> ModelSource | None:
    """Return the template's source, or with type, uri and revision of the chosen version."""
    if overrides.model_version is None:
        return spec.model_source
    own = spec.as_document().get("model_source", {})
    return ModelSource.model_validate({**own, **versions[overrides.model_version]})
