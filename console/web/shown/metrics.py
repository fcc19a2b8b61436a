"""The tab Metrics: figures now as tiles, pod by pod, and lines over minutes or hours."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.urls import reverse

from console.load_lines import FIRST, SPANS, Load
from console.web.shown.chart_table import Row, rows_of
from console.web.shown.charts import Chart, draw
from console.web.shown.scales import scale_of
from deployments.measuring.figures import FIGURES, Figure, Figures, Unit
from deployments.measuring.pods import MeasuredPod, pods_of
from deployments.models import Deployment, MetricSample

# Seconds: what is measured here moves quickly, hours do not; rates come with a second reading.
POLL_SECONDS, SLOW_SECONDS, SOON_SECONDS = 10, 60, 6
_NEXT = "next reading"


@dataclass(frozen=True, kw_only=True, slots=True)
class Tile:
    """One figure now; an empty value has its reason in `why`."""

    figure: Figure
    value: str = ""
    unit: str = ""
    why: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownPod:
    """One pod with what is known of it, word by word."""

    name: str
    facts: tuple[tuple[str, str], ...]
    trouble: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownNow:
    """One reading; `troubles` are sentences about what is missing of it."""

    sample: MetricSample
    tiles: tuple[Tile, ...]
    pods: tuple[ShownPod, ...]
    troubles: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class SpanLink:
    """A way to another span of time."""

    name: str
    word: str
    address: str
    is_current: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownLoad:
    """Charts and the same as a table; `trouble` says why there is neither."""

    load: Load
    charts: tuple[Chart, ...]
    rows: tuple[Row, ...]
    spans: tuple[SpanLink, ...]
    trouble: str
    here: str


def show_now(sample: MetricSample, figures: Sequence[Figure]) -> ShownNow:
    """Return one reading as the page shows it."""
    reading = sample.metrics
    has_engine = any(one.values for one in reading.engine)
    wanted = [one for one in figures if (has_engine if one.source else bool(reading.use))]
    return ShownNow(
        sample=sample,
        tiles=tuple(_tile(one, sample.figures) for one in wanted),
        pods=tuple(_pod(pod) for pod in pods_of(reading)),
        troubles=tuple(text for text in (reading.engine_trouble, reading.use_trouble) if text),
    )


def show_load(deployment: Deployment, load: Load) -> ShownLoad:
    """Return the lines of a span as the page draws them."""
    lines = [line for line in load.lines if line.points]
    charts = tuple(draw(line, load.start, load.end) for line in lines)
    address = reverse("deployment-metrics", args=[deployment.pk])
    spans = tuple(
        SpanLink(
            name=span.name,
            word=span.word,
            address=address if span.name == FIRST else f"{address}?span={span.name}",
            is_current=span == load.span,
        )
        for span in SPANS.values()
    )
    return ShownLoad(
        load=load,
        charts=charts,
        rows=rows_of(lines, charts, load.start, load.end),
        spans=spans,
        trouble=load.trouble or ("" if charts else _nothing_yet(load)),
        here=next(span.address for span in spans if span.is_current),
    )


def poll_seconds_of(load: Load, now: ShownNow | None) -> int:
    """Return how often the page asks again while somebody looks."""
    if now and any(tile.why == _NEXT for tile in now.tiles):
        return SOON_SECONDS
    return SLOW_SECONDS if load.span.step else POLL_SECONDS


def _nothing_yet(load: Load) -> str:
    if load.span.step:
        return (
            "Prometheus has no series of these pods for that time; "
            "does it scrape them, with the labels namespace and pod?"
        )
    return "nothing has been measured yet; lines begin while somebody looks at this page"


def _tile(figure: Figure, known: Figures) -> Tile:
    value = known.get(figure.name)
    if value is None:
        return Tile(figure=figure, why=_why_unknown(figure, known))
    scale = scale_of(figure.unit, value)
    return Tile(figure=figure, value=scale.say(value), unit=scale.word)


def _why_unknown(figure: Figure, known: Figures) -> str:
    is_ttft = figure.source == "ttft"
    if not any(one.name in known for one in FIGURES if one.unit is Unit.TOKENS_PER_SECOND):
        if is_ttft or figure.unit is Unit.TOKENS_PER_SECOND:
            return _NEXT
    elif is_ttft:
        return "no request since the last reading"
    return "the engine does not tell"


def _pod(pod: MeasuredPod) -> ShownPod:
    return ShownPod(name=pod.pod, facts=tuple(_facts(pod)), trouble=pod.trouble)


def _facts(pod: MeasuredPod) -> Iterator[tuple[str, str]]:
    used = {"cpu_cores": pod.cpu_cores, "memory_bytes": pod.memory_bytes}
    for figure in FIGURES:
        is_standing = figure.source in {"running", "waiting", "cache_usage"}
        value = pod.values.get(figure.source) if is_standing else used.get(figure.name)
        if value is not None:
            scale = scale_of(figure.unit, value)
            word = "" if figure.unit is Unit.REQUESTS else f" {scale.word}"
            yield figure.word, f"{scale.say(value)}{word}"
