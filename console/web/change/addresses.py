"""Where the pages of a change are: each address holds everything that was entered so far."""

from urllib.parse import urlencode

from django.urls import reverse

from console.web.change.state import ChangeState, Deed
from deployments.models import Deployment


def form_url(deployment: Deployment, state: ChangeState, **more: str) -> str:
    """Return the address of the form with everything entered so far."""
    return _with_query(reverse("deployment-change", args=[deployment.pk]), state, **more)


def review_url(deployment: Deployment, state: ChangeState) -> str:
    """Return the address of the review of a change."""
    return _with_query(reverse("deployment-change-review", args=[deployment.pk]), state)


def back_url(deployment: Deployment, state: ChangeState) -> str:
    """Return the address of the page that leads to the review."""
    if state.deed is Deed.CHANGE:
        return form_url(deployment, state)
    if state.deed is Deed.ROLLBACK:
        return reverse("deployment-revisions", args=[deployment.pk])
    return reverse("deployment", args=[deployment.pk])


def _with_query(path: str, state: ChangeState, **more: str) -> str:
    query = "&".join(part for part in (state.query, urlencode(more)) if part)
    return f"{path}?{query}" if query else path
