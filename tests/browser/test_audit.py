"""From the navigation to the audit trail: narrowed to a deletion, opened to both its ends."""

from django.contrib.auth.models import User
from playwright.sync_api import expect

from deployments.services.deleting import delete_deployment
from tests.browser.cast import Visit, launch_in_background, settled


def test_an_admin_finds_who_deleted_what_and_why(
    visit: Visit, cast: dict[str, User], *, javascript: bool
) -> None:
    kept, gone = (launch_in_background(cast["deployer"], name) for name in ("kept", "gone"))
    delete_deployment(gone, user=cast["admin"], reason="its owner has left")
    page = visit("admin", javascript=javascript)
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Audit").click()
    page.wait_for_url("**/audit")
    expect(page.get_by_text(kept.name, exact=True).first).to_be_attached()

    page.get_by_label("Action").select_option(label="Deletion")
    if not javascript:
        page.get_by_role("button", name="Filter").click()
    expect(page.locator(".act")).to_have_count(1)
    page.wait_for_url("**/audit?**action=deployment.delete**")
    settled(page)

    page.locator(".act summary").click()
    opened = page.locator(".act .body")
    expect(opened).to_contain_text("its owner has left")
    expect(opened.locator(".ends li")).to_have_count(2)
    expect(opened.get_by_role("row", name="intent")).to_contain_text("deleted")
    opened.get_by_role("link", name="gone").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("gone")
