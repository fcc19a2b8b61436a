"""The revisions of a deployment in answers, and what differs between two of them."""

from rest_framework import serializers

from console.api.serializers.common import Answer
from deployments.models import Revision
from deployments.models.operations import Verb


class RevisionAnswer(Answer):
    """What was wanted, by whom and why; `digest` is that of its manifests.

    `restores` is the revision that a rollback took up again.
    """

    number = serializers.IntegerField()
    action = serializers.ChoiceField(source="verb", choices=Verb.values)
    restores = serializers.IntegerField(allow_null=True)
    template_id = serializers.UUIDField()
    template_version = serializers.CharField()
    overrides = serializers.DictField()
    digest = serializers.CharField()
    created_by = serializers.CharField(source="author_name", allow_blank=True)
    created_at = serializers.DateTimeField()
    reason = serializers.CharField(allow_blank=True)
    outcome = serializers.ChoiceField(choices=["pending", "applied", "refused", "withdrawn"])


class RevisionListAnswer(Answer):
    """One page of revisions, the highest number first."""

    revisions = RevisionAnswer(many=True)
    count = serializers.IntegerField()
    next = serializers.CharField(allow_blank=True)
    previous = serializers.CharField(allow_blank=True)


class RevisionDetailAnswer(RevisionAnswer):
    """One revision in full but for its manifests; `current` tells whether it is what is wanted."""

    template_name = serializers.CharField(source="template.name")
    serving_name = serializers.CharField()
    engine_args = serializers.DictField(child=serializers.CharField())
    scaling = serializers.DictField()
    rollout = serializers.CharField()
    spec = serializers.DictField()
    current = serializers.SerializerMethodField()

    def get_current(self, revision: Revision) -> bool:
        return revision.number == revision.deployment.revision


class IntentChangeAnswer(Answer):
    """One thing that is wanted otherwise; an empty text is none, secrets are masked."""

    field = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # it is a field, and called so
    before = serializers.CharField(allow_blank=True)
    after = serializers.CharField(allow_blank=True)
    sentence = serializers.CharField()


class ObjectDiffAnswer(Answer):
    """One object that is not the same, and the unified diff of its YAML, secrets masked."""

    api_version = serializers.CharField(source="key.api_version")
    kind = serializers.CharField(source="key.kind")
    name = serializers.CharField(source="key.name")
    namespace = serializers.CharField(source="key.namespace", allow_blank=True)
    fate = serializers.ChoiceField(choices=["added", "removed", "changed"])
    diff = serializers.CharField(source="text")


class RevisionDiffAnswer(Answer):
    """What differs between two revisions, the way from the one to the other."""

    before = serializers.IntegerField()
    after = serializers.IntegerField()
    intent = IntentChangeAnswer(many=True)
    objects = ObjectDiffAnswer(many=True)
