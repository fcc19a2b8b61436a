"""What an engine's metrics page says under the names of its engine and version.

The page is foreign: it may be huge, broken or of something else. Only lines that begin with a
wanted name are read at all, one by one, so that a bad line costs nothing but itself.
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import asdict

from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families

from providers.engines.metrics import MetricNames

# A page with more wanted lines than that has labels that explode: their sum would take too long.
MOST_SAMPLES = 5000
_HISTOGRAMS = frozenset({"ttft", "itl", "tpot", "e2e", "queue_time"})
# Ranks of one engine that work on the same requests: each of them tells all of it.
_SAME_WORK = frozenset({"tp_rank", "pp_rank"})

Series = tuple[tuple[str, str], ...]
"""The labels of one series, in order, without those of ranks that share their work."""


class TooManySeries(ValueError):
    """The page has more series under the wanted names than anybody can make sense of."""


def read_exposition(text: str, names: MetricNames) -> Mapping[str, float]:
    """Return values by the names of MetricNames, of histograms as `ttft_sum` and `ttft_count`.

    Series add up, as every engine of a pod works for itself; but of caches the fullest counts, as
    requests wait where their own engine is full. Raises TooManySeries.
    """
    found: dict[str, dict[Series, float]] = defaultdict(dict)
    for key, series, value in _samples(text, _wanted(names)):
        found[key][series] = max(value, found[key].get(series, 0.0))
    return {key: _joined(key, tuple(series.values())) for key, series in found.items()}


def _joined(key: str, values: tuple[float, ...]) -> float:
    return max(values) if key == "cache_usage" else sum(values)


def _wanted(names: MetricNames) -> Mapping[str, str]:
    """Return the key of every name as it stands on the page."""
    wanted: dict[str, str] = {}
    for key, name in asdict(names).items():
        if not name:
            continue
        endings = ("_sum", "_count") if key in _HISTOGRAMS else ("",)
        wanted |= {f"{name}{ending}": f"{key}{ending}" for ending in endings}
    return wanted


def _samples(text: str, wanted: Mapping[str, str]) -> Iterator[tuple[str, Series, float]]:
    read = 0
    for line in text.split("\n"):
        key = wanted.get(_name_of(line))
        if key is None:
            continue
        read += 1
        if read > MOST_SAMPLES:
            raise TooManySeries(
                f"more than {MOST_SAMPLES} series bear the names that are looked for"
            )
        yield from ((key, series, value) for series, value in _read_line(line))


def _name_of(line: str) -> str:
    words = line.partition("{")[0].split(maxsplit=1)
    return words[0] if words else ""


def _read_line(line: str) -> Iterator[tuple[Series, float]]:
    """Yield the sample of a line, none for a line that is broken or no number of anything."""
    try:
        families: list[Metric] = list(text_string_to_metric_families(line))
    except (ValueError, KeyError, IndexError, TypeError):
        return
    for sample in (one for family in families for one in family.samples):
        if math.isfinite(sample.value) and sample.value >= 0:
            labels = (pair for pair in sample.labels.items() if pair[0] not in _SAME_WORK)
            yield tuple(sorted(labels)), float(sample.value)
