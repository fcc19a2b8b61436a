"""From a note on the overview to what others changed: put back, and another time taken over."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from deployments.models import Deployment
from tests.browser.cast import Visit, launch_in_background, wait_for_phase
from tests.browser.meddling import meddle


@pytest.mark.parametrize("javascript", [True, False])
def test_what_others_changed_is_found_put_back_and_another_time_taken_over(
    visit: Visit, cast: dict[str, User], *, javascript: bool
) -> None:
    deployment = launch_in_background(cast["deployer"], "drifting")
    page = visit("deployer", javascript=javascript)
    page.goto(f"/deployments/{deployment.pk}")
    wait_for_phase(page, "Ready", javascript=javascript)
    meddle(deployment, "kubectl-edit", progressDeadlineSeconds=77, replicas=2)

    page.goto(f"/deployments/{deployment.pk}")
    panel = page.get_by_role("region", name="Changed outside")
    expect(panel).to_contain_text("somebody with kubectl edit")
    panel.get_by_role("link", name="Put it back").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Put back 2 fields?")
    page.get_by_label("Reason").fill("nobody asked for it")
    page.get_by_role("button", name="Put it back").click()
    expect(page.get_by_text("Put back as it was applied.")).to_be_visible()
    expect(page.get_by_text("Nothing differs from revision 1")).to_be_visible()

    meddle(deployment, "kubectl-scale", replicas=2)
    page.goto(f"/deployments/{deployment.pk}/manifests")
    page.get_by_role("link", name="Compare with the cluster").click()
    page.get_by_role("link", name="Take it over").click()
    expect(page.locator("#main")).to_contain_text("What is wanted otherwise")
    page.locator(".launch-box").get_by_role("button").first.click()
    page.wait_for_url(f"**/deployments/{deployment.pk}")
    deployment.refresh_from_db()
    assert (deployment.revision, deployment.overrides["min_replicas"]) == (2, 2)
    _nothing_differs(page, deployment)


def _nothing_differs(page: Page, deployment: Deployment) -> None:
    page.goto(f"/deployments/{deployment.pk}/drift")
    expect(page.get_by_text("Nothing differs from revision 2")).to_be_visible()
