"""What is seen when somebody looks into a deployment: its objects, and what was said about them."""

from rest_framework import serializers

from console.api.serializers.common import Answer
from console.api.serializers.orphans import ObjectAnswer


class KeyAnswer(ObjectAnswer):
    """Which object another one belongs to."""


class ContainerAnswer(Answer):
    """One container; `last` says how its run before ended, empty where there was none."""

    name = serializers.CharField()
    image = serializers.CharField(allow_blank=True)
    state = serializers.CharField()
    tone = serializers.CharField()
    message = serializers.CharField(allow_blank=True)
    is_init = serializers.BooleanField()
    ready = serializers.BooleanField()
    restarts = serializers.IntegerField()
    started_at = serializers.DateTimeField(allow_null=True)
    has_started = serializers.BooleanField()
    has_previous = serializers.BooleanField()
    last = serializers.CharField(allow_blank=True)
    last_at = serializers.DateTimeField(allow_null=True)


class ResourceAnswer(Answer):
    """One object with its state in words; what should be there and is not has an empty `uid`.

    `owner` is the object that it belongs to, null for a root. `tone` is ok, progress, warn, fail or
    idle.
    """

    api_version = serializers.CharField(source="key.api_version")
    kind = serializers.CharField(source="key.kind")
    namespace = serializers.CharField(source="key.namespace", allow_blank=True)
    name = serializers.CharField(source="key.name")
    uid = serializers.CharField(allow_blank=True)
    state = serializers.CharField()
    tone = serializers.CharField()
    message = serializers.CharField(allow_blank=True)
    created_at = serializers.DateTimeField(allow_null=True)
    owner = KeyAnswer(source="below", allow_null=True)
    current = serializers.BooleanField()
    facts = serializers.DictField(child=serializers.CharField())
    containers = ContainerAnswer(many=True)


class ResourcesAnswer(Answer):
    """Every object, each right before what it owns; `unreadable` maps kinds to why."""

    resources = ResourceAnswer(many=True, source="objects")
    observed_at = serializers.DateTimeField(source="now")
    unreadable = serializers.DictField(child=serializers.CharField())


class EventAnswer(Answer):
    """One thing that was said about an object, repeats folded into `count`."""

    at = serializers.DateTimeField(allow_null=True)
    first_at = serializers.DateTimeField(allow_null=True)
    count = serializers.IntegerField()
    is_warning = serializers.BooleanField()
    reason = serializers.CharField(allow_blank=True)
    message = serializers.CharField(allow_blank=True)
    object = serializers.CharField()
    source = serializers.CharField(allow_blank=True)  # type: ignore[assignment]  # the API's word


class EventsAnswer(Answer):
    """Events, newest first; `cut` when there are more, `unreadable` says why some are missing."""

    events = EventAnswer(many=True, source="lines")
    observed_at = serializers.DateTimeField(source="now")
    cut = serializers.BooleanField()
    unreadable = serializers.CharField(allow_blank=True)
