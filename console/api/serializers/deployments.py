"""Deployments in answers, and the body that creates one."""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from console.api.serializers.common import (
    Answer,
    CheckAnswer,
    EndpointAnswer,
    EvidenceAnswer,
)
from deployments.models import Deployment


class StatusAnswer(Answer):
    """The verdict in full."""

    phase = serializers.CharField()
    reason = serializers.CharField(allow_blank=True)
    message = serializers.CharField(allow_blank=True)
    desired_replicas = serializers.IntegerField()
    ready_replicas = serializers.IntegerField()
    available_replicas = serializers.IntegerField()
    observed_at = serializers.DateTimeField(allow_null=True)
    stale = serializers.BooleanField()
    stale_because = serializers.CharField(allow_blank=True)
    evidence = EvidenceAnswer(many=True)
    notes = EvidenceAnswer(many=True)


class DeploymentRow(Answer):
    """A deployment as a list shows it: a snapshot, read from the database alone."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    deployment_id = serializers.CharField(source="runtime_name")
    base_model = serializers.CharField(source="model.name")
    base_model_id = serializers.CharField(source="model_id")
    serving_name = serializers.CharField()
    replicas = serializers.CharField(source="replicas_text")
    gpus_per_replica = serializers.IntegerField(source="accelerator_count")
    gpu_type = serializers.CharField(source="accelerator_type")
    region = serializers.CharField(allow_blank=True)
    created_by = serializers.CharField(source="created_by_name")
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()
    closed_at = serializers.DateTimeField(allow_null=True)
    deletion_asked_at = serializers.DateTimeField(allow_null=True)
    status = serializers.CharField(source="phase")
    reason = serializers.CharField(allow_blank=True)
    message = serializers.CharField(allow_blank=True)
    ready_replicas = serializers.IntegerField()
    desired_replicas = serializers.IntegerField()
    observed_at = serializers.DateTimeField(allow_null=True)
    template_id = serializers.UUIDField()
    template_version = serializers.CharField()
    implementation_kind = serializers.CharField(source="kind")
    cluster = serializers.CharField(source="cluster.name")
    namespace = serializers.CharField()
    endpoint = EndpointAnswer()
    revision = serializers.IntegerField()
    overrides = serializers.DictField()


class DeploymentAnswer(DeploymentRow):
    """One deployment with its status in full and the warnings of its launch."""

    status_detail = serializers.SerializerMethodField()
    checks = CheckAnswer(many=True)

    @extend_schema_field(StatusAnswer)
    def get_status_detail(self, _deployment: Deployment) -> Mapping[str, Any]:
        """Return what was just read, else the snapshot."""
        detail: Mapping[str, Any] = StatusAnswer(self.context["status"]).data
        return detail


class DeploymentListAnswer(Answer):
    """One page of deployments, newest first."""

    deployments = DeploymentRow(many=True)
    count = serializers.IntegerField()
    next = serializers.CharField(allow_blank=True)
    previous = serializers.CharField(allow_blank=True)


class TemplateChoiceBody(serializers.Serializer[object]):
    """Which template: the model's id and the template's."""

    model_id = serializers.CharField(required=False)
    template_id = serializers.UUIDField()


class ImplementationChoiceBody(serializers.Serializer[object]):
    """Which kind of runtime; left out, `k8s-deployment` or else the only one that fits."""

    kind = serializers.CharField(required=False)


class TargetBody(serializers.Serializer[object]):
    """Where: both have defaults."""

    cluster = serializers.CharField(required=False)
    namespace = serializers.CharField(required=False)


class OverridesBody(serializers.Serializer[object]):
    """What the template allows to change."""

    region = serializers.CharField(required=False, allow_blank=True)
    min_replicas = serializers.IntegerField(required=False)
    max_replicas = serializers.IntegerField(required=False)
    enable_auto_scaling = serializers.BooleanField(required=False)
    enable_multi_lora = serializers.BooleanField(required=False)
    rollout = serializers.CharField(
        required=False,
        allow_blank=True,
        help_text="How a change replaces pods: auto, surge, replace or recreate.",
    )
    engine_args = serializers.DictField(child=serializers.CharField(), required=False)
    model_version = serializers.CharField(required=False, allow_blank=True)


class LaunchBody(serializers.Serializer[object]):
    """A launch; the flat fields of older clients are taken too."""

    name = serializers.CharField()
    template = TemplateChoiceBody(required=False)
    implementation = ImplementationChoiceBody(required=False)
    overrides = OverridesBody(required=False)
    target = TargetBody(required=False)
    launch = serializers.CharField(
        required=False, help_text="The token that a preview answered: launch what was reviewed."
    )
    reason = serializers.CharField(required=False, allow_blank=True)
    base_model = serializers.CharField(required=False)
    region = serializers.CharField(required=False, allow_blank=True)
    accelerator_type = serializers.CharField(required=False)
    accelerator_count = serializers.IntegerField(required=False)
    quantization = serializers.CharField(required=False, allow_blank=True)
    min_replicas = serializers.IntegerField(required=False)
    max_replicas = serializers.IntegerField(required=False)
    enable_auto_scaling = serializers.BooleanField(required=False)
    enable_multi_lora = serializers.BooleanField(required=False)


class PreviewAnswer(Answer):
    """What a launch would do; `launch` makes exactly this one happen, within an hour."""

    manifests = serializers.ListField(child=serializers.DictField())
    checks = CheckAnswer(many=True)
    runtime_name = serializers.CharField()
    endpoint = EndpointAnswer()
    launch = serializers.CharField()


class ManifestsAnswer(Answer):
    """The objects of the current revision, in the order of apply."""

    manifests = serializers.ListField(child=serializers.DictField())
    revision = serializers.IntegerField()
