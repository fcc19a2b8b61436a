"""Curation in the admin: a file is imported, corrected, activated, and followed by a version."""

from playwright.sync_api import Page, expect

from templates_app.models import ModelDeploymentTemplate
from tests.browser.cast import Visit

LIST = "/admin/templates_app/modeldeploymenttemplate/"
WRONG = """\
model: mock
name: browser
version: 1.0.0
status: active
spec:
  engine: {type: mock, image: docker.io/aibrix/vllm-mock:nightly}
  model_source: {type: huggingface, uri: mock/mock}
  accelerator: {type: cpu, count: 1}
"""


def imported(page: Page, text: str) -> None:
    page.get_by_label("YAML").fill(text)
    page.get_by_role("button", name="Import").click()


def test_a_curator_imports_corrects_activates_and_makes_the_next_version(
    visit: Visit, *, javascript: bool
) -> None:
    page = visit("curator", javascript=javascript)
    page.get_by_role("link", name="Curation").last.click()
    page.goto(LIST)
    page.get_by_role("link", name="Import YAML").click()
    imported(page, WRONG)
    expect(page.locator(".errorlist").first).to_contain_text("spec.accelerator.count")
    imported(page, WRONG.replace("count: 1", "count: 0"))
    expect(page.get_by_text("1 created")).to_be_visible()
    made = ModelDeploymentTemplate.objects.get(name="browser")
    page.goto(f"{LIST}{made.pk}/change/")
    expect(page.get_by_role("heading", name="Preview of what is stored")).to_be_visible()
    page.get_by_role("button", name="Activate").click()
    expect(page.locator(".messagelist")).to_contain_text("active")
    page.get_by_role("button", name="New version from this").click()
    expect(page.locator(".messagelist")).to_contain_text("draft")
    statuses = ModelDeploymentTemplate.objects.filter(name="browser").values_list("status")
    assert sorted(status for (status,) in statuses) == ["active", "draft"]
