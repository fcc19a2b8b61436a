"""What catalogue, clusters and first steps may ask beyond their context; it decides nothing."""

from collections.abc import Mapping

from django import template
from django.conf import settings
from django.template.context import RequestContext
from django.utils import timezone

from console.web.shown.figures import in_short, in_tokens
from console.web.shown.free import show_free
from console.web.shown.templates import STATUS_LOOKS, StatusLook
from deployments.access import can_launch, clusters_for
from deployments.diffing.labels import label_of
from deployments.models import Cluster
from templates_app.access import Person
from templates_app.models import ModelDeploymentTemplate
from templates_app.selectors import count_active_templates, easiest_template

register = template.Library()

SANDBOX = "sandbox"
# The frame must not push the account out of sight.
MOST_IN_FRAME = 5
_KEPT = "clusters_of_frame"

register.filter("in_short", in_short)
register.filter("in_tokens", in_tokens)
register.filter("form_label", label_of)


@register.filter
def template_look(status: str) -> StatusLook:
    """Return tone, icon and meaning of a template's status, from the one table that has them."""
    return STATUS_LOOKS[status]


@register.simple_tag(takes_context=True)
def is_sandbox_in_use(context: RequestContext) -> bool:
    """Tell whether launches go to the simulated cluster; a configured one switches it off."""
    if settings.K8S.is_configured:
        return False
    return any(one.name == SANDBOX for one in _clusters_of(context))


@register.simple_tag
def offered() -> Mapping[str, int]:
    """Return how many templates can be launched, and of how many models."""
    return count_active_templates()


@register.simple_tag(takes_context=True)
def free_in_frame(context: RequestContext) -> Mapping[str, object]:
    """Return what is free on the first clusters, and how many more there are."""
    clusters = _clusters_of(context)
    return {
        "shown": tuple(show_free(clusters[:MOST_IN_FRAME], now=timezone.now())),
        "more": max(0, len(clusters) - MOST_IN_FRAME),
    }


def _clusters_of(context: RequestContext) -> list[Cluster]:
    """Return where launches can go; the parts of a page's frame ask once for all of them."""
    kept, user = vars(context["request"]), context["user"]
    if _KEPT not in kept:
        kept[_KEPT] = list(clusters_for(user).enabled().default_first())
    return list(kept[_KEPT])


@register.simple_tag(takes_context=True)
def may_launch(context: RequestContext) -> bool:
    """Tell whether the person behind the page may launch."""
    user: Person = context["user"]
    return can_launch(user)


@register.simple_tag
def first_template() -> ModelDeploymentTemplate | None:
    """Return what to launch first: it needs no accelerator."""
    return easiest_template()
