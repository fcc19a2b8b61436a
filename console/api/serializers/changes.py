"""A change of what runs: the body that asks for it, what it would do, and what came of it."""

from typing import Any

from rest_framework import serializers

from console.api.serializers.catalogue import LoadTimeAnswer
from console.api.serializers.common import MANIFESTS, Answer, CheckAnswer, ErrorAnswer
from console.api.serializers.deployments import (
    DeploymentAnswer,
    OverridesBody,
    TemplateChoiceBody,
)
from console.api.serializers.drift import CoManagerAnswer, DriftedFieldAnswer
from console.api.serializers.revisions import IntentChangeAnswer, ObjectDiffAnswer
from deployments.models.history import RevisionOutcome
from deployments.models.operations import Verb

_TOKEN = "The token that a preview answered: change what was reviewed."  # noqa: S105 - a sentence


class ChangedOverridesBody(OverridesBody):
    """The overrides that shall be otherwise; null takes one back to the template's own value."""

    def get_fields(self) -> dict[str, Any]:
        """Return those of a launch, each of which may be null."""
        fields: dict[str, Any] = super().get_fields()
        for field in fields.values():
            field.allow_null = True
        return fields


class ChangeBody(serializers.Serializer[object]):
    """What shall be otherwise; all that is left out stays as it is."""

    overrides = ChangedOverridesBody(required=False, help_text="Merged into those of today.")
    template = TemplateChoiceBody(
        required=False, help_text="Another version, or another template of the same model."
    )
    stopped = serializers.BooleanField(
        required=False, help_text="true stops it; false starts it with what ran."
    )
    redeploy = serializers.BooleanField(required=False, help_text="true restarts every pod.")
    reason = serializers.CharField(required=False, allow_blank=True)
    change = serializers.CharField(required=False, help_text=_TOKEN)


class RollbackBody(serializers.Serializer[object]):
    """The revision that shall be what runs again, with the replicas of today."""

    revision = serializers.IntegerField(min_value=1)
    reason = serializers.CharField(required=False, allow_blank=True)
    change = serializers.CharField(required=False, help_text=_TOKEN)


class ChangeAnswer(DeploymentAnswer):
    """The deployment after a change; `changed` is false where nothing was to change."""

    changed = serializers.BooleanField()


class ValueChangeAnswer(Answer):
    """One value that is otherwise, by its path; an empty text is none."""

    path = serializers.CharField()
    before = serializers.CharField(allow_blank=True)
    after = serializers.CharField(allow_blank=True)


class LaterRevisionAnswer(Answer):
    """A revision that came after the one that was expected."""

    number = serializers.IntegerField()
    created_by = serializers.CharField(allow_blank=True)
    created_at = serializers.DateTimeField()
    reason = serializers.CharField(allow_blank=True)
    outcome = serializers.ChoiceField(choices=RevisionOutcome.values)


class ChangeConflictAnswer(ErrorAnswer):
    """Why a change cannot be made of what is stored; `conflict` tells who changed what since.

    `change_changed` tells in `changes` what would be applied otherwise than it was reviewed.
    """

    changes = ValueChangeAnswer(many=True, required=False)
    revisions = LaterRevisionAnswer(many=True, required=False)


class SpareAnswer(Answer):
    """Accelerators of one type that a change needs beside those in use; null is not counted."""

    type = serializers.CharField()
    per_pod = serializers.IntegerField()
    pods = serializers.IntegerField()
    accelerators = serializers.IntegerField()
    free = serializers.IntegerField(allow_null=True)
    largest_free_on_one_node = serializers.IntegerField(allow_null=True)
    quota_left = serializers.IntegerField(allow_null=True)
    fit = serializers.ChoiceField(choices=["fits", "short", "unknown"])


class EffectsAnswer(Answer):
    """What a change does to what runs, in whole pods."""

    writes = serializers.ChoiceField(choices=["nothing", "scaling", "objects"])
    objects = serializers.ListField(child=serializers.CharField())
    removed = serializers.ListField(child=serializers.CharField())
    replaces_pods = serializers.BooleanField()
    restarts = serializers.IntegerField()
    rollout = serializers.ChoiceField(choices=["surge", "replace", "recreate"])
    surge = serializers.IntegerField()
    unavailable = serializers.IntegerField()
    replicas_before = serializers.IntegerField()
    replicas_after = serializers.IntegerField()
    fewest_ready = serializers.IntegerField()
    has_downtime = serializers.BooleanField()
    fit = serializers.ChoiceField(choices=["fits", "short", "unknown"])
    spare = SpareAnswer(many=True)


class ChangePreviewAnswer(Answer):
    """What a change would do to a revision; `change` makes exactly this happen, within an hour.

    It is empty where nothing would be otherwise. `load_time` is the usual one of the new pods, null
    where none is known or no pod is replaced. `co_managers` may take it back, `puts_back` is what
    others changed and this makes ours again by the way; both empty where that cannot be told.
    """

    revision = serializers.IntegerField()
    changes = serializers.BooleanField()
    action = serializers.ChoiceField(choices=Verb.values)
    intent = IntentChangeAnswer(many=True)
    objects = ObjectDiffAnswer(many=True)
    effects = EffectsAnswer()
    load_time = LoadTimeAnswer(allow_null=True)
    checks = CheckAnswer(many=True)
    co_managers = CoManagerAnswer(many=True)
    puts_back = DriftedFieldAnswer(many=True)
    manifests = MANIFESTS
    change = serializers.CharField(allow_blank=True)
