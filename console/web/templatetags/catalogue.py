"""What catalogue, clusters and first steps may ask beyond their context; it decides nothing."""

from django import template
from django.conf import settings
from django.template.context import RequestContext

from console.web.shown.figures import in_short, in_tokens
from console.web.shown.templates import STATUS_LOOKS, StatusLook
from deployments.access import can_launch, clusters_for
from templates_app.access import Person
from templates_app.models import ModelDeploymentTemplate
from templates_app.selectors import easiest_template

register = template.Library()

SANDBOX = "sandbox"

register.filter("in_short", in_short)
register.filter("in_tokens", in_tokens)


@register.filter
def template_look(status: str) -> StatusLook:
    """Return tone, icon and meaning of a template's status, from the one table that has them."""
    return STATUS_LOOKS[status]


@register.simple_tag(takes_context=True)
def is_sandbox_in_use(context: RequestContext) -> bool:
    """Tell whether launches go to the simulated cluster; a configured one switches it off."""
    if settings.K8S.is_configured:
        return False
    user: Person = context["user"]
    return clusters_for(user).enabled().filter(name=SANDBOX).exists()


@register.simple_tag(takes_context=True)
def may_launch(context: RequestContext) -> bool:
    """Tell whether the person behind the page may launch."""
    user: Person = context["user"]
    return can_launch(user)


@register.simple_tag
def first_template() -> ModelDeploymentTemplate | None:
    """Return what to launch first: it needs no accelerator."""
    return easiest_template()
