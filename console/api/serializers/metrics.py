"""The load of a deployment: figures now, pod by pod, and over time."""

from rest_framework import serializers

from console.api.serializers.common import Answer
from console.load_lines import SPANS
from deployments.measuring.figures import FIGURES, Unit

_NAMES = [figure.name for figure in FIGURES]
_UNITS = [unit.value for unit in Unit]


class MeasuredPodAnswer(Answer):
    """One pod: what it uses, null where nobody tells, and its engine's own numbers.

    `values` are gauges and counters as they stand; `trouble` says why the engine told nothing.
    """

    pod = serializers.CharField()
    cpu_cores = serializers.FloatField(allow_null=True)
    memory_bytes = serializers.IntegerField(allow_null=True)
    values = serializers.DictField(child=serializers.FloatField())
    trouble = serializers.CharField(allow_blank=True)


class CurrentAnswer(Answer):
    """One reading. Of `figures` those are left out that nothing tells; rates need two readings.

    `use_trouble` and `engine_trouble` say why a part could not be read.
    """

    at = serializers.DateTimeField()
    figures = serializers.DictField(child=serializers.FloatField())
    pods = MeasuredPodAnswer(many=True)
    use_trouble = serializers.CharField(allow_blank=True)
    engine_trouble = serializers.CharField(allow_blank=True)


class PointAnswer(Answer):
    """One value at one time."""

    at = serializers.DateTimeField()
    value = serializers.FloatField()


class SeriesAnswer(Answer):
    """One figure over time, oldest first; a time without a point was not measured."""

    name = serializers.ChoiceField(choices=_NAMES)
    unit = serializers.ChoiceField(choices=_UNITS)
    points = PointAnswer(many=True)


class MetricsAnswer(Answer):
    """The load now and over a span; `series_trouble` says why there are no series."""

    current = CurrentAnswer()
    span = serializers.ChoiceField(choices=list(SPANS))
    series = SeriesAnswer(many=True)
    series_trouble = serializers.CharField(allow_blank=True)
