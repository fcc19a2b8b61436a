"""A review says in words what a stored comparison will say afterwards."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User

from deployments.diffing.words import sentences
from deployments.models import Deployment
from deployments.services.change_orders import read_change
from deployments.services.changing import change_deployment, preview_change
from deployments.services.comparing import compare_revisions

Launch = Callable[..., Deployment]
STOP = ({"stopped": True}, ("Runs → stopped",))
SCALE = ({"overrides": {"min_replicas": 3}}, ("Replicas: 1 → 3",))
REDEPLOY = ({"redeploy": True}, ("Every pod is restarted",))


@pytest.mark.parametrize(("body", "expected"), [STOP, SCALE, REDEPLOY])
def test_the_review_and_the_revisions_say_the_same(
    launch: Launch, owner: User, body: dict[str, object], expected: tuple[str, ...]
) -> None:
    deployment = launch()
    order = read_change(body)

    preview = preview_change(order, deployment=deployment, user=owner)
    change_deployment(order, deployment=deployment, user=owner)

    first, second = deployment.revisions.select_related("template").order_by("number")
    assert sentences(preview.comparison.words) == expected
    assert sentences(compare_revisions(first, second).words) == expected


def test_a_start_says_that_it_runs_again(launch: Launch, owner: User) -> None:
    deployment = launch(overrides={"min_replicas": 2})
    change_deployment(read_change({"stopped": True}), deployment=deployment, user=owner)

    preview = preview_change(read_change({"stopped": False}), deployment=deployment, user=owner)

    assert sentences(preview.comparison.words) == ("Stopped → runs", "Replicas: 0 → 2")
