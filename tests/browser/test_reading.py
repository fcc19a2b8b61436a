"""Catalogue, clusters and one's own account."""

from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from tests.browser.cast import CAST, Visit, seek
from tests.browser.conftest import sign_in


def test_the_catalogue_is_searched_and_read_down_to_a_template(
    visit: Visit, *, javascript: bool
) -> None:
    page = visit("deployer", javascript=javascript)
    page.goto("/models")
    seek(page.get_by_label("Search", exact=True), "qwen3 8b", javascript=javascript)
    expect(page.locator("#models li h2")).to_have_count(1)
    page.get_by_role("link", name="Qwen3 8B").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Qwen3 8B")
    page.get_by_role("link", name="vllm-l40s").first.click()
    expect(page.locator("#spec")).to_contain_text("docker.io/vllm/vllm-openai:v0.11.0")


def test_clusters_tell_what_is_free(visit: Visit, *, javascript: bool) -> None:
    page = visit("viewer", javascript=javascript)
    page.goto("/clusters")
    sandbox = page.get_by_role("article", name="sandbox")
    for accelerator in ("H100", "L40S", "MI300X"):
        expect(sandbox).to_contain_text(accelerator)
    expect(sandbox).to_contain_text("research")


def test_a_token_is_made_used_and_revoked(visit: Visit, *, javascript: bool) -> None:
    page = visit("viewer", javascript=javascript)
    page.goto("/account")
    page.get_by_role("button", name="Make a token").click()
    token = page.locator("#token").inner_text()
    assert status_with(page, token) == 200
    page.get_by_role("link", name="Done").click()
    page.get_by_role("link", name="Revoke").click()
    page.get_by_role("button", name="Revoke").click()
    expect(page.get_by_text("is revoked and works no more")).to_be_visible()
    assert status_with(page, token) == 401


def status_with(page: Page, token: str) -> int:
    headers = {"Authorization": f"Token {token}"}
    return page.request.get("/api/v1/deployments", headers=headers).status


def test_a_password_is_changed(visit: Visit, *, javascript: bool, cast: dict[str, User]) -> None:
    page = visit("viewer", javascript=javascript)
    page.goto("/account/password")
    page.get_by_label("Old password").fill("correct horse battery")
    page.locator("#id_new_password1").fill("staple enough words")
    page.locator("#id_new_password2").fill("staple enough")
    page.get_by_role("button", name="Change password").click()
    expect(page.locator(".field .error")).to_be_visible()
    page.get_by_label("Old password").fill("correct horse battery")
    page.locator("#id_new_password1").fill("staple enough words")
    page.locator("#id_new_password2").fill("staple enough words")
    page.get_by_role("button", name="Change password").click()
    expect(page.get_by_text("Your password is changed")).to_be_visible()
    sign_in(visit(javascript=javascript), CAST["viewer"], "staple enough words")
