"""An order with everything that it names looked up, before any cluster is asked anything."""

import uuid
from dataclasses import dataclass

from deployments.models import Cluster
from deployments.services.answers import answer_of
from deployments.services.calling import calling
from deployments.services.choosing import choose_provider, choose_template
from deployments.services.clusters import target_of
from deployments.services.orders import LaunchOrder
from deployments.services.placing import choose_cluster, choose_namespace
from deployments.services.sources import resolve_source
from providers.contract.overrides import (
    Overrides,
    check_overrides,
    merged_engine_args,
    resolve_scaling,
)
from providers.contract.protocols import Provider
from providers.contract.request import DeployRequest, Provenance, Rollout
from providers.contract.target import ClusterTarget
from providers.contract.template import TemplateSpec, parse_spec
from templates_app.models import ModelDeploymentTemplate


@dataclass(frozen=True, kw_only=True, slots=True)
class Draft:
    """What an order means here: rows, the provider, the template's words and the overrides."""

    order: LaunchOrder
    overrides: Overrides
    template: ModelDeploymentTemplate
    spec: TemplateSpec
    provider: Provider
    cluster: Cluster
    target: ClusterTarget
    namespace: str


def draft_order(order: LaunchOrder) -> Draft:
    """Look up what an order names; raises InvalidOrder, InvalidRequest or a conflict."""
    template = choose_template(order)
    spec, overrides = parse_spec(template.spec), order.resolved_overrides()
    provider = choose_provider(order, spec)
    check_overrides(overrides, spec)
    cluster = choose_cluster(order)
    return Draft(
        order=order,
        overrides=overrides,
        template=template,
        spec=spec,
        provider=provider,
        cluster=cluster,
        target=target_of(cluster),
        namespace=choose_namespace(order, cluster),
    )


def request_from(draft: Draft, *, deployment_id: uuid.UUID, rollout: Rollout) -> DeployRequest:
    """Return the first revision of a draft; raises InvalidOrder or InvalidRequest."""
    spec, overrides, model = draft.spec, draft.overrides, draft.template.model
    return DeployRequest(
        id=str(deployment_id),
        name=draft.order.name,
        runtime_name=_runtime_name(draft, deployment_id),
        namespace=draft.namespace,
        spec=spec,
        source=resolve_source(model, spec, overrides),
        serving_name=model.serving_name,
        scaling=resolve_scaling(spec, overrides),
        rollout=rollout,
        engine_args=merged_engine_args(spec, overrides),
        enable_multi_lora=bool(overrides.enable_multi_lora),
    )


def provenance_of(draft: Draft, *, author: str) -> Provenance:
    """Return what the objects of a launch say that it was made from, and by whom."""
    return Provenance(
        model=draft.template.model_id,
        template=draft.template.name,
        template_version=draft.template.version,
        overrides=draft.overrides.as_document(),
        created_by=author,
    )


def _runtime_name(draft: Draft, deployment_id: uuid.UUID) -> str:
    with calling(draft.provider.kind, "runtime_name"):
        name = draft.provider.runtime_name(
            draft.order.name,
            deployment_id=str(deployment_id),
            namespace=draft.namespace,
            spec=draft.spec,
        )
        return answer_of(str, name)
