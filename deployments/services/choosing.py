"""Which template and which implementation an order means, and whether the two go together."""

from collections.abc import Iterator
from uuid import UUID

from deployments.exceptions import InvalidOrder, TemplateInactive
from deployments.services.orders import LaunchOrder, TemplateChoice
from providers import registry
from providers.contract.fitting import lack_of
from providers.contract.protocols import Provider
from providers.contract.template import TemplateSpec, parse_spec
from templates_app import selectors as catalogue
from templates_app.exceptions import Missing
from templates_app.models import Model, ModelDeploymentTemplate

NO_QUANTIZATION = "none"
KIND = "implementation.kind"


def choose_template(order: LaunchOrder) -> ModelDeploymentTemplate:
    """Return the active template that an order names, or the newest that its flat fields match."""
    if order.template is None:
        return _matching_template(order)
    template = named_template(order.template)
    if template.status != ModelDeploymentTemplate.Status.ACTIVE:
        raise TemplateInactive(
            "template.template_id",
            f"{template} is {template.status}; choose an active template or have it activated",
        )
    _refuse_disagreement(order, template)
    return template


def choose_provider(order: LaunchOrder, spec: TemplateSpec) -> Provider:
    """Return the provider of the kind; where none is named the usual one, else the only one.

    Either only if it can carry the template. Raises InvalidOrder.
    """
    if not order.implementation.kind:
        return _unnamed_provider(spec)
    provider = _known_provider(order.implementation.kind)
    misfit = _misfit_of(provider, spec)
    if misfit is not None:
        raise InvalidOrder.of(*misfit)
    return provider


def _unnamed_provider(spec: TemplateSpec) -> Provider:
    able = [one for one in registry.providers().values() if _misfit_of(one, spec) is None]
    usual = next((one for one in able if registry.DEFAULT_KIND in (one.kind, *one.aliases)), None)
    if usual is not None:
        return usual
    if len(able) == 1:
        return able[0]
    kinds = ", ".join(one.kind for one in able)
    raise InvalidOrder.of(KIND, f"is required: name one of {kinds}" if able else _no_kind(spec))


def _no_kind(spec: TemplateSpec) -> str:
    misfits = [_misfit_of(provider, spec) for provider in registry.providers().values()]
    if not misfits:
        return "no implementation is available here; an admin names them in SLIPWAY_PROVIDERS"
    reasons = "; ".join(misfit[1] for misfit in misfits if misfit)
    return f"no implementation that is available here can carry it: {reasons}"


def _misfit_of(provider: Provider, spec: TemplateSpec) -> tuple[str, str] | None:
    """Return what keeps a provider from carrying a template: the field that says so, and why."""
    if not any(spec.allows_kind(kind) for kind in (provider.kind, *provider.aliases)):
        allowed = spec.compatibility.implementation_kinds if spec.compatibility else ()
        return KIND, f"the template does not allow {provider.kind}; it allows {', '.join(allowed)}"
    lack = lack_of(provider.capabilities, spec)
    if lack is None:
        return None
    instead = "choose another implementation or another template"
    return lack.field, f"{provider.kind} cannot run {lack.what}; {instead}"


def _known_provider(kind: str) -> Provider:
    try:
        return registry.get(kind)
    except registry.UnknownKind as error:
        raise InvalidOrder.of(KIND, error.message) from error


def named_template(choice: TemplateChoice) -> ModelDeploymentTemplate:
    """Return the template of the ids, whatever its status; raises InvalidOrder."""
    if choice.model_id and not Model.objects.filter(pk=choice.model_id).exists():
        raise InvalidOrder.of("template.model_id", f"there is no model {choice.model_id}")
    template = _template_by_id(choice.template_id)
    if template is None:
        raise InvalidOrder.of(
            "template.template_id",
            f"there is no template {choice.template_id}; "
            "list those of a model at /api/v1/models/MODEL/deployment-templates",
        )
    if choice.model_id and template.model_id != choice.model_id:
        raise InvalidOrder.of(
            "template.template_id", f"this template belongs to the model {template.model_id}"
        )
    return template


def _template_by_id(text: str) -> ModelDeploymentTemplate | None:
    try:
        key = UUID(text)
    except ValueError:
        return None
    return ModelDeploymentTemplate.objects.select_related("model").filter(pk=key).first()


def _matching_template(order: LaunchOrder) -> ModelDeploymentTemplate:
    if not order.base_model:
        raise InvalidOrder.of(
            "template", "is required: name model_id and template_id, or send base_model"
        )
    model = _base_model(order.base_model)
    active = catalogue.active_templates(model)
    if not active:
        raise InvalidOrder.of("base_model", f"{model.pk} has no active template")
    for template in active:
        if not dict(_disagreements(order, template)):
            return template
    field = next(iter(dict(_disagreements(order, active[0]))))
    offers = ", ".join(dict.fromkeys(_offer_of(template) for template in active[:10]))
    raise InvalidOrder.of(field, f"no active template of {model.pk} matches; there are: {offers}")


def _base_model(text: str) -> Model:
    try:
        return catalogue.find_base_model(text)
    except Missing as error:
        raise InvalidOrder.of("base_model", f"there is no model {text}") from error


def _refuse_disagreement(order: LaunchOrder, template: ModelDeploymentTemplate) -> None:
    faults = {path: (text,) for path, text in _disagreements(order, template)}
    if order.base_model and _base_model(order.base_model).pk != template.model_id:
        faults["base_model"] = (f"the template belongs to the model {template.model_id}",)
    if faults:
        raise InvalidOrder.about(faults)


def _disagreements(
    order: LaunchOrder, template: ModelDeploymentTemplate
) -> Iterator[tuple[str, str]]:
    spec = parse_spec(template.spec)
    accelerator, weight = spec.accelerator, spec.quantization.weight or NO_QUANTIZATION
    if order.accelerator_type and not _same(order.accelerator_type, accelerator.type):
        yield "accelerator_type", f"the template asks for {accelerator.type}; leave it out"
    if order.accelerator_count not in (None, accelerator.per_pod):
        yield "accelerator_count", f"the template asks for {accelerator.per_pod}; leave it out"
    if order.quantization and not _same(order.quantization, weight):
        yield "quantization", f"the template's is {weight}; leave it out"


def _offer_of(template: ModelDeploymentTemplate) -> str:
    spec = parse_spec(template.spec)
    weight = f" {spec.quantization.weight}" if spec.quantization.weight else ""
    return f"{spec.accelerator.per_pod} x {spec.accelerator.type}{weight} ({template.name})"


def _same(one: str, other: str) -> bool:
    return one.casefold() == other.casefold()
