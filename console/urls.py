"""All addresses of the console: the pages, Django's admin, the API."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from console.api.readable import readable_api
from console.api.views.unknown import unknown
from console.metrics.views import metrics

handler400 = "console.errors.bad_request"
handler403 = "console.errors.forbidden"
handler404 = "console.errors.not_found"
handler500 = "console.errors.server_error"

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("console.web.urls")),
    path("api", unknown),  # else it is redirected to the address with a slash, in HTML
    path("api/", include("console.api.urls")),
    path("docs/api", readable_api, name="api-docs"),
    path("metrics", metrics, name="metrics"),
    path("admin/", admin.site.urls),
]
