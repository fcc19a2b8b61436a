"""When the background work stops or a cluster fails: what is said, and what an admin can do."""

from datetime import timedelta
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import expect

from deployments.models import Cluster, Heartbeat
from tests.browser.cast import Visit, launch_in_background
from tests.browser.test_every_page import SHOTS

LATE = "Nothing was refreshed in the background for"
SCHEMES: tuple[Literal["light"], Literal["dark"]] = ("light", "dark")


@pytest.mark.parametrize("size", [(1280, 900), (360, 780)], ids=["wide", "narrow"])
def test_what_is_late_or_failing_is_legible_everywhere(
    visit: Visit, cast: dict[str, User], cluster: Cluster, size: tuple[int, int]
) -> None:
    deployment = launch_in_background(cast["deployer"], "docs-chat")
    Heartbeat.objects.update(at=timezone.now() - timedelta(days=1))
    wait = timezone.now() + timedelta(minutes=4)
    Cluster.objects.update(reachable=False, failed_passes=5, next_try_at=wait, last_error="silence")
    page = visit("admin", size=size, bypass_csp=True)
    SHOTS.mkdir(parents=True, exist_ok=True)
    for name, path in (
        ("late-list", "/deployments"),
        ("late-detail", f"/deployments/{deployment.pk}"),
        ("failing-cluster", "/clusters"),
    ):
        Cluster.objects.update(reachable=False, failed_passes=5, next_try_at=wait)
        page.goto(path)
        if name.startswith("late"):
            expect(page.get_by_text(LATE)).to_be_visible()
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            page.screenshot(path=SHOTS / f"{name}-{size[0]}-{scheme}.png", full_page=True)
            found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
            assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == []
        root = "document.documentElement"
        assert page.evaluate(f"{root}.scrollWidth - {root}.clientWidth") <= 0


def test_an_admin_tries_a_failing_cluster_by_keyboard(
    visit: Visit, cluster: Cluster, *, javascript: bool
) -> None:
    wait = timezone.now() + timedelta(minutes=5)
    Cluster.objects.update(reachable=False, failed_passes=6, next_try_at=wait)
    page = visit("admin", javascript=javascript)
    page.goto("/clusters")
    expect(page.get_by_text("after 6 failed passes it is asked again in")).to_be_visible()
    page.get_by_role("button", name=f"Try now {cluster.name}").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text(f"{cluster.name} answers; its")).to_be_visible()
    expect(page.get_by_role("button", name="Try now")).to_have_count(0)
