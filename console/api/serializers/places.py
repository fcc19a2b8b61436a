"""Implementations, clusters, capacity and the audit trail in answers."""

from collections.abc import Mapping

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from console.api.serializers.common import Answer
from console.health.parts import State
from deployments.models import Cluster
from deployments.services.auditing import Outcome
from deployments.services.clusters import kinds_on, unseen_kinds


class CapabilitiesAnswer(Answer):
    """Implementation as pages and scripts choose it; not available where no cluster has it."""

    kind = serializers.CharField()
    name = serializers.CharField()
    available = serializers.BooleanField()
    reason = serializers.CharField(allow_blank=True)
    capabilities = serializers.ListField(child=serializers.CharField())


class ImplementationListAnswer(Answer):
    """Every implementation that is configured, broken ones too."""

    implementations = CapabilitiesAnswer(many=True)
    count = serializers.IntegerField()


class ClusterAnswer(Answer):
    """A cluster; never a path or a credential."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    region = serializers.CharField(allow_blank=True)
    enabled = serializers.BooleanField()
    default_namespace = serializers.CharField()
    namespaces = serializers.ListField(child=serializers.CharField(), source="launch_namespaces")
    reachable = serializers.BooleanField(allow_null=True)
    last_seen_at = serializers.DateTimeField(allow_null=True)
    last_error = serializers.CharField(allow_blank=True)
    kinds = serializers.SerializerMethodField()
    unseen_kinds = serializers.SerializerMethodField()

    @extend_schema_field(serializers.DictField(child=serializers.BooleanField()))
    def get_kinds(self, cluster: Cluster) -> Mapping[str, bool]:
        """Return which implementations it has, of those that are named here."""
        return kinds_on(cluster)

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_unseen_kinds(self, cluster: Cluster) -> tuple[str, ...]:
        """Return those of which nobody knows: the console needs the right to list their objects."""
        return unseen_kinds(cluster)


class ClusterListAnswer(Answer):
    """The clusters that one may see."""

    clusters = ClusterAnswer(many=True)
    count = serializers.IntegerField()


class AcceleratorCapacityAnswer(Answer):
    """Whole accelerators of one type."""

    type = serializers.CharField()
    resource = serializers.CharField()
    total = serializers.IntegerField()
    free = serializers.IntegerField()
    largest_free_on_one_node = serializers.IntegerField()


class QuotaAnswer(Answer):
    """One line of a ResourceQuota, in plain numbers of its base unit."""

    quota = serializers.CharField()
    resource = serializers.CharField()
    hard = serializers.FloatField()
    used = serializers.FloatField()
    free = serializers.FloatField()


class NamespaceQuotasAnswer(Answer):
    """The quotas of one namespace."""

    name = serializers.CharField()
    quotas = QuotaAnswer(many=True)


class CapacityAnswer(Answer):
    """What is free; `observed_at` null and `unknown_because` where nobody could count."""

    observed_at = serializers.DateTimeField(allow_null=True)
    unknown_because = serializers.CharField(allow_blank=True)
    accelerators = AcceleratorCapacityAnswer(many=True)
    namespaces = NamespaceQuotasAnswer(many=True)


class AuditEntryAnswer(Answer):
    """Who did what to which object, why and how it ended; before and after hold what differs."""

    id = serializers.IntegerField()
    at = serializers.DateTimeField()
    actor = serializers.CharField(source="actor_name")
    role = serializers.CharField(allow_blank=True)
    action = serializers.CharField()
    object_type = serializers.CharField()
    object_id = serializers.CharField()
    object_name = serializers.CharField(allow_blank=True)
    before = serializers.JSONField(allow_null=True)
    after = serializers.JSONField(allow_null=True)
    reason = serializers.CharField(allow_blank=True)
    outcome = serializers.CharField(help_text=", ".join(one.value for one in Outcome))
    message = serializers.CharField(allow_blank=True)
    source = serializers.CharField()  # type: ignore[assignment]  # the trail's word for it
    request_id = serializers.CharField(allow_blank=True)
    operation_id = serializers.CharField(allow_blank=True)


class AuditListAnswer(Answer):
    """One page of the audit trail, newest first."""

    audit = AuditEntryAnswer(many=True)
    count = serializers.IntegerField()
    next = serializers.CharField(allow_blank=True)
    previous = serializers.CharField(allow_blank=True)


class HealthAnswer(Answer):
    """Whether the console answers."""

    status = serializers.CharField()


class PartAnswer(Answer):
    """One part of the console: `ok`, `late` or `down`, and what that means in a sentence."""

    state = serializers.ChoiceField(choices=[state.value for state in State])
    message = serializers.CharField()


class ReadinessAnswer(Answer):
    """How the console's parts are: `ok`, `degraded` (every page works) or `not ready`."""

    status = serializers.CharField()
    parts = serializers.DictField(child=PartAnswer())
