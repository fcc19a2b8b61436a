"""What is launched: who may do what to it, how it is found again, and how it goes."""

import re

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from deployments.models import Cluster, Deployment
from deployments.services.refreshing import refresh_cluster
from tests.browser.cast import (
    DETAIL,
    PATIENCE,
    Visit,
    launch_in_background,
    next_page,
    phase,
    seek,
    wait_for_phase,
)
from tests.cluster.waiting import wait_for

PLACES = {
    "viewer": ["Deployments", "Catalogue", "Clusters", "API"],
    "deployer": ["Launch", "Deployments", "Catalogue", "Clusters", "API"],
    "member": ["Launch", "Deployments", "Catalogue", "Clusters", "API"],
    "curator": ["Launch", "Deployments", "Catalogue", "Clusters", "API", "Curation"],
    "admin": [
        *("Launch", "Deployments", "Catalogue", "Clusters"),
        *("Audit", "API", "System", "Curation"),
    ],
}
MAY_DELETE = {"deployer", "admin"}
_LINES = """part => {
    const all = document.createRange();
    all.selectNodeContents(part);
    return all.getClientRects().length;
}"""


@pytest.fixture
def deployment(cast: dict[str, User]) -> Deployment:
    return launch_in_background(cast["deployer"], "docs-chat")


def names(page: Page) -> list[str]:
    return page.locator("table.deployments tbody th a").all_inner_texts()


def status_of(page: Page, path: str) -> int:
    """Go to a page and return the status of its answer, 0 for none."""
    answer = page.goto(path)
    return answer.status if answer else 0


def is_known_to_fail(cluster: Cluster, name: str) -> bool:
    """Make a pass, as the worker does; it keeps what it sees from the next second on."""
    refresh_cluster(cluster)
    return Deployment.objects.get(name=name).phase == "Failed"


def test_each_role_signs_in_and_finds_what_it_may(
    visit: Visit, *, javascript: bool, deployment: Deployment
) -> None:
    for role, places in PLACES.items():
        page = visit(role, javascript=javascript)
        found = page.locator(".sidebar .nav a").all_inner_texts()
        assert [text.strip() for text in found] == places, role
        page.get_by_role("link", name="docs-chat").click()
        page.wait_for_url(DETAIL)
        expect(page.get_by_role("link", name="Delete")).to_have_count(int(role in MAY_DELETE))
        assert status_of(page, "/launch") == (200 if "Launch" in places else 403), role
        deletion = f"/deployments/{deployment.pk}/delete"
        assert status_of(page, deletion) == (200 if role in MAY_DELETE else 403), role


def test_on_a_telephone_the_menu_leads_everywhere(visit: Visit, *, javascript: bool) -> None:
    page = visit("curator", size=(360, 780), javascript=javascript)
    for place, heading in (("Catalogue", "Catalogue"), ("Clusters", "Clusters"), ("kurt", "kurt")):
        page.locator(".topbar summary").click()
        page.locator(".topbar").get_by_role("link", name=place).click()
        expect(page.get_by_role("heading", level=1)).to_have_text(heading)


def test_who_is_not_signed_in_comes_back_to_where_they_were_heading(
    visit: Visit, deployment: Deployment, *, javascript: bool
) -> None:
    page = visit(javascript=javascript)
    page.goto(f"/deployments/{deployment.pk}")
    page.get_by_label("User name").fill("victor")
    page.get_by_label("Password").fill("wrong")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_be_visible()
    page.get_by_label("Password").fill("correct horse battery")
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(DETAIL)
    page.get_by_role("button", name="Sign out").last.click()
    page.wait_for_url(re.compile("/sign-in"))


def test_an_empty_list_offers_a_first_launch_that_goes_well(
    visit: Visit, *, javascript: bool
) -> None:
    page = visit("deployer", javascript=javascript)
    page.get_by_role("link", name="Launch Mock").click()
    expect(page.get_by_role("radio", name="Mock")).to_be_checked()


