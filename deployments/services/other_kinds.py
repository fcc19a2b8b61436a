"""Which other implementations could carry a deployment, and what would be different there.

Told from what is stored and rendered; no cluster is asked, and nothing is moved: a person launches
another deployment beside this one, and deletes this one when that is ready.
"""

import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from deployments.models import Deployment, Revision
from deployments.selectors import current_revision
from deployments.services.answers import answer_of, manifests_of
from deployments.services.calling import calling
from deployments.services.clusters import target_of
from deployments.services.refs import request_of
from providers import registry
from providers.contract.errors import InvalidRequest, ProviderError
from providers.contract.fitting import can_carry
from providers.contract.manifest import Manifest
from providers.contract.overrides import (
    Overrides,
    check_overrides,
    merged_engine_args,
    parse_overrides,
    resolve_scaling,
)
from providers.contract.protocols import Provider
from providers.contract.request import DeployRequest
from providers.contract.template import TemplateSpec, parse_spec
from templates_app.models import ModelDeploymentTemplate
from templates_app.selectors import active_templates

AUTOSCALING = "enable_auto_scaling"


@dataclass(frozen=True, kw_only=True, slots=True)
class OtherKind:
    """One implementation that could carry the same, by which template.

    `objects` are the kinds of what it would make, `overrides` what carries over; `lost` says of
    each other one by its path why it does not, `fault` why nothing can be rendered. `is_missing`:
    the cluster lacks it.
    """

    kind: str
    title: str
    template: ModelDeploymentTemplate
    keeps_template: bool
    objects: tuple[str, ...] = ()
    overrides: Mapping[str, object]
    lost: Mapping[str, str]
    fault: str = ""
    is_missing: bool = False


def other_kinds(deployment: Deployment) -> tuple[OtherKind, ...]:
    """Return every other implementation for which the model has an active template."""
    revision = current_revision(deployment)
    return tuple(
        _told(deployment, revision, provider, template)
        for provider in registry.providers().values()
        if provider.kind != deployment.kind
        and (template := _template_for(deployment, provider)) is not None
    )


def kinds_of(manifests: Sequence[Manifest]) -> tuple[str, ...]:
    """Return the kinds of objects in the order of apply."""
    return tuple(str(manifest["kind"]) for manifest in manifests)


def _template_for(deployment: Deployment, provider: Provider) -> ModelDeploymentTemplate | None:
    """Return the deployment's own template if it fits, else the newest of its model that does."""
    own_first = sorted(
        active_templates(deployment.model), key=lambda one: one.pk != deployment.template_id
    )
    return next((one for one in own_first if _fits(one, provider)), None)


def _fits(template: ModelDeploymentTemplate, provider: Provider) -> bool:
    try:
        return can_carry(provider, parse_spec(template.spec))
    except InvalidRequest:
        return False


def _told(
    deployment: Deployment,
    revision: Revision,
    provider: Provider,
    template: ModelDeploymentTemplate,
) -> OtherKind:
    spec, overrides = parse_spec(template.spec), parse_overrides(revision.overrides)
    lost = dict(_lost(spec, overrides, provider))
    kept = _without(lost, overrides)
    told = OtherKind(
        kind=provider.kind,
        title=provider.title,
        template=template,
        keeps_template=template.pk == deployment.template_id,
        overrides=kept.as_document(),
        lost=lost,
        is_missing=deployment.cluster.kinds.get(provider.kind) is False,
    )
    try:
        request = _request(deployment, revision, spec, kept, provider)
        with calling(provider.kind, "render"):
            manifests = manifests_of(provider.render(request, target_of(deployment.cluster)))
    except ProviderError as error:
        return replace(told, fault=error.message)
    return replace(told, objects=kinds_of(manifests))


def _lost(
    spec: TemplateSpec, overrides: Overrides, provider: Provider
) -> Iterator[tuple[str, str]]:
    """Yield what does not carry over: what the template does not open, or the kind cannot do."""
    try:
        check_overrides(overrides, spec)
    except InvalidRequest as refusal:
        for path, texts in refusal.fields.items():
            yield path.removeprefix("overrides."), "; ".join(texts)
    if overrides.enable_auto_scaling and not provider.capabilities.autoscaling:
        yield AUTOSCALING, f"{provider.title} cannot scale by itself"


def _without(lost: Mapping[str, str], overrides: Overrides) -> Overrides:
    """Return the overrides that carry over; autoscaling that a kind has not is left out."""
    arguments = {
        name: value
        for name, value in overrides.engine_args.items()
        if f"engine_args.{name}" not in lost
    }
    flat = {name: None for name in lost if name in Overrides.model_fields}
    if AUTOSCALING in lost:
        flat |= {"max_replicas": None}
    return overrides.model_copy(update={**flat, "engine_args": arguments})


def _request(
    deployment: Deployment,
    revision: Revision,
    spec: TemplateSpec,
    overrides: Overrides,
    provider: Provider,
) -> DeployRequest:
    """Return what would be launched, under the same name and an id that nobody has."""
    own_id = str(uuid.uuid4())
    with calling(provider.kind, "runtime_name"):
        answer = provider.runtime_name(
            deployment.name, deployment_id=own_id, namespace=deployment.namespace, spec=spec
        )
        name = answer_of(str, answer)
    return replace(
        request_of(deployment, revision),
        id=own_id,
        runtime_name=name,
        spec=spec,
        scaling=resolve_scaling(spec, overrides),
        engine_args=merged_engine_args(spec, overrides),
        revision=1,
        provenance=None,
        restart="",
        resume_at=0,
    )
