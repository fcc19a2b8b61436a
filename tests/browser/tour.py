"""A walk past every page, for tests that ask the same of all of them.

Each stop is a page that is open when its name is yielded; what it was answered with may be asked.
"""

import re
from collections.abc import Iterator

from django.contrib.auth.models import User
from playwright.sync_api import Page

from deployments.models import Cluster, Deployment, Orphan
from deployments.services.refreshing import refresh_cluster
from tests.browser.cast import (
    Visit,
    choose,
    launch,
    launch_in_background,
    name_it,
    next_page,
    next_step,
    to_overrides,
    wait_for_phase,
)
from tests.browser.meddling import meddle, remove_outside
from tests.browser.tour_changes import change_pages
from tests.orphaned import close_only, forget_record, without_grace

Stop = tuple[str, Page]
TEMPLATES = "/admin/templates_app/modeldeploymenttemplate/"
# Name, model, template, replicas: some of them go wrong.
LAUNCHES = (
    ("support-chat", "qwen3-8b", "vllm-l40s", 2),
    ("math-tutor", "llama-3-1-8b-instruct", "sglang-h100", 1),
    ("invoice-reader", "faults", "image-not-found", 1),
    ("archive-search", "faults", "slow-load", 1),
    ("report-writer", "mock", "mock-cpu", 1),
)


def all_pages(
    visit: Visit, cast: dict[str, User], cluster: Cluster, *, bypass_csp: bool = False
) -> Iterator[Stop]:
    """Open every page that we wrote, one after the other."""
    yield from _of_nobody(visit(bypass_csp=bypass_csp))
    page = visit("admin", bypass_csp=bypass_csp)
    yield "deployments-none", page
    page.goto("/deployments?scope=closed")
    yield "deployments-none-closed", page
    launched = [
        launch_in_background(cast["deployer"], name, model=model, template=template, replicas=count)
        for name, model, template, count in LAUNCHES
    ]
    yield from _launch(page)
    yield from _catalogue(page)
    yield from _account(page)
    refresh_cluster(cluster)
    yield from _deployments(page, launched)
    yield from change_pages(page, cast)
    yield from _orphans(page, cluster, launched)
    stranger = visit("viewer", bypass_csp=bypass_csp)
    stranger.goto("/launch")
    yield "not-allowed", stranger


def _of_nobody(page: Page) -> Iterator[Stop]:
    page.goto("/sign-in")
    yield "sign-in", page
    page.get_by_label("User name").fill("victor")
    page.get_by_label("Password").fill("wrong")
    with next_page(page):
        page.get_by_role("button", name="Sign in").click()
    yield "sign-in-refused", page


def _launch(page: Page) -> Iterator[Stop]:
    page.goto("/launch?search=qwen")
    choose(page, "Qwen3 8B")
    yield "launch-model", page
    next_step(page, "Template")
    choose(page, "vllm-l40s")
    yield "launch-template", page
    next_step(page, "Place")
    choose(page, "models")
    yield "launch-place", page
    next_step(page, "Overrides")
    name_it(page, "docs-chat")
    yield "launch-overrides", page
    next_step(page, "Review")
    page.locator(".manifests summary").first.click()
    yield "launch-review", page
    launch(page)
    yield "deployment-moving", page
    to_overrides(page, model="Qwen3 235B A22B Instruct 2507", template="vllm-8xh100")
    next_step(page, "Review")
    yield "launch-review-warning", page


def _catalogue(page: Page) -> Iterator[Stop]:
    page.goto("/models")
    yield "catalogue", page
    page.get_by_role("link", name="Qwen3 8B").click()
    page.wait_for_url("**/models/qwen3-8b")
    yield "model", page
    page.get_by_role("link", name="vllm-l40s").first.click()
    page.wait_for_url("**/templates/*")
    yield "template", page
    page.goto("/models?search=nothing-is-called-so")
    yield "catalogue-no-match", page
    page.goto("/clusters")
    yield "clusters", page
    page.goto("/audit")
    page.locator(".act summary").first.click()
    yield "audit", page
    page.goto("/audit?since=yesterday")
    yield "audit-refused", page
    page.goto("/system")
    yield "system", page


def _account(page: Page) -> Iterator[Stop]:
    page.goto("/account")
    with next_page(page):
        page.get_by_role("button", name="Make a token").click()
    yield "account-token", page
    page.goto("/account")
    yield "account", page
    page.get_by_role("link", name="Revoke").click()
    page.wait_for_url("**/revoke")
    yield "account-revoke", page
    page.goto("/account/password")
    yield "account-password", page
    page.goto("/nothing-is-here")
    yield "not-found", page