def test_the_list_is_searched_and_filtered(
    visit: Visit, *, javascript: bool, cast: dict[str, User], cluster: Cluster
) -> None:
    launch_in_background(cast["deployer"], "docs-chat")
    launch_in_background(cast["member"], "wrong-image", model="faults", template="image-not-found")
    page = visit("member", javascript=javascript)
    expect(page.locator("#count-all b")).to_have_text("2")
    search = page.get_by_label("Search deployments")
    seek(search, "docs", javascript=javascript)
    expect(page.locator("table.deployments tbody tr")).to_have_count(1)
    assert names(page) == ["docs-chat"]
    assert "search=docs" in page.url
    seek(search, "nothing is called so", javascript=javascript)
    expect(page.get_by_role("heading", name="No deployment matches")).to_be_visible()
    with next_page(page):
        page.get_by_role("link", name="Show all").click()
    expect(page.locator("table.deployments tbody tr")).to_have_count(2)
    page.get_by_label("Launched by").select_option("By me")
    if not javascript:
        page.get_by_role("button", name="Filter").click()
    expect(page.locator("table.deployments tbody tr")).to_have_count(1)
    assert names(page) == ["wrong-image"]
    wait_for(lambda: is_known_to_fail(cluster, "wrong-image"), PATIENCE, "a pass has seen it fail")
    page.goto("/deployments")
    page.locator("#count-failed").click()
    expect(page.locator("table.deployments tbody tr")).to_have_count(1)
    assert names(page) == ["wrong-image"]


def test_a_deployment_is_deleted_after_a_page_that_lists_what_goes(
    visit: Visit, *, javascript: bool, deployment: Deployment
) -> None:
    page = visit("deployer", javascript=javascript)
    page.goto(f"/deployments/{deployment.pk}")
    wait_for_phase(page, "Ready", javascript=javascript)
    page.get_by_role("link", name="Delete").click()
    going = page.locator(".going li")
    expect(going).to_have_count(5)
    titles = [" ".join(text.split()) for text in going.locator("b").all_inner_texts()]
    assert sorted(titles) == ["1 pod", "Deployment", "EndpointSlice", "ReplicaSet", "Service"]
    page.get_by_role("link", name="Keep it").click()
    expect(phase(page)).to_have_text("Ready")
    page.get_by_role("link", name="Delete").click()
    page.get_by_label("Reason").fill("no longer needed")
    page.get_by_role("button", name="Delete").click()
    page.wait_for_url(DETAIL)
    expect(page.get_by_role("link", name="Delete")).to_have_count(0)
    wait_for_phase(page, "Deleted", javascript=javascript)
    expect(page.get_by_role("link", name="Closed deployments")).to_be_visible()
    page.goto("/deployments?scope=closed")
    assert names(page) == ["docs-chat"]
    page.goto("/deployments")
    assert names(page) == []


def test_manifests_are_shown_and_downloaded(visit: Visit, deployment: Deployment) -> None:
    page = visit("viewer")
    page.goto(f"/deployments/{deployment.pk}")
    page.get_by_role("link", name="Manifests").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    assert "kind: Deployment" in download.value.path().read_text()


def test_actions_go_below_a_title_before_it_breaks(visit: Visit, cast: dict[str, User]) -> None:
    named = launch_in_background(cast["deployer"], "support-chat-of-the-harbour")
    page = visit("deployer", size=(1024, 800))
    page.goto(f"/deployments/{named.pk}")
    title, delete = page.locator("h1"), page.get_by_role("link", name="Delete")
    assert title.evaluate(_LINES) == 1
    below, above = delete.bounding_box(), title.bounding_box()
    assert below
    assert above
    assert below["y"] >= above["y"] + above["height"]


def test_actions_beside_a_title_end_where_the_page_does(visit: Visit) -> None:
    page = visit("deployer")
    head, last = page.locator(".page-head"), page.get_by_role("link", name="Launch a model").first
    whole, end = head.bounding_box(), last.bounding_box()
    assert whole
    assert end
    assert end["x"] + end["width"] == pytest.approx(whole["x"] + whole["width"], abs=1)
