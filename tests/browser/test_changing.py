"""A deployment is changed, stopped, started and rolled back: nothing before its review."""

import re

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from deployments.models import Deployment
from tests.browser.cast import Visit, launch_in_background, wait_for_phase
from tests.browser.changing import (
    ASK_AGAIN,
    change_by,
    confirm,
    confirmed,
    expect_review,
    newer_version,
)


@pytest.fixture
def chat(cast: dict[str, User]) -> Deployment:
    """Two replicas on accelerators, which olga launched."""
    return launch_in_background(
        cast["deployer"], "support-chat", model="qwen3-8b", template="vllm-l40s", replicas=2
    )


def open_form(page: Page, deployment: Deployment) -> None:
    page.goto(f"/deployments/{deployment.pk}")
    page.get_by_role("link", name="Change", exact=True).click()
    page.wait_for_url("**/change")


def revisions_of(deployment: Deployment) -> list[tuple[int, str]]:
    return list(deployment.revisions.order_by("number").values_list("number", "verb"))


def test_a_change_is_reviewed_confirmed_and_becomes_ready(
    visit: Visit, chat: Deployment, *, javascript: bool
) -> None:
    page = visit("deployer", javascript=javascript)
    open_form(page, chat)
    page.get_by_label("max_model_len").fill("16384")
    page.get_by_role("button", name="Review").click()
    expect_review(page, "Change support-chat?")
    expect(page.locator(".intent")).to_contain_text("max_model_len 32768 → 16384")
    expect(page.locator(".effects")).to_contain_text("Both running replicas restart.")
    expect(page.locator(".diff ins")).to_have_text([re.compile("--max-model-len=16384")])
    page.get_by_label("Reason").fill("shorter answers")
    confirmed(page, "Change it")
    wait_for_phase(page, "Ready", javascript=javascript)
    assert revisions_of(chat) == [(1, "create"), (2, "update")]
    page.get_by_role("link", name="History", exact=True).click()
    page.get_by_role("link", name="Revisions").click()
    expect(page.locator("#revision-2")).to_contain_text("shorter answers")


def test_scaling_takes_one_step_to_its_review(
    visit: Visit, chat: Deployment, *, javascript: bool
) -> None:
    page = visit("deployer", javascript=javascript)
    page.goto(f"/deployments/{chat.pk}")
    page.locator("#scale").get_by_label("Replicas, at least").fill("1")
    page.locator("#scale").get_by_role("button", name="Review").click()
    expect_review(page, "Change support-chat?")
    expect(page.locator(".effects")).to_contain_text("No pod restarts; 1 replica ends.")
    confirmed(page, "Change it")
    wait_for_phase(page, "Ready", javascript=javascript)
    expect(page.locator("#replicas-title ~ .quiet")).to_contain_text("1 ready of 1 wanted")


def test_what_is_typed_to_scale_outlives_what_is_read_anew(visit: Visit, chat: Deployment) -> None:
    page = visit("deployer")
    page.goto(f"/deployments/{chat.pk}")
    field = page.locator("#scale").get_by_label("Replicas, at least")
    page.evaluate("document.getElementById('overview').dataset.before = 'read'")
    with page.expect_response(lambda answer: "told=" in answer.url):
        field.fill("3")
        page.evaluate(ASK_AGAIN)
    expect(page.locator("#overview[data-before]")).to_have_count(0)
    expect(field).to_have_value("3")
    expect(field).to_be_focused()


def test_back_from_the_review_keeps_what_was_entered(
    visit: Visit, chat: Deployment, *, javascript: bool
) -> None:
    page = visit("deployer", javascript=javascript)
    open_form(page, chat)
    page.get_by_label("max_num_seqs").fill("64")
    page.get_by_label("Reason").fill("the fair")
    page.get_by_role("button", name="Review").click()
    expect_review(page, "Change support-chat?")
    page.get_by_role("button", name="Back", exact=True).click()
    expect(page.get_by_label("max_num_seqs")).to_have_value("64")
    expect(page.get_by_label("Reason")).to_have_value("the fair")


def test_what_cannot_be_taken_is_told_beside_its_field(
    visit: Visit, chat: Deployment, *, javascript: bool
) -> None:
    page = visit("deployer", javascript=javascript)
    open_form(page, chat)
    page.get_by_label("max_model_len").fill("99999")
    page.get_by_role("button", name="Review").click()
    expect(page.get_by_role("alert")).to_contain_text("max_model_len: must be at most 32768")
    expect(page.get_by_label("max_model_len")).to_have_value("99999")
    assert revisions_of(chat) == [(1, "create")]


