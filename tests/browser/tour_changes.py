"""The part of the walk that leads through revisions and changes of one deployment."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib.auth.models import User
from django.test import override_settings
from playwright.sync_api import Page

from providers import registry
from tests.browser.cast import EVERY_KIND, launch_in_background, next_page
from tests.browser.changing import change_by, confirm, newer_version

Stop = tuple[str, Page]


def change_pages(page: Page, cast: dict[str, User]) -> Iterator[Stop]:
    """Open every page about what is or was wanted otherwise; nothing of it is confirmed."""
    made = launch_in_background(
        cast["deployer"], "letter-writer", model="qwen3-8b", template="vllm-l40s"
    )
    here = f"/deployments/{made.pk}"
    page.goto(f"{here}/change")
    yield "change", page
    page.goto(f"{here}/change/review?base=1&min_replicas=many")
    yield "change-wrong", page
    page.goto(f"{here}/change/review?base=1&arg.max_model_len=16384")
    yield "change-review", page
    change_by(cast["deployer"], made, overrides={"engine_args": {"max_num_seqs": "64"}}, reason="x")
    with next_page(page):
        confirm(page, "Change it")
    yield "change-conflict", page
    page.goto(f"{here}/change/review?base=2&stopped=true")
    yield "change-stop", page
    page.goto(f"{here}/change/review?base=2&rollback=7")
    yield "change-dead-end", page
    page.goto(f"{here}/revisions")
    yield "revisions", page
    page.goto(f"{here}/revisions/2")
    yield "revision", page
    page.goto(f"{here}/compare?from=1&to=2")
    yield "comparison", page
    with _every_kind():
        page.goto(f"{here}/elsewhere")
        yield "elsewhere", page
    newer = newer_version(made)
    page.goto(f"{here}/newer/{newer.pk}")
    yield "newer", page
    page.goto(f"/models/{newer.model_id}/templates/{newer.pk}")
    page.locator("#runs summary").first.click()
    yield "template-runs", page


@contextmanager
def _every_kind() -> Iterator[None]:
    """Register every implementation, none of whose controllers the cluster of the walk has."""
    with override_settings(SLIPWAY_PROVIDERS=EVERY_KIND):
        registry.forget()
        yield
    registry.forget()
