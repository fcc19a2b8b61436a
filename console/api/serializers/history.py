"""The history of a deployment in answers: its verdicts."""

from rest_framework import serializers

from console.api.serializers.common import Answer, EvidenceAnswer


class StatusChangeAnswer(Answer):
    """A verdict at the moment it changed; `until` is null for the one that the record has now."""

    at = serializers.DateTimeField()
    until = serializers.DateTimeField(allow_null=True)
    phase = serializers.CharField()
    reason = serializers.CharField(allow_blank=True)
    message = serializers.CharField(allow_blank=True)
    desired_replicas = serializers.IntegerField()
    ready_replicas = serializers.IntegerField()
    available_replicas = serializers.IntegerField()
    evidence = EvidenceAnswer(many=True)


class HistoryAnswer(Answer):
    """One page of verdicts, newest first."""

    history = StatusChangeAnswer(many=True)
    count = serializers.IntegerField()
    next = serializers.CharField(allow_blank=True)
    previous = serializers.CharField(allow_blank=True)
