"""Every figure of a deployment's load: its name, its word, its unit and what it means."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from providers.contract.template import Engine
from providers.engines.metrics import MetricNames, metric_names


class Unit(StrEnum):
    """What a figure counts, as the API names it."""

    REQUESTS = "requests"
    TOKENS_PER_SECOND = "tokens/s"
    SECONDS = "s"
    SHARE = "share"
    CORES = "cores"
    BYTES = "bytes"


@dataclass(frozen=True, kw_only=True, slots=True)
class Figure:
    """One figure; `source` is the name of the engine's series that it comes from, if any."""

    name: str
    word: str
    unit: Unit
    meaning: str
    source: str = ""


FIGURES: tuple[Figure, ...] = (
    Figure(
        name="running",
        word="Running",
        unit=Unit.REQUESTS,
        meaning="requests that engines work on now",
        source="running",
    ),
    Figure(
        name="waiting",
        word="Waiting",
        unit=Unit.REQUESTS,
        meaning="requests in the engines' queues",
        source="waiting",
    ),
    Figure(
        name="generation_tokens_per_second",
        word="Generated",
        unit=Unit.TOKENS_PER_SECOND,
        meaning="tokens written for all requests together",
        source="generation_tokens",
    ),
    Figure(
        name="prompt_tokens_per_second",
        word="Prompts",
        unit=Unit.TOKENS_PER_SECOND,
        meaning="tokens read from prompts",
        source="prompt_tokens",
    ),
    Figure(
        name="time_to_first_token_seconds",
        word="First token",
        unit=Unit.SECONDS,
        meaning="mean wait of requests until their first token",
        source="ttft",
    ),
    Figure(
        name="cache_usage",
        word="Cache",
        unit=Unit.SHARE,
        meaning="how full the fullest engine's key-value cache is; full, requests wait",
        source="cache_usage",
    ),
    Figure(
        name="cpu_cores",
        word="CPU",
        unit=Unit.CORES,
        meaning="processor time that all pods use",
    ),
    Figure(
        name="memory_bytes",
        word="Memory",
        unit=Unit.BYTES,
        meaning="memory that all pods hold; accelerators' own is not counted",
    ),
)

Figures = Mapping[str, float]
"""Values by the names of figures; what is not known is left out."""


def figures_of(engine: Engine) -> tuple[Figure, ...]:
    """Return the figures that an engine of this version can have."""
    names: MetricNames = metric_names(engine)
    return tuple(one for one in FIGURES if not one.source or getattr(names, one.source))
