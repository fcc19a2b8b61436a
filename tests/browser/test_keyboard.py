"""Without a mouse: the launch by Tab, Space and Enter, and a focus that no swap moves."""

from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from deployments.models import Deployment
from tests.browser.cast import DETAIL, Visit, launch_in_background, settled, to_overrides

_MOST_TABS = 80


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until the focus is on what the selector names."""
    for _ in range(_MOST_TABS):
        page.keyboard.press("Tab")
        if page.evaluate("wanted => document.activeElement.matches(wanted)", selector):
            return
    raise AssertionError(f"{_MOST_TABS} tabs do not lead to {selector} on {page.url}")


def press_on(page: Page, selector: str, key: str) -> None:
    tab_to(page, selector)
    page.keyboard.press(key)


def asked_on_leaving(page: Page) -> list[str]:
    """Return what a page asks for when the focus moves on: an answer would undo what is chosen."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.keyboard.press("Tab")
    page.wait_for_timeout(500)
    return asked


def test_a_launch_needs_only_the_keyboard(visit: Visit) -> None:
    page = visit("deployer")
    press_on(page, ".sidebar a[href='/launch']", "Enter")
    page.wait_for_url("**/launch")
    tab_to(page, "#search")
    with page.expect_response(lambda answer: "search=mock" in answer.url):
        page.keyboard.type("mock")
    settled(page)
    expect(page.locator("#models .choice")).to_have_count(1)
    expect(page.locator("#search")).to_be_focused()
    assert asked_on_leaving(page) == []
    for step in ("template", "place", "overrides"):
        press_on(page, ".choice input[type=radio]", "Space")
        assert page.evaluate("document.activeElement.checked"), step
        press_on(page, ".wizard-bar button", "Enter")
        page.wait_for_url(f"**/launch/{step}?**")
    press_on(page, ".wizard-bar button", "Enter")
    page.wait_for_url("**/launch/review?**")
    press_on(page, "#launch-form button[type=submit]", "Enter")
    page.wait_for_url(DETAIL)
    assert Deployment.objects.count() == 1


def test_the_first_tab_leads_past_the_navigation(visit: Visit) -> None:
    page = visit("viewer")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.matches('.skip-link')")
    expect(page.locator(".skip-link")).to_be_in_viewport()
    page.keyboard.press("Enter")
    page.wait_for_url("**#main")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('#main') !== null")


def test_a_swap_leaves_the_focus_where_it_was(visit: Visit, cast: dict[str, User]) -> None:
    launch_in_background(cast["deployer"], "docs-chat")
    page = visit("deployer")
    tab_to(page, "#search")
    with page.expect_response(lambda answer: "search=docs" in answer.url):
        page.keyboard.type("docs")
    settled(page)
    expect(page.locator("#search")).to_be_focused()
    with page.expect_response(lambda answer: "status=" in answer.url):
        press_on(page, "#count-deploying", "Enter")
    expect(page.locator("#count-deploying[aria-current]")).to_be_focused()
    to_overrides(page)
    tab_to(page, "#field-min_replicas")
    with page.expect_response(lambda answer: "min_replicas=3" in answer.url):
        page.keyboard.type("3")
        page.keyboard.press("Tab")
        focused = page.evaluate("document.activeElement.id")
    settled(page)
    assert focused
    assert page.evaluate("document.activeElement.id") == focused


def test_the_way_to_a_field_at_fault_leaves_its_label_in_sight(
    visit: Visit, cast: dict[str, User], *, javascript: bool
) -> None:
    deployment = launch_in_background(cast["deployer"], "support-chat")
    page = visit("deployer", size=(360, 780), javascript=javascript)
    page.goto(f"/deployments/{deployment.pk}/change/review?base=1&min_replicas=many")
    page.get_by_role("alert").get_by_role("link", name="Replicas, at least").press("Enter")

    field = page.get_by_label("Replicas, at least")
    expect(field).to_be_focused()
    expect(field).to_have_value("many")
    bar, label = (
        page.locator(one).bounding_box() for one in (".topbar", "label[for$=min_replicas]")
    )
    assert bar
    assert label
    assert label["y"] >= bar["y"] + bar["height"]
