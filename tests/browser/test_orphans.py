"""From the clusters to what runs without a record: one is adopted, another one removed."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from deployments.models import Cluster, Deployment
from deployments.services.refreshing import refresh_cluster
from tests.browser.cast import Visit, launch_in_background
from tests.orphaned import forget_record, without_grace


@pytest.mark.parametrize("javascript", [True, False])
def test_an_admin_adopts_one_and_removes_another(
    visit: Visit, cast: dict[str, User], cluster: Cluster, *, javascript: bool
) -> None:
    names = ("keep-me", "drop-me")
    kept, dropped = (launch_in_background(cast["deployer"], name) for name in names)
    for deployment in (kept, dropped):
        forget_record(deployment)
    with without_grace():
        refresh_cluster(cluster)
    page = visit("admin", javascript=javascript)
    page.goto("/clusters")
    page.get_by_role("link", name="4 objects without a record").click()

    page.get_by_role("checkbox", name="keep-me").check()
    page.get_by_role("button", name="Adopt the chosen").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Adopt 1 deployment?")
    page.get_by_role("button", name="Adopt").click()
    expect(page.get_by_text("keep-me is managed again.")).to_be_visible()

    page.get_by_role("checkbox", name="drop-me").check()
    page.get_by_role("button", name="Remove the chosen").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Remove 2 objects from sandbox?")
    page.get_by_role("button", name="Remove").click()
    expect(page.get_by_text("Removed: Service").first).to_be_visible()

    page.goto("/deployments")
    expect(page.get_by_role("link", name="keep-me")).to_be_visible()
    assert [row.pk for row in Deployment.objects.open()] == [kept.pk]
