"""Models, their versions and templates, in answers and as they are written."""

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from console.api.serializers.common import Answer


class ModelAnswer(Answer):
    """A model of the catalogue."""

    id = serializers.CharField()
    name = serializers.CharField()
    serving_name = serializers.CharField()
    categories = serializers.ListField(child=serializers.CharField())
    description = serializers.CharField(allow_blank=True)
    context_length = serializers.IntegerField(allow_null=True)
    parameters = serializers.IntegerField(allow_null=True)
    licence = serializers.CharField(allow_blank=True)
    tags = serializers.ListField(child=serializers.CharField())
    metadata = serializers.DictField()
    specification = serializers.DictField()
    pricing = serializers.DictField()
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()


class ModelBody(serializers.Serializer[object]):
    """A model as it is written; without an id one is made from the name."""

    id = serializers.CharField(required=False)
    name = serializers.CharField()
    serving_name = serializers.CharField(required=False, allow_blank=True)
    categories = serializers.ListField(child=serializers.CharField(), required=False)
    description = serializers.CharField(required=False, allow_blank=True)
    context_length = serializers.IntegerField(required=False, allow_null=True)
    parameters = serializers.IntegerField(required=False, allow_null=True)
    licence = serializers.CharField(required=False, allow_blank=True)
    tags = serializers.ListField(child=serializers.CharField(), required=False)
    metadata = serializers.DictField(required=False)
    specification = serializers.DictField(required=False)
    pricing = serializers.DictField(required=False)


class ModelListAnswer(Answer):
    """One page of models."""

    models = ModelAnswer(many=True)
    count = serializers.IntegerField()
    next = serializers.CharField(allow_blank=True)
    previous = serializers.CharField(allow_blank=True)


class ModelVersionAnswer(Answer):
    """A registered version of a model."""

    label = serializers.CharField()  # type: ignore[assignment]  # a version's own word
    source_type = serializers.CharField()
    uri = serializers.CharField()
    revision = serializers.CharField(allow_blank=True)
    created_at = serializers.DateTimeField()


class ModelVersionBody(serializers.Serializer[object]):
    """A version as it is written."""

    label = serializers.CharField()  # type: ignore[assignment]  # a version's own word
    source_type = serializers.ChoiceField(choices=["huggingface", "s3", "local"])
    uri = serializers.CharField()
    revision = serializers.CharField(required=False, allow_blank=True)


class ModelVersionListAnswer(Answer):
    """The versions of a model, newest first."""

    versions = ModelVersionAnswer(many=True)
    count = serializers.IntegerField()


class WarningAnswer(Answer):
    """What the engine has to say about a template."""

    path = serializers.CharField()
    message = serializers.CharField()


class LoadTimeAnswer(Answer):
    """Seconds from node to first answer, as in four of five of the latest starts; null before one.

    Of fewer than three starts they are the shortest and the longest.
    """

    starts = serializers.IntegerField()
    low_seconds = serializers.IntegerField(allow_null=True)
    high_seconds = serializers.IntegerField(allow_null=True)


class TemplateAnswer(Answer):
    """A deployment template; `spec` as it was written."""

    id = serializers.UUIDField()
    model_id = serializers.CharField()
    name = serializers.CharField()
    version = serializers.CharField()
    status = serializers.ChoiceField(choices=["draft", "active", "deprecated"])
    spec = serializers.DictField()
    warnings = serializers.SerializerMethodField()
    load_time = serializers.SerializerMethodField()
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()

    @extend_schema_field(WarningAnswer(many=True))
    def get_warnings(self, template: object) -> list[dict[str, str]]:
        """Return the warnings that the caller has worked out."""
        del template
        warnings: list[dict[str, str]] = self.context["warnings"]
        return warnings

    @extend_schema_field(LoadTimeAnswer)
    def get_load_time(self, template: object) -> dict[str, int | None]:
        """Return the load time that the caller has looked up."""
        del template
        load_time: dict[str, int | None] = self.context["load_time"]
        return load_time


class TemplateBody(serializers.Serializer[object]):
    """A template as it is written; docs/add-a-template.md explains the spec."""

    name = serializers.CharField()
    version = serializers.CharField()
    status = serializers.ChoiceField(choices=["draft", "active", "deprecated"], required=False)
    spec = serializers.DictField()


class TemplateListAnswer(Answer):
    """The templates of a model."""

    templates = TemplateAnswer(many=True)
    count = serializers.IntegerField()
    next = serializers.CharField(allow_blank=True)
    previous = serializers.CharField(allow_blank=True)
