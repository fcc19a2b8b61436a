"""Who walks through the pages, and the ways that several journeys take."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol
from urllib.parse import parse_qs, urlencode, urlsplit

from django.contrib.auth.models import User
from playwright.sync_api import Locator, Page, expect

from deployments.models import Deployment
from deployments.services.launching import create_deployment
from deployments.services.orders import read_order
from deployments.services.reading import read_deployment
from deployments.services.refreshing import refresh_cluster
from templates_app.selectors import find_model, find_template_by_name
from tests.cluster.waiting import wait_for

PASSWORD = "correct horse battery"
CAST = {
    "viewer": "victor",
    "deployer": "olga",
    "member": "mona",
    "curator": "kurt",
    "admin": "ada",
}
GROUPS = {"member": "deployer"}
EVERY_KIND = ["providers.kubernetes", "providers.stormservice", "providers.kserve"]
# A deployment whose pods have no node yet takes nothing of what is free.
_NOWHERE_YET = {"ApplyPending", "WaitingForController", "Starting"}
DETAIL = re.compile(r"/deployments/[0-9a-f-]{36}$")
PATIENCE = 120.0
# htmx listens to what it has swapped in only when none of these is left.
_HALF_SWAPPED = ".htmx-request, .htmx-swapping, .htmx-added, .htmx-settling"


class Visit(Protocol):
    """Opens a page of the console, signed in as a role of the cast, or as nobody."""

    def __call__(
        self,
        role: str = "",
        *,
        size: tuple[int, int] = ...,
        scheme: str = ...,
        javascript: bool = ...,
        bypass_csp: bool = ...,
    ) -> Page: ...


@contextmanager
def next_page(page: Page) -> Iterator[None]:
    """Do what leads to another page, or to the same one anew; afterwards all of it is there.

    What is on a page can be seen before htmx has been loaded, and until then nothing listens.
    """
    with page.expect_navigation():
        yield


def settled(page: Page) -> None:
    """Wait until a page is loaded, nothing of it is about to be swapped, and htmx listens."""
    page.wait_for_load_state()
    expect(page.locator(_HALF_SWAPPED)).to_have_count(0)


def seek(field: Locator, text: str, *, javascript: bool) -> None:
    """Type into a search field and press Enter; with JavaScript the typing itself asks as well."""
    page = field.page
    if not javascript:
        field.fill(text)
        with next_page(page):
            field.press("Enter")
        return
    acts: tuple[Callable[[], None], ...] = (lambda: field.fill(text), lambda: field.press("Enter"))
    for act in acts:
        with page.expect_response(lambda answer: _searches(answer.url, text)):
            act()
    settled(page)


def _searches(url: str, text: str) -> bool:
    return parse_qs(urlsplit(url).query).get("search") == [text]


def next_step(page: Page, name: str) -> None:
    """Press the button at the end of a step, and wait for the step of that name."""
    with next_page(page):
        page.locator(".wizard-bar").get_by_role("button", name=name).click()
    expect(page.locator(".steps [aria-current=step] b")).to_have_text(name)


def to_overrides(
    page: Page, *, model: str = "Mock", template: str = "mock-cpu", namespace: str = "playground"
) -> None:
    """Walk from the first step to the overrides."""
    page.goto(f"/launch?{urlencode({'search': model})}")
    choose(page, model)
    next_step(page, "Template")
    choose(page, template)
    next_step(page, "Place")
    choose(page, namespace)
    next_step(page, "Overrides")


def name_it(page: Page, name: str) -> None:
    page.get_by_role("textbox", name="Name").fill(name)


def launch(page: Page) -> None:
    """Press Launch on the review, and wait for the page of what was launched."""
    page.get_by_role("button", name="Launch").click()
    page.wait_for_url(DETAIL)


def phase(page: Page) -> Locator:
    """Return the word of the verdict on a deployment's page."""
    return page.locator(".verdict .sentence b").first


def wait_for_phase(page: Page, word: str, *, javascript: bool = True) -> None:
    """Wait until a deployment's page says so."""
    wait_to_be_told(phase(page), word, javascript=javascript)


def wait_to_be_told(place: Locator, text: str, *, javascript: bool) -> None:
    """Wait until a place holds a text: by itself, or by loading its page again."""
    if not javascript:
        wait_for(lambda: _is_told(place, text), PATIENCE, text, every=0.3)
    expect(place).to_contain_text(text)


def _is_told(place: Locator, text: str) -> bool:
    """Look once, and load the page again where it does not say so yet."""
    found = text in place.inner_text()
    if not found:
        place.page.reload()
    return found


def choose(page: Page, name: str) -> None:
    """Click the card or the option whose label begins with a name."""
    label = page.locator("label", has_text=re.compile(rf"^\s*{re.escape(name)}(\s|$)")).first
    label.click()
    expect(page.locator("#main").get_by_role("radio", name=re.compile(rf"^{name}"))).to_be_checked()


def launch_in_background(
    user: User,
    name: str,
    *,
    model: str = "mock",
    template: str = "mock-cpu",
    replicas: int = 1,
    kind: str = "",
) -> Deployment:
    """Launch without a browser, for journeys that are about what comes after."""
    found = find_template_by_name(find_model(model), template)
    body = {
        "name": name,
        "template": {"model_id": model, "template_id": str(found.pk)},
        "implementation": {"kind": kind},
        "target": {"cluster": "sandbox", "namespace": "playground"},
        "overrides": {"min_replicas": replicas},
    }
    made = create_deployment(read_order(body), user=user)
    wait_for(
        lambda: read_deployment(made).status.reason not in _NOWHERE_YET,
        PATIENCE,
        f"{name} is somewhere",
        every=0.1,
    )
    # As the worker does every few seconds: what is free counts what was just taken.
    refresh_cluster(made.cluster)
    return made
