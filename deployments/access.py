"""Who may see and change what is deployed; the one place for it, above the catalogue's roles.

A person without a role sees nothing: for them an object does not exist (NotVisible). What is
visible but not theirs to change is NotAllowed.
"""

import uuid

from deployments.exceptions import NotAllowed, NotVisible
from deployments.models import AuditEntry, Cluster, Deployment, DeploymentQuerySet, Revision
from deployments.models.cluster import ClusterQuerySet
from deployments.models.history import AuditEntryQuerySet, RevisionQuerySet
from templates_app.access import Person, can_launch, can_read, is_admin, role_of

__all__ = [
    "audit_for",
    "can_change",
    "can_launch",
    "can_read",
    "clusters_for",
    "deployments_for",
    "get_visible_cluster",
    "get_visible_or_404",
    "is_admin",
    "require_admin",
    "require_change",
    "require_launch",
    "revisions_for",
    "role_name",
]


def deployments_for(user: Person) -> DeploymentQuerySet:
    """Return what a person may see, open and closed; everything, or nothing without a role."""
    return Deployment.objects.all() if can_read(user) else Deployment.objects.none()


def clusters_for(user: Person) -> ClusterQuerySet:
    """Return the clusters that a person may see."""
    return Cluster.objects.all() if can_read(user) else Cluster.objects.none()


def revisions_for(user: Person) -> RevisionQuerySet:
    """Return the revisions that a person may see."""
    return Revision.objects.all() if can_read(user) else Revision.objects.none()


def audit_for(user: Person) -> AuditEntryQuerySet:
    """Return the audit trail, which is for admins."""
    return AuditEntry.objects.all() if is_admin(user) else AuditEntry.objects.none()


def get_visible_or_404(user: Person, deployment_id: object) -> Deployment:
    """Return a deployment with cluster and model; raises NotVisible, for a wrong id as well."""
    key = _uuid(deployment_id)
    rows = deployments_for(user).select_related("cluster", "model")
    found = next(iter(rows.filter(pk=key)), None) if key else None
    if found is None:
        raise NotVisible(f"there is no deployment {deployment_id}")
    return found


def get_visible_cluster(user: Person, cluster_id: object) -> Cluster:
    """Return a cluster by number or name; raises NotVisible."""
    found = clusters_for(user).named(str(cluster_id))
    if found is None:
        raise NotVisible(f"there is no cluster {cluster_id}")
    return found


def can_change(user: Person, deployment: Deployment) -> bool:
    """Tell whether a person may change or delete a deployment: an admin any, others their own."""
    if is_admin(user):
        return True
    return can_launch(user) and user.pk is not None and deployment.created_by_id == user.pk


def require_change(user: Person, deployment: Deployment) -> None:
    """Raise NotAllowed unless the person may change the deployment."""
    if not can_change(user, deployment):
        raise NotAllowed(
            f"{deployment.name} was launched by {deployment.created_by_name or 'someone else'}; "
            "ask them or an admin to change it"
        )


def require_launch(user: Person) -> None:
    """Raise NotVisible without a role, NotAllowed without the right to launch."""
    if not can_read(user):
        raise NotVisible("there is nothing here for you; ask an admin for a role")
    if not can_launch(user):
        raise NotAllowed("your role may look but not launch; ask an admin for the role deployer")


def require_admin(user: Person, *, doing: str) -> None:
    """Raise NotVisible without a role, NotAllowed for whoever is no admin."""
    if not can_read(user):
        raise NotVisible("there is nothing here for you; ask an admin for a role")
    if not is_admin(user):
        raise NotAllowed(f"only an admin may {doing}")


def role_name(user: Person) -> str:
    """Return the role as the audit trail keeps it, empty without one."""
    role = role_of(user)
    return role.group if role else ""


def _uuid(value: object) -> uuid.UUID | None:
    try:
        return uuid.UUID(str(value))
    except ValueError:
        return None
