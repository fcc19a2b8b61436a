"""Django's admin for this room: clusters for admins, and the records and their history to look at.

What was launched is never changed here: that is for the services, which tell the cluster as well.
"""

from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from deployments.access import can_read, is_admin
from deployments.models import AuditEntry, Cluster, Deployment, Revision
from deployments.models.cluster import CONFIGURED, FROM_ENVIRONMENT
from deployments.services.curating import confirm_identity, remove_cluster, save_cluster

if TYPE_CHECKING:
    _ClusterAdmin = admin.ModelAdmin[Cluster]
    _AnyAdmin = admin.ModelAdmin[Any]
else:
    # Django's own class takes no type arguments when the program runs.
    _ClusterAdmin = _AnyAdmin = admin.ModelAdmin

SEEN = (
    "reachable",
    "last_seen_at",
    "last_pass_at",
    "last_error",
    "failed_passes",
    "next_try_at",
    "kinds",
    "orphans",
    "uid",
)


@admin.register(Cluster)
class ClusterAdmin(_ClusterAdmin):
    """Clusters by path of their kubeconfig; nobody is ever shown or asked for its contents."""

    list_display = ("name", "enabled", "region", "default_namespace", "reachable", "last_seen_at")
    fields = (*CONFIGURED, *SEEN)
    actions = ("confirm",)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return is_admin(request.user)

    def has_view_permission(self, request: HttpRequest, _obj: Cluster | None = None) -> bool:
        return is_admin(request.user)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return is_admin(request.user)

    def has_change_permission(self, request: HttpRequest, _obj: Cluster | None = None) -> bool:
        return is_admin(request.user)

    def has_delete_permission(self, request: HttpRequest, obj: Cluster | None = None) -> bool:
        """Allow it only while nothing was ever launched there; the environment's row stays."""
        if obj is None or obj.is_from_environment:
            return False
        return is_admin(request.user) and not obj.deployments.exists()

    def get_readonly_fields(
        self, _request: HttpRequest, obj: Cluster | None = None
    ) -> tuple[str, ...]:
        """Keep from editing what was seen, and what the environment decides."""
        decided = FROM_ENVIRONMENT if obj is not None and obj.is_from_environment else ()
        return (*decided, *SEEN)

    def save_model(
        self,
        request: HttpRequest,
        obj: Cluster,
        _form: Any,
        _change: bool,  # noqa: FBT001 - Django's
    ) -> None:
        save_cluster(obj, user=request.user)  # type: ignore[arg-type]  # signed in, or not here

    def delete_model(self, request: HttpRequest, obj: Cluster) -> None:
        remove_cluster(obj, user=request.user)  # type: ignore[arg-type]  # as above

    @admin.action(description="Confirm that the cluster answering now is the right one")
    def confirm(self, request: HttpRequest, chosen: QuerySet[Cluster]) -> None:
        for cluster in chosen:
            confirm_identity(cluster, user=request.user)  # type: ignore[arg-type]  # as above
        self.message_user(request, "Confirmed; the next pass takes it as it is.", messages.SUCCESS)


class _ReadOnlyAdmin(_AnyAdmin):
    actions = None

    def has_module_permission(self, request: HttpRequest) -> bool:
        return can_read(request.user)

    def has_view_permission(self, request: HttpRequest, _obj: Model | None = None) -> bool:
        return self.has_module_permission(request)

    def has_add_permission(self, _request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, _request: HttpRequest, _obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, _request: HttpRequest, _obj: Model | None = None) -> bool:
        return False


@admin.register(Deployment)
class DeploymentAdmin(_ReadOnlyAdmin):
    """Deployments to look at."""

    list_display = ("name", "phase", "reason", "cluster", "namespace", "created_by_name")
    list_filter = ("phase", "kind")
    list_select_related = ("cluster",)
    search_fields = ("name_key", "runtime_name")
    exclude = ("lease_owner", "lease_until", "lease_fence")


@admin.register(Revision)
class RevisionAdmin(_ReadOnlyAdmin):
    """Revisions to look at."""

    list_display = ("deployment", "number", "template_version", "author_name", "outcome")
    list_select_related = ("deployment",)


@admin.register(AuditEntry)
class AuditEntryAdmin(_ReadOnlyAdmin):
    """The audit trail, for admins."""

    list_display = ("at", "actor_name", "action", "object_type", "object_name", "outcome")
    list_filter = ("action", "outcome")
    search_fields = ("actor_name", "object_name", "object_id")

    def has_module_permission(self, request: HttpRequest) -> bool:
        return is_admin(request.user)
