"""StormServices and InferenceServices: launched, looked at and changed as a Deployment is."""

import re

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect
from pytest_django import Settings

from deployments.models import Cluster, Deployment
from deployments.services.refreshing import refresh_cluster
from providers import registry
from templates_app import services
from templates_app.entries import parse_template
from templates_app.selectors import find_model
from tests.browser.cast import (
    EVERY_KIND,
    Visit,
    choose,
    launch,
    launch_in_background,
    name_it,
    next_step,
    wait_for_phase,
    wait_to_be_told,
)
from tests.browser.changing import confirmed, expect_review

STORM, INFERENCE = "stormservice", "kserve-inferenceservice"
TITLES = {STORM: "AIBrix StormService", INFERENCE: "KServe InferenceService"}
OBJECTS = {STORM: ["StormService", "RoleSet", "Pod"], INFERENCE: ["InferenceService", "Deployment"]}
SGLANG = {
    "engine": {
        "type": "sglang",
        "version": "0.5.3",
        "image": "docker.io/lmsysorg/sglang:v0.5.3",
    },
    "model_source": {"type": "huggingface", "uri": "Qwen/Qwen3-8B"},
    "accelerator": {"type": "H100"},
    "overridable": {"min_replicas": {"max": 2}},
}
ROLES = [
    {"name": "prefill", "accelerator": {"type": "H100", "count": 2}},
    {"name": "decode", "accelerator": {"type": "L40S"}, "replicas": 2},
]


@pytest.fixture
def every_kind() -> bool:
    return True


def launch_shaped(user: User, **parts: object) -> Deployment:
    """Launch a StormService by a template with these parts."""
    spec = {**SGLANG, **parts}
    entry = parse_template(name="shaped", version="1.0.0", spec=spec)
    services.activate_template(
        services.create_template(find_model("qwen3-8b"), entry, by=None), by=None
    )
    return launch_in_background(
        user, "support-chat", model="qwen3-8b", template="shaped", kind=STORM
    )


def to_place(page: Page) -> None:
    page.goto("/launch?search=Mock")
    choose(page, "Mock")
    next_step(page, "Template")
    choose(page, "mock-cpu")
    next_step(page, "Place")


def open_part(page: Page, name: str) -> None:
    page.get_by_role("link", name=name, exact=True).click()
    page.wait_for_url(f"**/{name.lower()}")


@pytest.mark.parametrize(("kind", "javascript"), [(STORM, True), (INFERENCE, False)])
def test_a_kind_is_chosen_reviewed_launched_and_looked_at(
    visit: Visit, kind: str, *, javascript: bool
) -> None:
    page = visit("deployer", javascript=javascript)
    to_place(page)
    choose(page, "playground")
    choose(page, TITLES[kind])
    next_step(page, "Overrides")
    name_it(page, "docs-chat")
    next_step(page, "Review")
    expect(page.locator(".summary")).to_contain_text(TITLES[kind])
    expect(page.locator(".manifests summary").first).to_contain_text(OBJECTS[kind][0])
    launch(page)
    wait_for_phase(page, "Ready", javascript=javascript)
    expect(page.locator(".facts")).to_contain_text([TITLES[kind]])
    expect(page.get_by_role("region", name="Endpoint")).to_contain_text("svc.cluster.local")
    open_part(page, "Resources")
    for name in OBJECTS[kind]:
        expect(page.locator("#resources")).to_contain_text(name)
    open_part(page, "Delete")
    expect(page.locator("#main")).to_contain_text(OBJECTS[kind][0])
    page.get_by_role("button", name="Delete").click()
    wait_for_phase(page, "Deleted", javascript=javascript)


