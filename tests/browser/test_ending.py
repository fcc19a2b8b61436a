"""What somebody removed is applied again; what no deletion ends is forgotten by its name."""

from django.contrib.auth.models import User
from playwright.sync_api import expect

from deployments.models import Cluster, Deployment
from deployments.services.deleting import delete_deployment
from deployments.services.refreshing import refresh_cluster
from tests.browser.cast import Visit, launch_in_background, wait_for_phase
from tests.browser.meddling import hold, remove_outside


def test_an_owner_applies_again_what_somebody_removed(
    visit: Visit, cast: dict[str, User], *, javascript: bool
) -> None:
    deployment = launch_in_background(cast["deployer"], "support-chat")
    remove_outside(deployment)
    page = visit("deployer", javascript=javascript)
    page.goto(f"/deployments/{deployment.pk}")
    wait_for_phase(page, "Deleted", javascript=javascript)
    expect(page.get_by_role("link", name="Forget the record")).to_have_count(0)

    page.get_by_role("link", name="Apply again").click()
    page.get_by_label("Reason").fill("removed by mistake")
    page.get_by_role("button", name="Apply again").click()

    page.wait_for_url(f"**/deployments/{deployment.pk}")
    wait_for_phase(page, "Ready", javascript=javascript)
    page.get_by_role("link", name="History", exact=True).click()
    expect(page.locator(".timeline")).to_contain_text("emoved by mistake")


def test_an_admin_forgets_what_a_finalizer_keeps(
    visit: Visit, cast: dict[str, User], cluster: Cluster, *, javascript: bool
) -> None:
    deployment = launch_in_background(cast["deployer"], "support-chat")
    hold(deployment, "backup.example.com/hold")
    delete_deployment(deployment, user=cast["deployer"], reason="no longer used")
    refresh_cluster(cluster)
    page = visit("admin", javascript=javascript)
    page.goto(f"/deployments/{deployment.pk}")
    expect(page.locator(".ending")).to_contain_text("by olga: no longer used")

    page.get_by_role("link", name="Forget the record").click()
    page.get_by_label("Reason").fill("its backup never ends")
    page.get_by_label("Type its name").fill("support-chat")
    page.get_by_role("button", name="Forget").click()

    page.wait_for_url(f"**/deployments/{deployment.pk}")
    expect(page.locator(".verdict")).to_contain_text("Forgotten by ada: its backup never ends")
    assert Deployment.objects.get().is_closed
