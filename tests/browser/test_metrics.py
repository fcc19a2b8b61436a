"""The tab Metrics in the browser: numbers, lines and the table, with and without JavaScript."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from deployments.models import Cluster, Deployment, MetricSample
from deployments.services.measuring import slot_of
from tests.browser.cast import PATIENCE, Visit, launch_in_background, wait_to_be_told
from tests.browser.changing import ASK_AGAIN
from tests.cluster.waiting import wait_for


@pytest.fixture
def serving(cast: dict[str, User], cluster: Cluster) -> Deployment:
    return launch_in_background(
        cast["deployer"], "support-chat", model="qwen3-8b", template="vllm-l40s"
    )


def measured_before() -> None:
    """Have the newest reading taken a minute earlier too, so that there are lines."""
    sample = MetricSample.objects.taken().latest("slot")
    earlier = sample.at - timedelta(minutes=1)
    sample.pk, sample.at, sample.slot = None, earlier, slot_of(earlier)
    sample.save()


def look(page: Page, deployment: Deployment) -> None:
    page.goto(f"/deployments/{deployment.pk}")
    page.get_by_role("link", name="Metrics", exact=True).click()
    page.wait_for_url("**/metrics")


def test_numbers_and_lines_stand_there_once_it_serves(
    visit: Visit, serving: Deployment, *, javascript: bool
) -> None:
    page = visit("viewer", javascript=javascript)
    look(page, serving)
    wait_to_be_told(page.locator("#metrics"), "Requests that engines work on now", javascript=False)
    expect(page.locator(".tiles > li").filter(has_text="Memory").locator("b")).to_have_text("19.2")
    measured_before()
    page.reload()
    expect(
        page.get_by_role("img", name="Running: requests that engines work on now")
    ).to_have_count(1)
    page.get_by_text("The same as a table").click()
    expect(page.get_by_role("columnheader", name="Cache %")).to_be_visible()
    page.get_by_role("link", name="6 h", exact=True).click()
    page.wait_for_url("**/metrics?span=6h")
    expect(page.get_by_text("an administrator sets PROMETHEUS_URL")).to_be_visible()


def test_the_page_asks_again_and_what_was_unfolded_stays_so(
    visit: Visit, serving: Deployment
) -> None:
    page = visit("viewer")
    look(page, serving)
    wait_to_be_told(page.locator("#metrics"), "Pod by pod", javascript=False)
    page.get_by_text("Pod by pod").click()
    pods = page.locator("#measured-pods li")
    expect(pods).to_have_count(1)
    MetricSample.objects.all().delete()
    page.evaluate("document.getElementById('metrics').dataset.before = 'asked'")
    page.evaluate(ASK_AGAIN)
    wait_for(MetricSample.objects.exists, PATIENCE, "it is measured again")
    expect(page.locator("#metrics[data-before]")).to_have_count(0)
    expect(pods.first).to_be_visible()
