"""What journeys through changes have in common: what others did, and the review's own buttons."""

from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from deployments.models import Deployment
from deployments.services.change_orders import read_change
from deployments.services.changing import change_deployment
from templates_app import services
from templates_app.entries import parse_template
from templates_app.models import ModelDeploymentTemplate
from tests.browser.cast import DETAIL

ASK_AGAIN = "document.dispatchEvent(new Event('visibilitychange'))"
"""What lets a page ask again at once, as when somebody comes back to it."""


def change_by(user: User, deployment: Deployment, **body: object) -> None:
    """Change a deployment without a browser, as somebody else would meanwhile."""
    change_deployment(read_change(body), deployment=deployment, user=user)


def newer_version(deployment: Deployment) -> ModelDeploymentTemplate:
    """Add the next version of a deployment's template: half the context."""
    old = deployment.template
    arguments = {**old.spec.get("engine_args", {}), "max_model_len": "16384"}
    spec = {**old.spec, "engine_args": arguments}
    entry = parse_template(name=old.name, version="1.1.0", spec=spec)
    made = services.create_template(old.model, entry, by=None)
    return services.activate_template(made, by=None)


def confirm(page: Page, button: str) -> None:
    """Tick what the review asks to be read, and press its button."""
    page.wait_for_load_state()
    for box in page.get_by_role("checkbox").all():
        box.check()
    page.get_by_role("button", name=button, exact=True).click()


def confirmed(page: Page, button: str) -> None:
    """Confirm a review, and wait for the page of the deployment."""
    confirm(page, button)
    page.wait_for_url(DETAIL)


def expect_review(page: Page, heading: str) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text(heading)
    expect(page.get_by_role("heading", name="What happens to what runs")).to_be_visible()
