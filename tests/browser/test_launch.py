"""The whole launch, as a deployer walks it: choosing, reviewing, launching, watching."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from console.web.templatetags.slipway import sentence
from deployments.models import Cluster, Deployment
from deployments.services.refreshing import refresh_cluster
from tests.browser.cast import (
    DETAIL,
    PATIENCE,
    Visit,
    launch,
    launch_in_background,
    name_it,
    next_page,
    next_step,
    phase,
    settled,
    to_overrides,
    wait_for_phase,
)
from tests.browser.clock import Clock
from tests.cluster.waiting import wait_for

# Something is typed, and something is picked before that has asked for anything, or after.
TYPED = """
  const search = document.getElementById("search");
  search.value = "b";
  search.dispatchEvent(new Event("input", { bubbles: true }));
"""
PICKED_BEFORE_IT_ASKS = f"picked => {{ {TYPED} picked.click(); }}"
PICKED_BEFORE_THE_ANSWER = f"""picked => {{
  document.addEventListener("htmx:beforeSend", () => picked.click(), {{ once: true }});
  {TYPED}
}}"""


def test_a_model_is_launched_and_becomes_ready_before_ones_eyes(visit: Visit, clock: Clock) -> None:
    page = visit("deployer")
    to_overrides(page)
    name_it(page, "docs-chat")
    next_step(page, "Review")
    expect(page.get_by_role("heading", name="What will happen")).to_be_visible()
    with clock.held():
        launch(page)
        expect(phase(page)).to_have_text("Deploying")
        page.evaluate("document.documentElement.dataset.unchanged = 'yes'")
    wait_for_phase(page, "Ready")
    assert page.evaluate("document.documentElement.dataset.unchanged") == "yes"
    assert Deployment.objects.get().name == "docs-chat"


def test_without_javascript_a_launch_takes_the_same_way_and_a_reload(visit: Visit) -> None:
    page = visit("deployer", javascript=False)
    to_overrides(page)
    name_it(page, "docs-chat")
    next_step(page, "Review")
    launch(page)
    wait_for_phase(page, "Ready", javascript=False)


@pytest.mark.parametrize("meanwhile", [PICKED_BEFORE_IT_ASKS, PICKED_BEFORE_THE_ANSWER])
def test_a_model_picked_while_a_search_is_under_way_stays_picked(
    visit: Visit, meanwhile: str
) -> None:
    page = visit("deployer")
    page.goto("/launch")
    picked = page.locator("#models input[name=model]:enabled").first
    value = picked.get_attribute("value")
    with page.expect_response(lambda answer: "search=b" in answer.url):
        picked.evaluate(meanwhile)
    settled(page)
    expect(page.locator(f'#models input[value="{value}"]')).to_be_checked()


def test_back_keeps_what_was_entered(visit: Visit, *, javascript: bool) -> None:
    page = visit("deployer", javascript=javascript)
    to_overrides(page)
    name_it(page, "docs-chat")
    page.locator("#field-min_replicas").fill("2")
    next_step(page, "Review")
    page.go_back()
    expect(page.get_by_role("textbox", name="Name")).to_have_value("docs-chat")
    next_step(page, "Review")
    page.get_by_role("textbox", name="Reason").fill("for the trial in March")
    page.get_by_role("button", name="Check again").click()
    expect(page.get_by_role("textbox", name="Reason")).to_have_value("for the trial in March")
    page.get_by_role("button", name="Back to overrides").click()
    expect(page.get_by_role("textbox", name="Name")).to_have_value("docs-chat")
    expect(page.locator("#field-min_replicas")).to_have_value("2")
    next_step(page, "Review")
    expect(page.get_by_role("textbox", name="Reason")).to_have_value("for the trial in March")
    page.go_back()
    page.locator(".wizard-bar").get_by_role("link", name="Place").click()
    expect(page.get_by_role("radio", name="playground")).to_be_checked()
    next_step(page, "Overrides")
    expect(page.get_by_role("textbox", name="Name")).to_have_value("docs-chat")


def test_a_double_click_on_launch_launches_once(visit: Visit, *, javascript: bool) -> None:
    page = visit("deployer", javascript=javascript)
    to_overrides(page)
    name_it(page, "docs-chat")
    next_step(page, "Review")
    page.get_by_role("button", name="Launch").dblclick(no_wait_after=True)
    page.wait_for_url(DETAIL)
    assert Deployment.objects.count() == 1


def test_what_cannot_be_is_told_beside_its_field(visit: Visit, *, javascript: bool) -> None:
    page = visit("deployer", javascript=javascript)
    to_overrides(page)
    page.locator("#field-min_replicas").fill("99")
    with next_page(page):
        page.locator(".wizard-bar").get_by_role("button", name="Review").click()
    expect(page.locator(".field .error")).to_contain_text("10")
    assert Deployment.objects.count() == 0


def test_too_few_accelerators_are_a_warning_to_tick(
    visit: Visit, *, javascript: bool, cast: dict[str, User]
) -> None:
    launch_in_background(
        cast["member"], "in-the-way", model="llama-3-1-8b-instruct", template="sglang-h100"
    )
    page = visit("deployer", javascript=javascript)
    to_overrides(page, model="Qwen3 235B A22B Instruct 2507", template="vllm-8xh100")
    name_it(page, "too-large")
    next_step(page, "Review")
    warning = page.locator(".checks > li[data-status=warn]")
    expect(warning).to_contain_text("H100")
    page.get_by_role("button", name="Launch").click()
    assert Deployment.objects.filter(name="too-large").count() == 0
    for tick in page.get_by_role("checkbox").all():
        tick.check()
    launch(page)
    expect(phase(page)).to_have_text("Deploying")


def test_a_missing_image_is_told_alike_on_its_page_and_in_the_list(
    visit: Visit, *, javascript: bool, cluster: Cluster
) -> None:
    page = visit("deployer", javascript=javascript)
    to_overrides(page, model="Faults to look at", template="image-not-found")
    name_it(page, "wrong-image")
    next_step(page, "Review")
    launch(page)
    wait_for_phase(page, "Failed", javascript=javascript)
    said = page.locator(".verdict .said")
    expect(said).to_contain_text("docker.io/aibrix/vllm-mock:nightly")
    expect(page.locator(".verdict .next")).to_be_visible()
    told = said.inner_text()
    wait_for(lambda: message_after_a_pass(cluster) == told, PATIENCE, f"a pass keeps {told}")
    page.goto("/deployments")
    row = page.get_by_role("row", name="wrong-image")
    expect(row).to_contain_text("Failed")
    expect(row).to_contain_text(told)


def message_after_a_pass(cluster: Cluster) -> str:
    """Make a pass, as the worker does; it keeps what it sees from the next second on."""
    refresh_cluster(cluster)
    return sentence(Deployment.objects.get(name="wrong-image").message)
