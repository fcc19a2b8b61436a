"""What other implementations could carry a deployment, in answers."""

from rest_framework import serializers

from console.api.serializers.common import Answer


class OrderAnswer(Answer):
    """A launch without a name: add one and send it to `deployments/preview`."""

    template = serializers.DictField(child=serializers.CharField())
    implementation = serializers.DictField(child=serializers.CharField())
    target = serializers.DictField(child=serializers.CharField())
    overrides = serializers.DictField()


class OtherKindAnswer(Answer):
    """One implementation; `lost` says of each override by its path why it does not carry over.

    `objects` are the kinds of what it would make, none with a `fault`. `installed` is null where
    nobody has asked the cluster yet.
    """

    kind = serializers.CharField()
    title = serializers.CharField()
    template_name = serializers.CharField()
    template_version = serializers.CharField()
    keeps_template = serializers.BooleanField()
    objects = serializers.ListField(child=serializers.CharField())
    lost = serializers.DictField(child=serializers.CharField())
    fault = serializers.CharField()
    installed = serializers.BooleanField(allow_null=True)
    order = OrderAnswer()


class OtherKindsAnswer(Answer):
    """Every other implementation for which the model has an active template."""

    implementations = OtherKindAnswer(many=True)
