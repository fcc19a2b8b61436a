"""Of every page: no barrier, nothing wider than a telephone, little weight; and a picture."""

import os
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Literal

from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.contrib.auth.models import User
from playwright.sync_api import Page

from deployments.models import Cluster
from tests.browser.cast import Visit
from tests.browser.tour import admin_pages, all_pages

SHOTS = Path(os.environ.get("SLIPWAY_SHOTS") or settings.BASE_DIR / "var" / "shots")
MOST_BYTES = 60_000
# Its upper part is the README's picture; see `make picture`.
PICTURED = "launch-review"
WIDE, NARROW = (1280, 900), (360, 780)
SCHEMES: tuple[Literal["light"], Literal["dark"]] = ("light", "dark")
# The rest of an admin page is Django's.
OURS = {"admin-import": "#content-main", "admin-template": ".preview"}
# In the other theme only colours differ.
COLOURS = {"runOnly": ["color-contrast"], "resultTypes": ["violations"]}
ALL = {"resultTypes": ["violations"]}
# The current tab must be in sight, so no tab may be out of it, and no button may leave its panel.
_BEYOND = """Math.max(...[document.documentElement, ...document.querySelectorAll(".tabs, .actions")]
    .map(part => part.scrollWidth - part.clientWidth))"""


def test_no_page_has_a_serious_barrier_in_either_theme(
    visit: Visit, cast: dict[str, User], cluster: Cluster
) -> None:
    found = {
        name: barriers
        for name, page in all_pages(visit, cast, cluster, bypass_csp=True)
        if (barriers := [*_barriers(page, ALL), *_barriers(page, COLOURS, scheme="dark")])
    }
    assert found == {}


def test_what_we_add_to_the_admin_has_no_serious_barrier(visit: Visit) -> None:
    found = {
        name: barriers
        for name, page in admin_pages(visit("curator", bypass_csp=True))
        if (
            barriers := [
                *_barriers(page, ALL, part=OURS[name]),
                *_barriers(page, COLOURS, part=OURS[name], scheme="dark"),
            ]
        )
    }
    assert found == {}


def test_every_page_fits_a_telephone_and_is_light_and_is_photographed(
    visit: Visit, cast: dict[str, User], cluster: Cluster
) -> None:
    SHOTS.mkdir(parents=True, exist_ok=True)
    too_wide, too_heavy, seen = [], {}, []
    curation = admin_pages(visit("curator"))
    for name, page in chain(all_pages(visit, cast, cluster), curation):
        seen.append(name)
        if name.startswith("launch-") and (size := _size(page)) >= MOST_BYTES:
            too_heavy[name] = size
        if name == PICTURED:
            page.screenshot(path=SHOTS / "launch.png")
        too_wide += [name for width in _photographed(page, name) if width > 0]
    assert (too_wide, too_heavy) == ([], {})
    assert len(seen) == len(set(seen))


def _size(page: Page) -> int:
    """Return the bytes of the HTML, asked for once more."""
    return len(page.request.get(page.url).body())


def _photographed(page: Page, name: str) -> Iterator[int]:
    """Take the four pictures of a page; tell by how many pixels something of it is too wide."""
    for width, height in (NARROW, WIDE):
        page.set_viewport_size({"width": width, "height": height})
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            page.screenshot(path=SHOTS / f"{name}-{width}-{scheme}.png", full_page=True)
        page.emulate_media(color_scheme="light")
        yield page.evaluate(_BEYOND)


def _barriers(
    page: Page,
    options: dict[str, list[str]],
    *,
    part: str = "",
    scheme: Literal["light", "dark"] = "light",
) -> list[str]:
    page.emulate_media(color_scheme=scheme)
    results = Axe().run(page, context=part or None, options=options)
    page.emulate_media(color_scheme="light")
    return [
        f"{scheme}: {violation['id']}: {node['target']} {node['failureSummary']}"
        for violation in results.response["violations"]
        if violation["impact"] in ("serious", "critical")
        for node in violation["nodes"]
    ]
