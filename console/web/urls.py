"""The addresses of the pages; one view each."""

from django.urls import URLPattern, path
from django.views.generic import RedirectView

from console.web.views.deployments import deployment_list
from console.web.views.sign_in import sign_in, sign_out

urlpatterns: list[URLPattern] = [
    path("", RedirectView.as_view(pattern_name="deployments"), name="home"),
    path("sign-in", sign_in, name="login"),
    path("sign-out", sign_out, name="logout"),
    path("deployments", deployment_list, name="deployments"),
]
