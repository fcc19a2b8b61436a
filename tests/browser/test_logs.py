"""The log of a deployment: followed as it grows, searched, taken along, read by keyboard."""

import re
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from deployments.models import Cluster, Deployment
from tests.browser.cast import Visit, launch_in_background, wait_to_be_told


@pytest.fixture
def chat(cast: dict[str, User], cluster: Cluster) -> Deployment:
    return launch_in_background(cast["deployer"], "docs-chat")


@pytest.fixture
def failing(cast: dict[str, User], cluster: Cluster) -> Deployment:
    return launch_in_background(cast["deployer"], "night-shift", model="faults", template="crash")


def open_log(page: Page, deployment: Deployment) -> None:
    page.goto(f"/deployments/{deployment.pk}")
    page.get_by_role("link", name="Logs", exact=True).click()
    page.wait_for_url("**/logs")


def test_a_log_grows_under_the_eyes_of_who_follows_it(visit: Visit, chat: Deployment) -> None:
    page = visit("viewer")
    open_log(page, chat)
    lines = page.locator(".log-box .line")
    expect(lines.first).to_contain_text("INFO Starting")
    page.evaluate("document.querySelector('.log-box .line').dataset.before = 'read'")
    expect(page.locator(".log-box")).to_contain_text("Application startup complete.")
    expect(lines.first).to_have_attribute("data-before", "read")
    assert lines.all_inner_texts().count("INFO Loading weights: 0% completed\n") <= 1
    page.get_by_role("link", name="Stop following").click()
    page.wait_for_url("**?*follow=off*")
    expect(page.locator("#log-tail")).to_have_count(0)


def test_a_log_is_searched_with_its_hits_marked(
    visit: Visit, chat: Deployment, *, javascript: bool
) -> None:
    page = visit("viewer", javascript=javascript)
    open_log(page, chat)
    wait_to_be_told(page.locator(".log"), "Loading weights", javascript=False)
    page.get_by_label("Only lines that hold").fill("WEIGHTS: 0")
    page.get_by_label("Only lines that hold").press("Enter")
    page.wait_for_url("**?*search=WEIGHTS*")
    expect(page.locator(".log-box mark")).to_have_text("weights: 0")
    expect(page.locator(".log-box .line")).to_have_count(1)


def test_why_an_engine_fails_stands_above_its_log_and_leads_there(
    visit: Visit, failing: Deployment, *, javascript: bool
) -> None:
    page = visit("deployer", javascript=javascript)
    page.goto(f"/deployments/{failing.pk}")
    verdict = page.locator(".verdict")
    wait_to_be_told(verdict, "the KV cache is too small", javascript=javascript)
    expect(verdict.locator(".next")).to_contain_text("Lower engine_args.max_model_len")
    page.get_by_role("link", name="Read its log").click()
    page.wait_for_url(re.compile(r"/logs\?pod="))
    expect(page.get_by_label("What this log tells")).to_contain_text("KvCacheTooSmall")
    page.get_by_label("Which run").select_option("true")
    if not javascript:
        page.get_by_role("button", name="Show").click()
    page.wait_for_url("**previous=true*")
    expect(page.locator("#log-title")).to_contain_text("the run before")


def test_a_log_is_taken_along_as_a_file(
    visit: Visit, chat: Deployment, tmp_path: Path, *, javascript: bool
) -> None:
    page = visit("viewer", javascript=javascript)
    open_log(page, chat)
    wait_to_be_told(page.locator(".log"), "INFO Starting", javascript=False)
    with page.expect_download() as started:
        page.get_by_role("link", name="Download").click()
    assert re.fullmatch(rf"{chat.runtime_name}.*-engine\.log", started.value.suggested_filename)
    started.value.save_as(tmp_path / "log")
    assert "INFO Starting" in (tmp_path / "log").read_text()


def test_the_lines_are_reached_and_scrolled_by_keyboard(visit: Visit, chat: Deployment) -> None:
    page = visit("viewer", size=(360, 200))
    open_log(page, chat)
    box = page.locator(".log-box")
    expect(box).to_contain_text("Application startup complete.")
    box.focus()
    box.evaluate("box => box.addEventListener('scroll', () => { box.dataset.at = box.scrollTop })")
    page.keyboard.press("PageUp")
    # It stands at its end, and counts from there.
    expect(box).to_have_attribute("data-at", re.compile("^-"))
