"""The addresses of the API; what none of them is, is answered in JSON too."""

from django.urls import URLPattern, path, re_path
from drf_spectacular.views import SpectacularJSONAPIView

from console.api.views import (
    audit,
    changes,
    deployments,
    health,
    history,
    logs,
    looking,
    metrics,
    models,
    orphans,
    places,
    revisions,
    runs,
    templates,
    unknown,
)

_DEPLOYMENT = "v1/deployments/<str:id>"

urlpatterns: list[URLPattern] = [
    path("schema", SpectacularJSONAPIView.as_view(), name="api-schema"),
    path("v1/health", health.health),
    path("v1/health/ready", health.ready),
    path("v1/models", models.models),
    path("v1/models/<str:id>", models.model),
    path("v1/models/<str:id>/versions", models.versions),
    path("v1/models/<str:id>/deployment-templates", templates.templates),
    path("v1/models/<str:id>/deployment-templates/by-name/<str:name>", templates.template_by_name),
    path("v1/models/<str:id>/deployment-templates/<str:template_id>", templates.template),
    path("v1/models/<str:id>/deployment-templates/<str:template_id>/deployments", runs.runs),
    path("v1/implementations", places.implementations),
    path("v1/clusters", places.clusters),
    path("v1/clusters/<str:id>/capacity", places.capacity),
    path("v1/clusters/<str:id>/orphans", orphans.orphans),
    path("v1/clusters/<str:id>/orphans/remove", orphans.remove),
    path("v1/clusters/<str:id>/orphans/adopt", orphans.adopt),
    path("v1/deployments", deployments.deployments, name="api-deployments"),
    path("v1/deployments/preview", deployments.preview),
    path(_DEPLOYMENT, deployments.deployment, name="api-deployment"),
    path(f"{_DEPLOYMENT}/manifests", deployments.manifests, name="api-manifests"),
    path(f"{_DEPLOYMENT}/resources", looking.resources),
    path(f"{_DEPLOYMENT}/events", looking.events),
    path(f"{_DEPLOYMENT}/metrics", metrics.metrics),
    path(f"{_DEPLOYMENT}/logs", logs.logs),
    path(f"{_DEPLOYMENT}/history", history.history),
    path(f"{_DEPLOYMENT}/revisions", revisions.revisions),
    path(f"{_DEPLOYMENT}/revisions/<str:number>", revisions.revision),
    path(f"{_DEPLOYMENT}/revisions/<str:number>/manifests", revisions.revision_manifests),
    path(f"{_DEPLOYMENT}/revisions/<str:number>/diff", revisions.revision_diff),
    path(f"{_DEPLOYMENT}/templates/<str:template_id>/diff", runs.template_diff),
    path(f"{_DEPLOYMENT}/preview", changes.preview),
    path(f"{_DEPLOYMENT}/rollback", changes.rollback),
    path(f"{_DEPLOYMENT}/rollback/preview", changes.preview_rollback),
    path("v1/audit", audit.audit),
    re_path(r"", unknown.unknown),
]
