"""Looking into a deployment: its objects unfolded and folded, what was said about them narrowed."""

import re
from functools import partial

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, Route, expect

from deployments.models import Cluster, Deployment
from tests.browser.cast import Visit, launch_in_background, settled, wait_to_be_told
from tests.browser.changing import ASK_AGAIN

TOLD_WHEN_ANSWERED = """document.addEventListener(
  "htmx:afterOnLoad", () => document.body.classList.add("answered"), { once: true })"""


@pytest.fixture
def failing(cast: dict[str, User], cluster: Cluster) -> Deployment:
    return launch_in_background(
        cast["deployer"], "invoice-reader", model="faults", template="image-not-found"
    )


def look(page: Page, deployment: Deployment, part: str) -> None:
    page.goto(f"/deployments/{deployment.pk}")
    page.get_by_role("link", name=part, exact=True).click()
    page.wait_for_url(f"**/{part.lower()}")


def test_the_pod_that_fails_is_unfolded_with_its_containers(
    visit: Visit, failing: Deployment, *, javascript: bool
) -> None:
    page = visit("viewer", javascript=javascript)
    look(page, failing, "Resources")
    pod = page.locator("details.object")
    wait_to_be_told(pod, "ImagePullBackOff", javascript=False)
    expect(pod).to_have_attribute("open", "")
    expect(pod.locator(".containers")).to_contain_text("No log yet")
    expect(page.locator(".objects .object").first).to_contain_text("Deployment")
    pod.locator("summary").click()
    expect(pod.locator(".containers")).to_be_hidden()


def test_what_a_reader_folded_stays_folded_when_the_page_asks_again(
    visit: Visit, failing: Deployment
) -> None:
    page = visit("viewer")
    look(page, failing, "Resources")
    pod = page.locator("details.object")
    wait_to_be_told(pod, "ImagePullBackOff", javascript=False)
    expect(pod).to_have_attribute("open", "")
    pod.locator("summary").click()
    pod.locator("summary").focus()
    name = pod.locator("summary").get_attribute("id")
    page.evaluate("document.getElementById('resources').dataset.before = 'asked'")
    with page.expect_response(re.compile(r"/resources\?said=")):
        page.evaluate(ASK_AGAIN)
    expect(page.locator("#resources[data-before]")).to_have_count(0)
    assert pod.get_attribute("open") is None
    assert page.evaluate("document.activeElement.id") == name


def test_a_press_that_an_answer_meets_half_way_still_opens_what_is_pressed(
    visit: Visit, failing: Deployment
) -> None:
    page = visit("viewer")
    link = page.get_by_role("link", name=failing.name, exact=True)
    settled(page)
    held: list[Route] = []
    page.route(re.compile(r"/deployments(\?.*)?$"), partial(list.append, held))
    link.hover()
    page.evaluate(TOLD_WHEN_ANSWERED)
    with page.expect_request(lambda asked: asked.resource_type in {"xhr", "fetch"}):
        page.evaluate(ASK_AGAIN)
    page.mouse.down()
    for one in held:
        one.continue_()
    page.wait_for_selector("body.answered")
    page.mouse.up()
    page.wait_for_url(f"**/deployments/{failing.pk}")


def test_events_are_narrowed_to_warnings_and_to_one_object(
    visit: Visit, failing: Deployment, *, javascript: bool
) -> None:
    page = visit("viewer", javascript=javascript)
    look(page, failing, "Events")
    lines = page.locator(".events > li")
    wait_to_be_told(page.locator("#events"), "Failed", javascript=False)
    page.get_by_role("link", name="Warnings").click()
    page.wait_for_url("**?only=warnings")
    settled(page)
    expect(lines.first.locator(".reason")).to_contain_text("Failed, a warning")
    page.get_by_role("link", name="All").click()
    expect(page.locator("#every-event")).to_have_attribute("aria-current", "true")
    settled(page)
    page.get_by_label("Object").select_option(f"Deployment {failing.runtime_name}")
    if not javascript:
        page.get_by_role("button", name="Filter").click()
    page.wait_for_url("**?object=Deployment*")
    settled(page)
    expect(lines.locator(".told a").first).to_contain_text(failing.runtime_name)
    expect(page.get_by_label("Object")).to_have_value(re.compile("^Deployment "))


def test_a_pod_on_the_overview_leads_to_its_object(
    visit: Visit, cast: dict[str, User], *, javascript: bool
) -> None:
    deployment = launch_in_background(cast["deployer"], "support-chat", replicas=2)
    page = visit("viewer", javascript=javascript)
    page.goto(f"/deployments/{deployment.pk}")
    pods = page.get_by_role("table", name="Pods").get_by_role("row")
    expect(pods).to_have_count(3)

    name = pods.last.get_by_role("link").inner_text()
    pods.last.get_by_role("link").click()
    page.wait_for_url(f"**/resources#Pod-{name}")
    expect(page.locator(f"#Pod-{name}")).to_be_in_viewport()
