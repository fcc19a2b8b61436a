"""Who may launch: deployers and above; viewers are told, strangers find nothing."""

import pytest
from django.test import Client

from deployments.models import Deployment
from tests.web.launch.flow import STEPS, Flow

ROLES = {"viewer": 403, "stranger": 404, "member": 200, "curator": 200, "admin": 200}


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("role", ROLES)
def test_each_step_is_open_to_who_may_launch(
    flow: Flow, role: str, step: str, request: pytest.FixtureRequest
) -> None:
    client: Client = request.getfixturevalue(role)
    answer = Flow(client=client, entered=flow.entered).get(step)
    assert answer.status_code == ROLES[role]


@pytest.mark.parametrize(("role", "status"), [("viewer", 403), ("stranger", 404)])
def test_nobody_else_launches_with_a_form_of_their_own(
    flow: Flow, role: str, status: int, request: pytest.FixtureRequest
) -> None:
    form = flow.review()
    client: Client = request.getfixturevalue(role)
    assert Flow(client=client, entered=flow.entered).post(form).status_code == status
    assert Deployment.objects.count() == 0


def test_a_viewer_is_told_what_to_ask_for(viewer: Client) -> None:
    page = viewer.get("/launch").content.decode()
    assert "ask an admin for the role deployer" in page


def test_nobody_is_sent_to_sign_in_and_back(anonymous: Client) -> None:
    answer = anonymous.get("/launch/template?model=qwen3-8b")
    assert answer.status_code == 302
    assert answer.headers["Location"] == "/sign-in?next=/launch/template%3Fmodel%3Dqwen3-8b"


def test_the_navigation_offers_a_launch_to_who_may(viewer: Client, owner: Client) -> None:
    assert 'href="/launch"' in owner.get("/deployments").content.decode()
    assert 'href="/launch"' not in viewer.get("/deployments").content.decode()


def test_a_post_without_a_csrf_token_is_refused(flow: Flow) -> None:
    form = flow.review()
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = flow.client.cookies
    answer = Flow(client=strict, entered=flow.entered).post(form)
    assert answer.status_code == 403
    assert Deployment.objects.count() == 0
