"""The template that a change names: another version, or another template, of the same model."""

from deployments.exceptions import InvalidOrder, TemplateInactive
from deployments.services.change_bases import Base
from deployments.services.choosing import named_template
from deployments.services.orders import TemplateChoice
from providers.contract.fitting import lack_of
from providers.contract.template import parse_spec
from templates_app.models import ModelDeploymentTemplate

FIELD = "template.template_id"


def changed_template(choice: TemplateChoice | None, base: Base) -> ModelDeploymentTemplate:
    """Return the template after a change; without a choice, and if it is the same, today's.

    Raises InvalidOrder for one that cannot carry this deployment, TemplateInactive.
    """
    if choice is None:
        return base.revision.template
    template = named_template(choice)
    if template.pk == base.revision.template_id:
        return base.revision.template
    if template.model_id != base.deployment.model_id:
        raise InvalidOrder.of(
            FIELD,
            f"this template belongs to the model {template.model_id}; "
            f"choose one of {base.deployment.model_id}, or launch another deployment",
        )
    if template.status != ModelDeploymentTemplate.Status.ACTIVE:
        raise TemplateInactive(
            FIELD, f"{template} is {template.status}; choose an active template of the model"
        )
    _refuse_another_kind(template, base)
    return template


def _refuse_another_kind(template: ModelDeploymentTemplate, base: Base) -> None:
    spec, provider = parse_spec(template.spec), base.provider
    if not any(spec.allows_kind(kind) for kind in (provider.kind, *provider.aliases)):
        raise InvalidOrder.of(
            FIELD, f"this template does not allow {provider.kind}, which carries the deployment"
        )
    if lack := lack_of(provider.capabilities, spec):
        raise InvalidOrder.of(FIELD, f"{provider.kind} cannot run {lack.what}")
