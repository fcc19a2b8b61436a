"""What a template would become: the manifests of an example launch, by each implementation.

Pure but for the registered versions of the model: no cluster is asked, the example one exists here
only. A provider is foreign code, so whatever it raises is told in its place.
"""

import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from providers import registry
from providers.contract.checks import Check
from providers.contract.errors import InvalidRequest, ProviderError
from providers.contract.fitting import lack_of
from providers.contract.manifest import Manifest
from providers.contract.overrides import Overrides, merged_engine_args, resolve_scaling
from providers.contract.protocols import Provider
from providers.contract.request import DeployRequest
from providers.contract.target import AcceleratorMapping, ClusterTarget, Connection
from providers.contract.template import ModelSource, TemplateSpec, parse_spec
from templates_app.models import ModelDeploymentTemplate

logger = logging.getLogger(__name__)

NAMESPACE = "example"
EXAMPLE_ID = "0e0a3b1e-0000-4000-8000-000000000000"

Faults = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Preview:
    """What one implementation makes of a template; with `faults`, by path, it makes nothing."""

    kind: str
    title: str
    manifests: tuple[Manifest, ...] = ()
    checks: tuple[Check, ...] = ()
    faults: Faults = field(default_factory=dict)


def example_target(spec: TemplateSpec) -> ClusterTarget:
    """Return a cluster that has whatever accelerators a template asks for, under plain names."""
    accelerators = [spec.accelerator, *(role.accelerator for role in spec.topology.roles)]
    return ClusterTarget(
        key="example",
        name="example",
        connection=Connection(),
        default_namespace=NAMESPACE,
        namespaces=(NAMESPACE,),
        accelerators={one.type: AcceleratorMapping() for one in accelerators if not one.is_cpu},
    )


def preview_template(template: ModelDeploymentTemplate) -> tuple[Preview, ...]:
    """Return what every compatible implementation makes of an example launch.

    Raises InvalidRequest by path when the stored spec itself cannot be read.
    """
    spec = parse_spec(template.spec)
    return tuple(_preview(provider, template, spec) for provider in _compatible(spec))


def _compatible(spec: TemplateSpec) -> Iterator[Provider]:
    for provider in registry.providers().values():
        names = (provider.kind, *provider.aliases)
        can = lack_of(provider.capabilities, spec) is None
        if can and any(spec.allows_kind(name) for name in names):
            yield provider


def _preview(provider: Provider, template: ModelDeploymentTemplate, spec: TemplateSpec) -> Preview:
    target = example_target(spec)
    try:
        request = _example_request(provider, template, spec, target)
        checks = provider.validate(request, target)
        manifests = provider.render(request, target)
    except InvalidRequest as refusal:
        return Preview(kind=provider.kind, title=provider.title, faults=refusal.fields)
    except ProviderError as error:
        return _failed(provider, error.message)
    except Exception as error:
        logger.exception("a provider failed at a preview", extra={"kind": provider.kind})
        return _failed(provider, f"failed with {type(error).__name__}; the log has the details")
    return Preview(
        kind=provider.kind, title=provider.title, manifests=tuple(manifests), checks=tuple(checks)
    )


def _failed(provider: Provider, message: str) -> Preview:
    faults = {"implementation.kind": (message,)}
    return Preview(kind=provider.kind, title=provider.title, faults=faults)


def _example_request(
    provider: Provider,
    template: ModelDeploymentTemplate,
    spec: TemplateSpec,
    target: ClusterTarget,
) -> DeployRequest:
    name, scaling = f"{template.model.name} example", resolve_scaling(spec, Overrides())
    return DeployRequest(
        id=EXAMPLE_ID,
        name=name,
        runtime_name=provider.runtime_name(
            name, deployment_id=EXAMPLE_ID, namespace=NAMESPACE, spec=spec
        ),
        namespace=NAMESPACE,
        spec=spec,
        source=_example_source(template, spec),
        serving_name=template.model.serving_name,
        scaling=scaling,
        rollout=provider.resolve_rollout(
            spec.rollout.strategy,
            spec,
            target,
            namespace=NAMESPACE,
            scaling=scaling,
            capacity=None,
        ),
        engine_args=merged_engine_args(spec, Overrides()),
    )


def _example_source(template: ModelDeploymentTemplate, spec: TemplateSpec) -> ModelSource | None:
    """Return the template's own source, else the newest version of the model."""
    if spec.model_source or not spec.needs_source:
        return spec.model_source
    version = template.model.versions.first()
    if version is None:
        raise InvalidRequest.of(
            "overrides.model_version",
            "the template names no source, and the model has no version to take one from",
        )
    named = {"type": version.source_type, "uri": version.uri, "revision": version.revision}
    return ModelSource.model_validate(named)
