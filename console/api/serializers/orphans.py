"""Objects without a record in answers, and what can be asked to be done about them."""

from rest_framework import serializers

from console.api.serializers.common import Answer


class ObjectAnswer(Answer):
    """Which object of a cluster."""

    api_version = serializers.CharField()
    kind = serializers.CharField()
    namespace = serializers.CharField(allow_blank=True)
    name = serializers.CharField()


class ProvenanceAnswer(Answer):
    """What a workload says that it was launched from, and by whom."""

    model = serializers.CharField()
    template = serializers.CharField()
    template_version = serializers.CharField()
    overrides = serializers.JSONField()
    created_by = serializers.CharField(allow_blank=True)


class OrphanAnswer(ObjectAnswer):
    """An object of ours that no open record owns, and what it says of itself.

    `provenance` is that of a workload, null where it says nothing.
    """

    uid = serializers.CharField()
    deployment_id = serializers.CharField(allow_blank=True)
    implementation_kind = serializers.CharField(source="implementation")
    display_name = serializers.CharField(allow_blank=True)
    revision = serializers.IntegerField()
    is_workload = serializers.BooleanField()
    is_terminating = serializers.BooleanField()
    provenance = ProvenanceAnswer(allow_null=True)
    created_at = serializers.DateTimeField(allow_null=True)
    first_seen_at = serializers.DateTimeField()


class OrphanListAnswer(Answer):
    """One page of the objects that the last full pass found, `seen_at` its time."""

    orphans = OrphanAnswer(many=True)
    count = serializers.IntegerField()
    next = serializers.CharField(allow_blank=True)
    previous = serializers.CharField(allow_blank=True)
    seen_at = serializers.DateTimeField(allow_null=True)


class RemovalBody(serializers.Serializer[object]):
    """Which objects go, by their uids."""

    uids = serializers.ListField(child=serializers.CharField(), min_length=1, max_length=500)
    reason = serializers.CharField(required=False, allow_blank=True)


class RemainingAnswer(ObjectAnswer):
    """An object that the cluster is still removing, with the finalizers that hold it."""

    finalizers = serializers.ListField(child=serializers.CharField())


class RemovalAnswer(Answer):
    """What is gone, and what goes as soon as its pods have ended."""

    removed = ObjectAnswer(many=True)
    waiting_for = RemainingAnswer(many=True)


class AdoptionBody(serializers.Serializer[object]):
    """Whose objects are managed again; `name` where the old one is taken.

    `implementation_kind` only where objects of several bear the id.
    """

    deployment_id = serializers.CharField()
    namespace = serializers.CharField()
    implementation_kind = serializers.CharField(required=False)
    name = serializers.CharField(required=False, allow_blank=True)
    reason = serializers.CharField(required=False, allow_blank=True)