def _deployments(page: Page, launched: list[Deployment]) -> Iterator[Stop]:
    page.goto("/deployments")
    yield "deployments", page
    page.goto("/deployments?search=nothing-is-called-so")
    yield "deployments-no-match", page
    ready, _, failed, loading, removed = launched
    page.goto(f"/deployments/{ready.pk}")
    wait_for_phase(page, "Ready")
    yield "deployment-ready", page
    page.get_by_role("link", name="Metrics", exact=True).click()
    page.wait_for_url("**/metrics")
    page.get_by_text("The same as a table").click()
    yield "deployment-metrics", page
    page.goto(f"/deployments/{ready.pk}/logs?search=INFO&times=true")
    yield "deployment-logs", page
    meddle(ready, "kubectl-edit", progressDeadlineSeconds=77, minReadySeconds=1)
    page.goto(f"/deployments/{ready.pk}/drift")
    yield "deployment-drift", page
    page.get_by_role("link", name="Put it back").click()
    page.wait_for_url("**/put-back")
    yield "deployment-put-back", page
    page.goto(f"/deployments/{failed.pk}")
    yield "deployment-failed", page
    page.get_by_role("link", name="Logs", exact=True).click()
    page.wait_for_url("**/logs")
    yield "deployment-logs-none", page
    page.get_by_role("link", name="Resources", exact=True).click()
    page.wait_for_url("**/resources")
    yield "deployment-resources", page
    page.get_by_role("link", name="Events", exact=True).click()
    page.wait_for_url("**/events")
    yield "deployment-events", page
    page.get_by_role("link", name="History", exact=True).click()
    page.wait_for_url("**/history")
    page.locator(".timeline summary").first.click()
    yield "deployment-history", page
    page.goto(f"/deployments/{loading.pk}")
    yield "deployment-loading", page
    page.get_by_role("link", name="Manifests").click()
    page.wait_for_url(re.compile("/manifests$"))
    yield "deployment-manifests", page
    page.goto(f"/deployments/{loading.pk}/delete")
    yield "deployment-delete", page
    with next_page(page):
        page.get_by_role("button", name="Delete").click()
    wait_for_phase(page, "Deleted")
    yield "deployment-closed", page
    yield from _endings(page, removed)


def _endings(page: Page, deployment: Deployment) -> Iterator[Stop]:
    """Open what is asked before a record is forgotten, or applied again what was removed."""
    remove_outside(deployment)
    page.goto(f"/deployments/{deployment.pk}")
    wait_for_phase(page, "Deleted")
    yield "deployment-removed", page
    page.get_by_role("link", name="Apply again").click()
    page.wait_for_url("**/apply-again")
    yield "deployment-reapply", page
    page.go_back()
    page.get_by_role("link", name="Forget the record").click()
    page.wait_for_url("**/forget")
    page.get_by_label("Reason").fill("somebody removed it")
    page.get_by_label("Type its name").fill("another name")
    with next_page(page):
        page.get_by_role("button", name="Forget").click()
    yield "deployment-forget", page


def _orphans(page: Page, cluster: Cluster, launched: list[Deployment]) -> Iterator[Stop]:
    forgotten, closed, untold, *_ = launched
    forget_record(forgotten)
    close_only(closed)
    forget_record(untold)
    with without_grace():
        refresh_cluster(cluster)
    page.goto("/clusters")
    Orphan.objects.filter(deployment_id=untold.pk).update(provenance=None)
    page.get_by_role("link", name="without a record").click()
    page.wait_for_url("**/orphans")
    yield "orphans", page
    for box in page.get_by_role("checkbox").all():
        box.check()
    with next_page(page):
        page.get_by_role("button", name="Adopt").click()
    yield "orphans-adopt", page
    page.go_back()
    with next_page(page):
        page.get_by_role("button", name="Remove").click()
    yield "orphans-remove", page


def admin_pages(page: Page) -> Iterator[Stop]:
    """Open the pages of the admin that we added to."""
    page.goto(f"{TEMPLATES}import/")
    yield "admin-import", page
    page.goto(f"{TEMPLATES}?q=vllm-l40s")
    page.get_by_role("link", name="vllm-l40s").first.click()
    page.wait_for_url("**/change/**")
    yield "admin-template", page
