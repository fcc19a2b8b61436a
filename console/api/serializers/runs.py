"""Who runs a version of a template, and what another version would change, in answers."""

from rest_framework import serializers

from console.api.serializers.common import Answer
from console.api.serializers.deployments import DeploymentListAnswer
from console.api.serializers.revisions import IntentChangeAnswer, ObjectDiffAnswer


class OlderVersionAnswer(Answer):
    """An older version that something runs; `changes` are those of the templates alone.

    They are null where the two cannot be compared by themselves.
    """

    template_id = serializers.UUIDField()
    version = serializers.CharField()
    count = serializers.IntegerField()
    changes = IntentChangeAnswer(many=True, allow_null=True)


class RunsAnswer(DeploymentListAnswer):
    """One page of the deployments on a version of a template or an older one, newest first."""

    on_this = serializers.IntegerField()
    on_older = serializers.IntegerField()
    older = OlderVersionAnswer(many=True)


class TemplateDiffAnswer(Answer):
    """What another template would make of a deployment whose overrides stay as they are."""

    template_id = serializers.UUIDField()
    template_version = serializers.CharField()
    intent = IntentChangeAnswer(many=True)
    objects = ObjectDiffAnswer(many=True)
