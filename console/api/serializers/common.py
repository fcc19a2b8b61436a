"""Shapes that several answers share: errors, checks, the base of every answer."""

from typing import Any

from rest_framework import serializers


class Answer(serializers.Serializer[Any]):
    """A part of an answer: read only, built from whatever object it is given."""


class ErrorAnswer(Answer):
    """Every error: `message` alone already names the field."""

    code = serializers.CharField()
    message = serializers.CharField()
    fields = serializers.DictField(  # type: ignore[assignment]  # the API's word for it
        child=serializers.ListField(child=serializers.CharField())
    )


class CheckAnswer(Answer):
    """One line of a preflight."""

    code = serializers.CharField()
    result = serializers.ChoiceField(choices=["pass", "unknown", "warn", "fail"])
    message = serializers.CharField()
    field = serializers.CharField(allow_blank=True)


class EvidenceAnswer(Answer):
    """One thing that was seen; `object` is the runtime object it was seen on."""

    reason = serializers.CharField()
    message = serializers.CharField()
    object = serializers.CharField(allow_blank=True)
    row = serializers.IntegerField()


class EndpointAnswer(Answer):
    """Where the model answers; what there is not is an empty string."""

    url = serializers.CharField(allow_blank=True)
    external_url = serializers.CharField(allow_blank=True)
    port_forward = serializers.CharField(allow_blank=True)


MANIFESTS = serializers.ListField(child=serializers.DictField())