def test_the_second_of_two_changes_sees_the_first_and_loses_nothing(
    visit: Visit, cast: dict[str, User], chat: Deployment, *, javascript: bool
) -> None:
    page = visit("deployer", javascript=javascript)
    open_form(page, chat)
    page.get_by_label("max_model_len").fill("16384")
    page.get_by_role("button", name="Review").click()
    expect_review(page, "Change support-chat?")
    page.get_by_label("Reason").fill("shorter answers")
    change_by(cast["admin"], chat, overrides={"min_replicas": 1}, reason="the night")
    confirm(page, "Change it")
    expect(page.get_by_role("alert")).to_contain_text("Somebody changed it since you looked.")
    between = page.get_by_role("region", name="What changed since you looked")
    expect(between).to_contain_text("Revision 2 by ada")
    expect(between).to_contain_text("the night")
    expect(page.get_by_label("Reason")).to_have_value("shorter answers")
    confirmed(page, "Change it")
    third = chat.revisions.get(number=3)
    assert third.overrides == {"min_replicas": 1, "engine_args": {"max_model_len": "16384"}}


def test_a_rollback_takes_the_earlier_revision_up_again(
    visit: Visit, cast: dict[str, User], chat: Deployment, *, javascript: bool
) -> None:
    change_by(cast["deployer"], chat, overrides={"engine_args": {"max_model_len": "16384"}})
    page = visit("deployer", javascript=javascript)
    page.goto(f"/deployments/{chat.pk}/revisions")
    page.locator("#revision-1").get_by_role("link", name="Roll back to this").click()
    expect_review(page, "Roll support-chat back?")
    expect(page.locator(".intent")).to_contain_text("max_model_len 16384 → 32768")
    confirmed(page, "Roll back")
    wait_for_phase(page, "Ready", javascript=javascript)
    assert revisions_of(chat) == [(1, "create"), (2, "update"), (3, "rollback")]


def test_a_stop_ends_every_replica_and_a_start_brings_them_back(
    visit: Visit, chat: Deployment, *, javascript: bool
) -> None:
    page = visit("deployer", javascript=javascript)
    page.goto(f"/deployments/{chat.pk}")
    page.get_by_role("link", name="Stop", exact=True).click()
    expect_review(page, "Stop support-chat?")
    confirmed(page, "Stop it")
    wait_for_phase(page, "Stopped", javascript=javascript)
    page.reload()
    page.get_by_role("link", name="Start", exact=True).click()
    expect_review(page, "Start support-chat?")
    confirmed(page, "Start it")
    wait_for_phase(page, "Ready", javascript=javascript)
    expect(page.locator("#replicas-title ~ .quiet")).to_contain_text("2 ready of 2 wanted")


def test_two_revisions_are_chosen_and_compared(
    visit: Visit, cast: dict[str, User], chat: Deployment, *, javascript: bool
) -> None:
    change_by(cast["deployer"], chat, overrides={"engine_args": {"max_model_len": "16384"}})
    change_by(cast["deployer"], chat, overrides={"engine_args": {"max_model_len": "8192"}})
    page = visit("deployer", javascript=javascript)
    page.goto(f"/deployments/{chat.pk}/revisions")
    page.get_by_label("From").select_option("Revision 1")
    page.get_by_role("button", name="Compare").click()
    expect(page.locator(".intent")).to_contain_text("max_model_len 32768 → 8192")
    expect(page.locator(".diff del")).to_have_text([re.compile("--max-model-len=32768")])
    with page.expect_download() as started:
        page.get_by_role("link", name="All revisions").click()
        page.locator("#revision-1").get_by_role("link", name="Revision 1").click()
        page.get_by_role("link", name="Download").click()
    assert started.value.suggested_filename == f"{chat.runtime_name}-r1.yaml"


def test_a_newer_template_is_offered_from_both_sides(
    visit: Visit, chat: Deployment, *, javascript: bool
) -> None:
    newer_version(chat)
    page = visit("deployer", javascript=javascript)
    page.goto(f"/deployments/{chat.pk}")
    page.get_by_role("link", name="1.1.0 is available: what changes").click()
    expect(page.locator(".intent")).to_contain_text("max_model_len 32768 → 16384")
    page.get_by_role("link", name="Review this change").click()
    expect_review(page, "Change support-chat?")
    confirmed(page, "Change it")
    page.get_by_role("link", name="vllm-l40s 1.1.0").click()
    expect(page.locator("#runs")).to_contain_text("support-chat")