@pytest.mark.parametrize("kind", TITLES)
def test_a_kind_is_changed_stopped_and_started(
    visit: Visit, cast: dict[str, User], kind: str
) -> None:
    made = launch_in_background(
        cast["deployer"], "support-chat", model="qwen3-8b", template="vllm-l40s", kind=kind
    )
    page = visit("deployer", javascript=False)
    page.goto(f"/deployments/{made.pk}/change")
    page.get_by_label("max_model_len").fill("16384")
    page.get_by_label("Replicas, at least").fill("2")
    page.get_by_role("button", name="Review").click()
    expect_review(page, "Change support-chat?")
    expect(page.locator(".effects")).to_contain_text("The one running replica restarts")
    expect(page.locator(".diff ins").first).to_be_visible()
    expect(page.locator(".diff")).not_to_contain_text("digest")
    confirmed(page, "Change it")
    wait_for_phase(page, "Ready", javascript=False)
    expect(page.locator("#replicas-title ~ .quiet")).to_contain_text("2 ready of 2 wanted")
    page.get_by_role("link", name="Stop", exact=True).click()
    expect_review(page, "Stop support-chat?")
    confirmed(page, "Stop it")
    wait_for_phase(page, "Stopped", javascript=False)
    page.get_by_role("link", name="Start", exact=True).click()
    expect_review(page, "Start support-chat?")
    confirmed(page, "Start it")
    wait_for_phase(page, "Ready", javascript=False)
    expect(page.locator("#replicas-title ~ .quiet")).to_contain_text("2 ready of 2 wanted")


@pytest.mark.parametrize("kind", TITLES)
def test_a_kind_tells_of_a_missing_image(visit: Visit, cast: dict[str, User], kind: str) -> None:
    made = launch_in_background(
        cast["deployer"], "invoice-reader", model="faults", template="image-not-found", kind=kind
    )
    page = visit("viewer", javascript=False)
    page.goto(f"/deployments/{made.pk}")
    wait_for_phase(page, "Failed", javascript=False)
    expect(page.locator(".verdict .said")).to_contain_text("docker.io/aibrix/vllm-mock:nightly")
    expect(page.locator(".verdict .next")).to_be_visible()


def test_roles_are_told_apart_from_the_first_look_to_the_last(
    visit: Visit, cast: dict[str, User]
) -> None:
    made = launch_shaped(cast["deployer"], topology={"kind": "disaggregated", "roles": ROLES})
    page = visit("deployer", javascript=False)
    page.goto(f"/deployments/{made.pk}")
    wait_for_phase(page, "Ready", javascript=False)
    expect(page.locator("#main")).to_contain_text("prefill: 2 × H100")
    expect(page.locator("#main")).to_contain_text("decode: 1 × L40S on each of 2 pods")
    open_part(page, "Resources")
    expect(page.locator("#resources")).to_contain_text("decode 2 of 2 ready")
    open_part(page, "Delete")
    expect(page.locator("#main")).to_contain_text("3 pods")
    expect(page.locator("#main")).to_contain_text("2 × H100 + 2 × L40S of each become free")


def test_several_nodes_are_shown_below_their_pod_set(visit: Visit, cast: dict[str, User]) -> None:
    made = launch_shaped(
        cast["deployer"], topology={"kind": "multi-node", "nodes": 2}, parallelism={"tp": 2}
    )
    page = visit("viewer", javascript=False)
    page.goto(f"/deployments/{made.pk}/resources")
    wait_to_be_told(page.locator("#resources"), "2 of 2 pods ready", javascript=False)
    expect(page.locator("#resources")).to_contain_text("PodSet")


def test_the_same_is_launched_on_another_implementation(
    visit: Visit, cast: dict[str, User]
) -> None:
    made = launch_in_background(cast["deployer"], "docs-chat", kind=STORM)
    page = visit("deployer", javascript=False)
    page.goto(f"/deployments/{made.pk}")
    page.get_by_role("link", name="On another implementation").click()
    expect(page.locator("#main")).to_contain_text(f"Today {TITLES[STORM]} carries it")
    page.get_by_role("link", name=f"Launch on {TITLES[INFERENCE]}").click()
    page.wait_for_url(re.compile(f"kind={INFERENCE}"))


@pytest.mark.parametrize("every_kind", [False])
def test_what_is_not_installed_says_so(visit: Visit, cluster: Cluster, settings: Settings) -> None:
    settings.SLIPWAY_PROVIDERS = EVERY_KIND
    registry.forget()
    refresh_cluster(cluster)
    page = visit("deployer", javascript=False)
    to_place(page)
    for title in TITLES.values():
        card = page.locator(".choice", has_text=title)
        expect(card.get_by_role("radio")).to_be_disabled()
        expect(card).to_contain_text("Not installed on sandbox")
