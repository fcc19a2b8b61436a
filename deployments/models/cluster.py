"""A place to launch into: how to reach it, what may be asked of it, and what was last seen there.

Holds the path of a kubeconfig, never its contents. The row `default` mirrors the `K8S_*`
environment.
"""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models

from deployments.models.fields import (
    validate_accelerators,
    validate_dns_label,
    validate_names,
    validate_texts,
)
from deployments.models.leases import Leased

DEFAULT_NAME = "default"

# What a person fills in; everything else is what was seen.
CONFIGURED = (
    "name",
    "enabled",
    "kubeconfig",
    "context",
    "in_cluster",
    "default_namespace",
    "namespaces",
    "region",
    "accelerators",
    "image_pull_secrets",
    "service_account",
    "run_as_user",
    "pod_env",
    "service_type",
    "container_port",
    "service_port",
    "hpa_target",
)
# Of those, what the environment decides for the row `default`.
FROM_ENVIRONMENT = (
    "name",
    "enabled",
    "kubeconfig",
    "context",
    "in_cluster",
    "default_namespace",
)

_KEY_DIGITS = 18
_PORT = (MinValueValidator(1), MaxValueValidator(65_535))


class ServiceType(models.TextChoices):
    """How a model's Service is reached; empty falls back to the environment's."""

    CLUSTER_IP = "ClusterIP"
    NODE_PORT = "NodePort"
    LOAD_BALANCER = "LoadBalancer"


class ClusterQuerySet(models.QuerySet["Cluster"]):
    """Questions about clusters in the domain's words."""

    def enabled(self) -> "ClusterQuerySet":
        return self.filter(enabled=True)

    def default_first(self) -> "ClusterQuerySet":
        is_other = models.Case(models.When(name=DEFAULT_NAME, then=0), default=1)
        return self.alias(is_other=is_other).order_by("is_other", "name")

    def named(self, text: str) -> "Cluster | None":
        """Return the cluster of a name, else of a number."""
        found = self.filter(name=text).first()
        is_number = text.isascii() and text.isdigit() and len(text) <= _KEY_DIGITS
        return self.filter(pk=int(text)).first() if found is None and is_number else found


class Cluster(Leased):
    """One cluster; what was seen of it last stands in the second half."""

    name = models.CharField(max_length=63, unique=True, validators=[validate_dns_label])
    enabled = models.BooleanField(default=True)
    kubeconfig = models.CharField(
        max_length=500, blank=True, help_text="Path of a kubeconfig file on this server."
    )
    context = models.CharField(max_length=253, blank=True)
    in_cluster = models.BooleanField(
        default=False, help_text="Use the service account that is mounted into the console's pod."
    )
    default_namespace = models.CharField(
        max_length=63, default="default", validators=[validate_dns_label]
    )
    namespaces = models.JSONField(
        default=list,
        blank=True,
        validators=[validate_names],
        help_text="Namespaces that may be launched into; empty means the default one only.",
    )
    region = models.CharField(max_length=100, blank=True)
    accelerators = models.JSONField(default=dict, blank=True, validators=[validate_accelerators])
    image_pull_secrets = models.JSONField(default=list, blank=True, validators=[validate_names])
    service_account = models.CharField(max_length=253, blank=True)
    run_as_user = models.PositiveIntegerField(null=True, blank=True)
    pod_env = models.JSONField(default=dict, blank=True, validators=[validate_texts])
    service_type = models.CharField(max_length=20, blank=True, choices=ServiceType.choices)
    container_port = models.PositiveIntegerField(null=True, blank=True, validators=_PORT)
    service_port = models.PositiveIntegerField(null=True, blank=True, validators=_PORT)
    hpa_target = models.PositiveIntegerField(
        null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(500)]
    )

    uid = models.CharField(max_length=64, blank=True, editable=False)
    kinds = models.JSONField(default=dict, editable=False)
    capacity = models.JSONField(null=True, editable=False)
    capacity_at = models.DateTimeField(null=True, editable=False)
    reachable = models.BooleanField(null=True, editable=False)
    last_seen_at = models.DateTimeField(null=True, editable=False)
    # When the last passes began that came to their end: one over all, one over what is moving.
    last_pass_at = models.DateTimeField(null=True, editable=False)
    last_moving_pass_at = models.DateTimeField(null=True, editable=False)
    # Kinds that the last full pass could not read: `{kind: {why, read_at}}`, read_at when it could.
    unread_kinds = models.JSONField(default=dict, editable=False)
    # Passes that failed in a row, and until when nobody but a person asks again.
    failed_passes = models.PositiveIntegerField(default=0, editable=False)
    next_try_at = models.DateTimeField(null=True, editable=False)
    last_error = models.TextField(blank=True, editable=False)
    last_error_code = models.CharField(max_length=60, blank=True, editable=False)
    orphans = models.PositiveIntegerField(default=0, editable=False)

    objects = ClusterQuerySet.as_manager()

    class Meta:
        ordering = ("name",)

    def __str__(self) -> str:
        return self.name

    @property
    def launch_namespaces(self) -> tuple[str, ...]:
        """Return the namespaces that may be launched into, the default one first."""
        others = (str(name) for name in self.namespaces)
        return tuple(dict.fromkeys((self.default_namespace, *others)))

    @property
    def is_from_environment(self) -> bool:
        """Tell whether the `K8S_*` environment owns this row."""
        return self.name == DEFAULT_NAME
