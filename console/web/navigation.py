"""Where a person can go from any page: only links that work, and only to what they may see."""

from collections.abc import Callable
from dataclasses import dataclass

from django.http import HttpRequest
from django.urls import reverse

from templates_app.access import Person, can_curate, can_launch, can_read, is_admin


@dataclass(frozen=True, kw_only=True, slots=True)
class NavLink:
    """One link of the navigation; `icon` is a name of lucide's."""

    label: str
    icon: str
    url: str
    is_current: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class _Place:
    label: str
    icon: str
    url_name: str
    is_open_to: Callable[[Person], bool]
    # How the names of the pages below it begin: there the place is marked as well.
    holds: tuple[str, ...] = ()


_PLACES = (
    _Place(
        label="Launch",
        icon="rocket",
        url_name="launch",
        is_open_to=can_launch,
        holds=("launch-",),
    ),
    _Place(
        label="Deployments",
        icon="package",
        url_name="deployments",
        is_open_to=can_read,
        holds=("deployment",),
    ),
    _Place(
        label="Catalogue",
        icon="library",
        url_name="models",
        is_open_to=can_read,
        holds=("model", "template"),
    ),
    _Place(
        label="Clusters",
        icon="server",
        url_name="clusters",
        is_open_to=can_read,
        holds=("orphans",),
    ),
    _Place(label="Audit", icon="scroll-text", url_name="audit", is_open_to=is_admin),
    _Place(label="API", icon="code", url_name="api-docs", is_open_to=can_read),
    _Place(label="System", icon="activity", url_name="system", is_open_to=is_admin),
    _Place(label="Curation", icon="book-open", url_name="admin:index", is_open_to=can_curate),
)


def links_for(request: HttpRequest) -> tuple[NavLink, ...]:
    """Return the links for the person behind a request, the current place marked."""
    here = request.resolver_match.view_name if request.resolver_match else ""
    return tuple(
        NavLink(
            label=place.label,
            icon=place.icon,
            url=reverse(place.url_name),
            is_current=here == place.url_name or here.startswith(place.holds),
        )
        for place in _PLACES
        if place.is_open_to(request.user)
    )
