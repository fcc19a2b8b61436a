"""The addresses of the pages; one view each."""

from django.urls import URLPattern, path
from django.views.generic import RedirectView

from console.web.views import account, catalogue, clusters
from console.web.views.deployments import deployment_list
from console.web.views.sign_in import sign_in, sign_out

urlpatterns: list[URLPattern] = [
    path("", RedirectView.as_view(pattern_name="deployments"), name="home"),
    path("sign-in", sign_in, name="login"),
    path("sign-out", sign_out, name="logout"),
    path("deployments", deployment_list, name="deployments"),
    path("models", catalogue.model_list, name="models"),
    path("models/<str:model_id>", catalogue.model, name="model"),
    path("models/<str:model_id>/templates/<uuid:template_id>", catalogue.template, name="template"),
    path("clusters", clusters.cluster_list, name="clusters"),
    path("account", account.account, name="account"),
    path("account/password", account.change_password, name="password"),
    path("account/tokens", account.create_token, name="tokens"),
    path("account/tokens/<str:key>/revoke", account.revoke, name="revoke-token"),
]
