"""The addresses of the pages; one view each."""

from django.urls import URLPattern, path
from django.views.generic import RedirectView

from console.web.views import account, catalogue, clusters
from console.web.views.audit import audit_trail
from console.web.views.change import deployment_change, deployment_change_review
from console.web.views.deletion import deployment_delete, deployment_forget
from console.web.views.deployment import (
    deployment_manifests,
    deployment_overview,
    download_manifests,
)
from console.web.views.deployments import deployment_list
from console.web.views.drift import deployment_drift, deployment_put_back
from console.web.views.elsewhere import deployment_elsewhere
from console.web.views.history import deployment_history
from console.web.views.launch import (
    launch_model,
    launch_overrides,
    launch_place,
    launch_template,
)
from console.web.views.launch_review import launch_review
from console.web.views.logs import deployment_logs, download_log
from console.web.views.looking import deployment_events, deployment_resources
from console.web.views.metrics import deployment_metrics
from console.web.views.orphans import orphan_list, orphans_adopt, orphans_remove
from console.web.views.reapplying import deployment_reapply
from console.web.views.revisions import (
    deployment_comparison,
    deployment_revision,
    deployment_revisions,
    download_revision,
)
from console.web.views.sign_in import sign_in, sign_out
from console.web.views.system import system
from console.web.views.upgrading import deployment_newer

_DEPLOYMENT = "deployments/<uuid:deployment_id>"
_REVISION = f"{_DEPLOYMENT}/revisions/<int:number>"

urlpatterns: list[URLPattern] = [
    path("", RedirectView.as_view(pattern_name="deployments"), name="home"),
    path("sign-in", sign_in, name="login"),
    path("sign-out", sign_out, name="logout"),
    path("deployments", deployment_list, name="deployments"),
    path("deployments/<uuid:deployment_id>", deployment_overview, name="deployment"),
    path(
        "deployments/<uuid:deployment_id>/manifests",
        deployment_manifests,
        name="deployment-manifests",
    ),
    path(
        "deployments/<uuid:deployment_id>/manifests.yaml",
        download_manifests,
        name="deployment-manifests-yaml",
    ),
    path("deployments/<uuid:deployment_id>/history", deployment_history, name="deployment-history"),
    path(f"{_DEPLOYMENT}/revisions", deployment_revisions, name="deployment-revisions"),
    path(f"{_DEPLOYMENT}/drift", deployment_drift, name="deployment-drift"),
    path(f"{_DEPLOYMENT}/drift/put-back", deployment_put_back, name="deployment-put-back"),
    path(f"{_DEPLOYMENT}/compare", deployment_comparison, name="deployment-comparison"),
    path(f"{_DEPLOYMENT}/elsewhere", deployment_elsewhere, name="deployment-elsewhere"),
    path(f"{_DEPLOYMENT}/change", deployment_change, name="deployment-change"),
    path(f"{_DEPLOYMENT}/change/review", deployment_change_review, name="deployment-change-review"),
    path(f"{_DEPLOYMENT}/newer/<uuid:template_id>", deployment_newer, name="deployment-newer"),
    path(_REVISION, deployment_revision, name="deployment-revision"),
    path(f"{_REVISION}.yaml", download_revision, name="deployment-revision-yaml"),
    path(
        "deployments/<uuid:deployment_id>/resources",
        deployment_resources,
        name="deployment-resources",
    ),
    path("deployments/<uuid:deployment_id>/events", deployment_events, name="deployment-events"),
    path("deployments/<uuid:deployment_id>/logs", deployment_logs, name="deployment-logs"),
    path("deployments/<uuid:deployment_id>/log.txt", download_log, name="deployment-log-file"),
    path("deployments/<uuid:deployment_id>/metrics", deployment_metrics, name="deployment-metrics"),
    path("deployments/<uuid:deployment_id>/delete", deployment_delete, name="deployment-delete"),
    path(f"{_DEPLOYMENT}/forget", deployment_forget, name="deployment-forget"),
    path(f"{_DEPLOYMENT}/apply-again", deployment_reapply, name="deployment-reapply"),
    path("launch", launch_model, name="launch"),
    path("launch/template", launch_template, name="launch-template"),
    path("launch/place", launch_place, name="launch-place"),
    path("launch/overrides", launch_overrides, name="launch-overrides"),
    path("launch/review", launch_review, name="launch-review"),
    path("models", catalogue.model_list, name="models"),
    path("models/<str:model_id>", catalogue.model, name="model"),
    path("models/<str:model_id>/templates/<uuid:template_id>", catalogue.template, name="template"),
    path("clusters", clusters.cluster_list, name="clusters"),
    path("clusters/<int:cluster_id>/orphans", orphan_list, name="orphans"),
    path("clusters/<int:cluster_id>/orphans/remove", orphans_remove, name="orphans-remove"),
    path("clusters/<int:cluster_id>/orphans/adopt", orphans_adopt, name="orphans-adopt"),
    path("clusters/<int:cluster_id>/try", clusters.cluster_try, name="cluster-try"),
    path("audit", audit_trail, name="audit"),
    path("system", system, name="system"),
    path("account", account.account, name="account"),
    path("account/password", account.change_password, name="password"),
    path("account/tokens", account.create_token, name="tokens"),
    path("account/tokens/<str:key>/revoke", account.revoke, name="revoke-token"),
]
