"""What others changed, in answers, and what can be asked to be done about it."""

from rest_framework import serializers

from console.api.serializers.common import Answer
from providers.contract.drifting import DriftKind


class HolderAnswer(Answer):
    """Who wrote a field, in words and as the cluster keeps it; empty where it keeps nothing."""

    who = serializers.CharField()
    manager = serializers.CharField(allow_blank=True)
    operation = serializers.CharField(allow_blank=True)
    subresource = serializers.CharField(allow_blank=True)
    at = serializers.DateTimeField(allow_null=True)


class DriftedFieldAnswer(Answer):
    """One field that is not as it was applied; `path` is empty for an object that is gone.

    `obstacle` says why it cannot be put back, `overrides` what would take it over; where these are
    empty, `expressed_by` names what would have to be changed instead.
    """

    object = serializers.CharField(source="key")
    path = serializers.CharField(allow_blank=True)
    kind = serializers.ChoiceField(choices=[kind.value for kind in DriftKind])
    ours = serializers.CharField(allow_blank=True)
    theirs = serializers.CharField(allow_blank=True)
    holder = HolderAnswer()
    restarts = serializers.BooleanField()
    obstacle = serializers.CharField(allow_blank=True)
    overrides = serializers.DictField()
    expressed_by = serializers.CharField(allow_blank=True)


class CoManagerAnswer(Answer):
    """Somebody else who manages an object; `writes_again` if what they wrote comes back."""

    name = serializers.CharField()
    object = serializers.CharField(source="key")
    sentence = serializers.CharField()
    writes_again = serializers.BooleanField()


class DriftAnswer(Answer):
    """All that differs from what was applied; `digest` stands for it, empty for nothing."""

    digest = serializers.CharField(allow_blank=True)
    fields = DriftedFieldAnswer(many=True)  # type: ignore[assignment]  # the API's word for it
    co_managers = CoManagerAnswer(many=True)


class DriftBody(serializers.Serializer[object]):
    """What was looked at: the digest that it was answered with."""

    digest = serializers.CharField()
    reason = serializers.CharField(required=False, allow_blank=True)


class PutBackAnswer(Answer):
    """What was put back, or will be (`done` false) once the cluster answers, and what is left."""

    done = serializers.BooleanField()
    put_back = DriftedFieldAnswer(many=True, source="fields")
    left = DriftedFieldAnswer(many=True)
