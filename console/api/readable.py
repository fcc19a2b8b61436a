"""The readable page of the API: the library's, under our policy but for its own inline pictures."""

from csp.constants import SELF
from csp.decorators import csp_update
from django.contrib.auth.decorators import login_required
from drf_spectacular.views import SpectacularSwaggerSplitView

# Its style sheet brings pictures as data: addresses; nothing else of it needs an exception.
readable_api = login_required(
    csp_update({"img-src": [SELF, "data:"]})(
        SpectacularSwaggerSplitView.as_view(url_name="api-schema")
    )
)
