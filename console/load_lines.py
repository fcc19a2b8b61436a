"""A deployment's load over time, for API and pages alike: minutes of our own, hours of Prometheus.

Knows no page and no answer.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone

from console.prometheus.client import PrometheusTrouble, Window, query_range
from console.prometheus.environment import URL
from console.prometheus.queries import MARK, query_of
from deployments.exceptions import InvalidOrder
from deployments.measuring.figures import figures_of
from deployments.measuring.lines import Line, lines_of
from deployments.models import Deployment
from deployments.services.measuring import KEPT, recent_figures
from providers.contract.template import Engine
from providers.engines.metrics import metric_names

# Of our own samples: two that were not taken.
_GAP_SECONDS = 30.0
# Rates need several scrapes; the usual ones are 15 to 60 seconds apart.
_SHORTEST_RATE = 180


@dataclass(frozen=True, kw_only=True, slots=True)
class Span:
    """How far back to look, by a short name; `step` is 0 for our own samples, as they came."""

    name: str
    word: str
    length: timedelta
    step: int = 0


SPANS: Mapping[str, Span] = {
    span.name: span
    for span in (
        Span(name="15m", word="15 min", length=KEPT),
        Span(name="1h", word="1 h", length=timedelta(hours=1), step=30),
        Span(name="6h", word="6 h", length=timedelta(hours=6), step=180),
        Span(name="24h", word="24 h", length=timedelta(hours=24), step=720),
    )
}
FIRST = "15m"


@dataclass(frozen=True, kw_only=True, slots=True)
class Load:
    """Lines from `start` to `end`; `trouble` says why there are none."""

    span: Span
    start: datetime
    end: datetime
    lines: tuple[Line, ...] = ()
    trouble: str = ""


def span_of(asked: Mapping[str, str]) -> Span:
    """Return the span that is asked for by name; raises InvalidOrder for one there is not."""
    name = asked.get("span") or FIRST
    if name not in SPANS:
        raise InvalidOrder.of("span", f"must be one of {', '.join(SPANS)}")
    return SPANS[name]


def load_of(deployment: Deployment, engine: Engine, span: Span) -> Load:
    """Return the lines of a span; never raises for a Prometheus that cannot be asked."""
    end = timezone.now()
    start = end - span.length
    if not span.step:
        rows = recent_figures(deployment)
        lines = lines_of(figures_of(engine), rows, gap_seconds=_GAP_SECONDS)
        return Load(span=span, start=start, end=end, lines=lines)
    if not settings.PROMETHEUS.url:
        trouble = f"the console knows of no Prometheus; an administrator sets {URL}"
        return Load(span=span, start=start, end=end, trouble=trouble)
    try:
        lines = _ask(deployment, engine, Window(start=start, end=end, step=span.step))
    except PrometheusTrouble as trouble:
        return Load(span=span, start=start, end=end, trouble=str(trouble))
    return Load(span=span, start=start, end=end, lines=lines)


def _ask(deployment: Deployment, engine: Engine, window: Window) -> tuple[Line, ...]:
    figures = figures_of(engine)
    query = query_of(
        figures,
        metric_names(engine),
        namespace=deployment.namespace,
        runtime_name=deployment.runtime_name,
        seconds=max(_SHORTEST_RATE, window.step),
    )
    series = query_range(settings.PROMETHEUS, query, window)
    found = {one.labels.get(MARK, ""): one.points for one in series}
    gap = 1.5 * window.step
    return tuple(
        Line(figure=one, points=found.get(one.name, ()), gap_seconds=gap) for one in figures
    )
