"""What templates may ask beyond Django's own words; it shows, and decides nothing."""

from datetime import datetime
from functools import cache

from django import template
from django.http import HttpRequest
from django.template.context import RequestContext
from django.utils import timezone
from django.utils.safestring import SafeString
from lucide.templatetags.lucide import lucide

from console.web.navigation import NavLink, links_for
from console.web.shown.ages import age_in_words
from console.web.shown.figures import in_accelerators
from deployments import selectors
from deployments.models import Deployment
from deployments.services.heartbeat import BeatStatus, beat_status
from providers import registry
from providers.contract.status import PHASES, Phase, PhaseLook

register = template.Library()

_OPENING = '<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">'


@register.simple_tag
def icon(name: str) -> str:
    """Draw one of lucide's icons, for the eye only: its word stands beside it."""
    return _drawing(name)


@cache
def _drawing(name: str) -> SafeString:
    # A list has a hundred of them; how they are drawn stands once, in the style sheet.
    _, _, shapes = str(lucide(name)).partition(">")
    return SafeString(_OPENING + "".join(line.strip() for line in shapes.splitlines()))


@register.simple_tag(takes_context=True)
def nav_links(context: RequestContext) -> tuple[NavLink, ...]:
    """Return the links that this person may follow."""
    request: HttpRequest = context["request"]
    return links_for(request)


@register.simple_tag
def late_beat() -> BeatStatus | None:
    """Return when the background work acted last where that is too long ago, else nothing."""
    status = beat_status()
    return status if status.is_late else None


@register.simple_tag
def phase_look(phase: str) -> PhaseLook:
    """Return tone and icon of a phase, from the one table that has them."""
    return PHASES[Phase(phase)]


@register.filter
def implementation(kind: str) -> str:
    """Return how people call a kind."""
    return registry.title_of(kind)


@register.filter
def sentence(text: str) -> str:
    """Begin a sentence large where it begins with a word; a name stays as it is."""
    return f"{text[:1].upper()}{text[1:]}" if text.partition(" ")[0].isalpha() else text


@register.filter
def accelerators(deployment: Deployment) -> str:
    """Say the accelerators of one replica of a deployment."""
    return in_accelerators(deployment.accelerator_count, deployment.accelerator_type)


@register.filter
def seen_at(deployment: Deployment) -> datetime | None:
    """Return when this row was last known to be true."""
    return selectors.seen_at(deployment)


@register.filter
def is_stale(deployment: Deployment) -> bool:
    """Tell whether the row is only what was known last."""
    return selectors.is_stale(deployment)


@register.filter
def stale_because(deployment: Deployment) -> str:
    """Say why a stale row is only what was known last, as a sentence without its full stop."""
    cluster = deployment.cluster
    if not registry.is_carried(deployment.kind):
        return f"{deployment.kind} is not installed in this console"
    if not cluster.enabled:
        return f"{cluster.name} is switched off"
    if cluster.reachable is False:
        return f"{cluster.name} does not answer"
    return f"{registry.title_of(deployment.kind)} could not be read on {cluster.name}"


@register.filter
def age(moment: datetime | None) -> str:
    """Say in one unit how long ago something was, as in "4 s"; never negative."""
    return age_in_words(moment, now=timezone.now())
