"""Requests, targets and refs to test with: complete, valid, small unless a test says otherwise."""

import uuid
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime

from providers.contract.manifest import Manifest
from providers.contract.overrides import (
    merged_engine_args,
    parse_overrides,
    resolve_scaling,
)
from providers.contract.protocols import Applied, Provider
from providers.contract.request import DeploymentRef, DeployRequest, Intent, Rollout
from providers.contract.target import ClusterTarget, Connection
from providers.contract.template import parse_spec

NAMESPACE = "models"
LONG_AGO = datetime(2026, 1, 1, tzinfo=UTC)
AWKWARD_NAMES = (
    "meta-llama/Llama-3.2-3B",
    "qwen2.5:32b",
    "123abc",
    "模型",
    "x" * 200,
    "Qwen_3.0 B",
    "-",
)

MOCK_SPEC: Manifest = {
    "engine": {
        "type": "mock",
        "image": "docker.io/aibrix/vllm-mock:v0.3.0",
        "ready_timeout_seconds": 60,
    },
    "model_source": {"type": "huggingface", "uri": "Qwen/Qwen3-0.6B"},
    "accelerator": {"type": "cpu"},
    "resources": {"cpu": "100m", "memory": "64Mi"},
}


def full_quota(namespace: str) -> Manifest:
    """Return a quota that leaves no pod in a namespace."""
    return {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": {"name": "full", "namespace": namespace},
        "spec": {"hard": {"pods": "0"}},
    }


def spec_with(**parts: object) -> Manifest:
    """Return the mock template's spec with whole parts replaced; `engine` is merged."""
    engine = {**MOCK_SPEC["engine"], **_mapping(parts.pop("engine", {}))}
    return {**MOCK_SPEC, **parts, "engine": engine}


def make_target(**changes: object) -> ClusterTarget:
    """Return a target whose one namespace is `models`."""
    target = ClusterTarget(
        key="test",
        name="test",
        connection=Connection(),
        default_namespace=NAMESPACE,
        namespaces=(NAMESPACE,),
    )
    return replace(target, **changes)  # type: ignore[arg-type]


def make_request(
    provider: Provider,
    *,
    name: str = "demo",
    namespace: str = NAMESPACE,
    spec: Mapping[str, object] = MOCK_SPEC,
    overrides: Mapping[str, object] | None = None,
    deployment_id: str = "",
) -> DeployRequest:
    """Return a request resolved as the core would, with an id of its own."""
    parsed, given = parse_spec(spec), parse_overrides(overrides or {})
    own_id = deployment_id or str(uuid.uuid4())
    return DeployRequest(
        id=own_id,
        name=name,
        runtime_name=provider.runtime_name(
            name, deployment_id=own_id, namespace=namespace, spec=parsed
        ),
        namespace=namespace,
        spec=parsed,
        source=parsed.model_source,
        serving_name="qwen3-0.6b",
        scaling=resolve_scaling(parsed, given),
        rollout=Rollout.SURGE,
        engine_args=merged_engine_args(parsed, given),
        enable_multi_lora=bool(given.enable_multi_lora),
    )


def rescaled(request: DeployRequest, **overrides: object) -> DeployRequest:
    """Return the next revision of a request with other scaling and nothing else."""
    scaling = resolve_scaling(request.spec, parse_overrides(overrides))
    return replace(request, scaling=scaling, revision=request.revision + 1)


def ref_of(
    request: DeployRequest, applied: Applied | None, *, intent: Intent = Intent.RUNNING
) -> DeploymentRef:
    """Return what the core would remember of a request that was applied, or (None) was not."""
    return DeploymentRef(
        id=request.id,
        runtime_name=request.runtime_name,
        namespace=request.namespace,
        serving_name=request.serving_name,
        intent=intent,
        intent_since=LONG_AGO,
        revision=request.revision,
        applied_revision=request.revision if applied else 0,
        scaling=request.scaling,
        startup_budget_seconds=request.spec.engine.ready_timeout_seconds,
        workload_uid=applied.workload_uid if applied else "",
        pod_digest=applied.pod_digest if applied else "",
    )


def _mapping(value: object) -> Mapping[str, object]:
    assert isinstance(value, Mapping)
    return value
