"""The way back from a review of a change: nothing is done, and no reason has to be typed again."""

import pytest
from django.test import Client

from deployments.models import Deployment
from tests.web.deployments.revised import add_revision

WHY = "the night begins"
STOP, ROLLBACK = "base=1&stopped=true", "base=2&rollback=1"


def review(deployment: Deployment, query: str) -> str:
    return f"/deployments/{deployment.pk}/change/review?{query}"


def leave(client: Client, deployment: Deployment, query: str) -> str:
    """Type a reason on a review and go back; return where that leads."""
    sent = {"reason": WHY, "leave": "on", "change": "a-token"}
    answer = client.post(review(deployment, query), sent)
    assert answer.status_code == 302
    return answer.headers["Location"]


def shown(client: Client, path: str) -> str:
    return client.get(path).content.decode()


def test_of_a_stop_the_reason_is_there_when_it_is_reviewed_again(
    owner: Client, deployment: Deployment
) -> None:
    assert leave(owner, deployment, STOP) == f"/deployments/{deployment.pk}"
    assert f'value="{WHY}"' in shown(owner, review(deployment, STOP))
    assert Deployment.objects.get().revision == 1


def test_of_a_rollback_it_is_there_too(owner: Client, deployment: Deployment) -> None:
    add_revision(deployment, serving_name="another")
    assert leave(owner, deployment, ROLLBACK) == f"/deployments/{deployment.pk}/revisions"
    assert f'value="{WHY}"' in shown(owner, review(deployment, ROLLBACK))


def test_a_change_takes_it_back_to_its_form(owner: Client, deployment: Deployment) -> None:
    back = leave(owner, deployment, "base=1&min_replicas=3")
    assert back.startswith(f"/deployments/{deployment.pk}/change?")
    page = shown(owner, back)
    assert f'value="{WHY}"' in page
    assert 'name="min_replicas" value="3"' in page


def test_one_too_long_for_an_address_comes_back_on_the_review(
    owner: Client, deployment: Deployment
) -> None:
    sent = {"reason": "長" * 2000, "leave": "on", "change": "a-token"}
    query = "base=1&min_replicas=3"
    back = owner.post(review(deployment, query), sent).headers["Location"]
    assert len(back) < 400
    assert sent["reason"] in shown(owner, review(deployment, query))


@pytest.mark.parametrize("other", ["base=1&redeploy=true", "base=1&min_replicas=3"])
def test_it_is_no_reason_for_anything_else(
    owner: Client, deployment: Deployment, other: str
) -> None:
    leave(owner, deployment, STOP)
    assert WHY not in shown(owner, review(deployment, other))


def test_it_is_nobody_else_s(owner: Client, admin: Client, deployment: Deployment) -> None:
    leave(owner, deployment, STOP)
    assert WHY not in shown(admin, review(deployment, STOP))


def test_what_was_done_needs_it_no_more(owner: Client, deployment: Deployment) -> None:
    leave(owner, deployment, STOP)
    page = shown(owner, review(deployment, STOP))
    token = page.partition('name="change" value="')[2].partition('"')[0]
    ticked = {"change": token, "reason": WHY}
    assert owner.post(review(deployment, STOP), ticked).status_code == 302
    assert Deployment.objects.get().intent == "stopped"
    assert WHY not in shown(owner, review(deployment, "base=2&stopped=true"))
