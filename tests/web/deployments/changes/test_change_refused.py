"""A change that is not carried out: why is said, what came in between is shown, nothing is lost."""

import re
from typing import Any

import pytest
from django.test import Client

from deployments.models import Deployment
from providers.contract.errors import Rejected, Unavailable
from providers.testing.memory.cluster import MemoryCluster
from templates_app.models import ModelDeploymentTemplate
from tests.web.deployments.changes.forms import (
    again,
    change_by,
    confirm,
    form,
    page_of,
    plain,
    review,
    value_of,
)


def test_a_later_change_of_somebody_else_is_shown_and_nothing_is_lost(
    owner: Client, deployment: Deployment, person: Any
) -> None:
    page = page_of(owner, review(deployment, base=1, **{"arg.max_model_len": 16384}))
    change_by(person("ada", "admin"), deployment, overrides={"min_replicas": 3}, reason="the fair")

    answer = confirm(owner, page, reason="longer answers")

    assert answer.status_code == 409
    told = answer.content.decode()
    said = plain(told)
    assert "Nothing was changed. Somebody changed it since you looked." in said
    assert re.search(r"Revision 2 by ada, \d+ s ago : the fair", said)
    assert "<dt>Replicas</dt>" in told
    assert "max_model_len 8192 → 16384" in said  # on top of what ada wants
    assert "Replicas" not in said.partition("What is wanted otherwise")[2].partition("Checks")[0]
    assert 'value="longer answers"' in told

    assert confirm(owner, told).status_code == 302
    assert again(deployment).revisions.get(number=3).overrides == {
        "min_replicas": 3,
        "engine_args": {"max_model_len": "16384"},
    }


@pytest.mark.parametrize("base", [0, 1, 2])
def test_what_is_confirmed_twice_is_done_once(
    owner: Client, deployment: Deployment, newer: ModelDeploymentTemplate, person: Any, base: int
) -> None:
    change_by(person("ada", "admin"), deployment, overrides={"min_replicas": 3})
    sent = {
        "base": base,
        "template": newer.pk,
        "min_replicas": 4,
        "arg.max_model_len": 8000,
    }
    answer = owner.get(review(deployment, **sent))  # 409, and reviewed anew, for what ada changed
    page = answer.content.decode()

    assert [confirm(owner, page).status_code for _ in range(2)] == [302, 302]
    assert again(deployment).revision == 3


def test_a_form_of_an_earlier_revision_says_so_before_its_review(
    owner: Client, deployment: Deployment, person: Any
) -> None:
    change_by(person("ada", "admin"), deployment, overrides={"min_replicas": 3})
    sent = {
        "base": 1,
        "shown": deployment.template_id,
        "min_replicas": 2,
        "arg.max_model_len": 4096,
    }

    for path in (review(deployment, **sent), form(deployment, **sent)):
        said = plain(page_of(owner, path, 409))
        assert "Somebody changed it since you looked." in said
    page = page_of(owner, form(deployment, **sent), 409)
    assert value_of(page, "min_replicas") == "3"  # ada's: it was not touched here
    assert value_of(page, "arg.max_model_len") == "4096"
    assert 'name="base" value="2"' in page


def test_what_the_cluster_refuses_is_said_and_changes_nothing(
    owner: Client, deployment: Deployment, runtime: MemoryCluster
) -> None:
    page = page_of(owner, review(deployment, base=1, **{"arg.max_model_len": 16384}))
    runtime.faults["update"] = Rejected("admission says no", code="AdmissionDenied")

    answer = confirm(owner, page, reason="longer answers")
    assert answer.status_code == 422
    said = plain(answer.content.decode())
    assert "Nothing was changed." in said
    assert "admission says no" in said
    assert 'value="longer answers"' in answer.content.decode()


def test_a_silent_cluster_is_told_in_the_review(
    owner: Client, deployment: Deployment, runtime: MemoryCluster
) -> None:
    runtime.faults["*"] = Unavailable("it is gone")

    assert "It is gone." in plain(page_of(owner, review(deployment, base=1, min_replicas=3)))


def test_a_form_that_is_none_of_a_review_changes_nothing(
    owner: Client, deployment: Deployment
) -> None:
    for body in ({}, {"change": "made-up"}):
        assert owner.post(review(deployment, base=1, min_replicas=3), body).status_code in {
            400,
            422,
        }
    assert again(deployment).revision == 1


def test_a_warning_that_was_shown_has_to_be_ticked(owner: Client, deployment: Deployment) -> None:
    page = page_of(owner, review(deployment, base=1, min_replicas=3))

    answer = confirm(owner, page, warned=["some-key"])
    assert answer.status_code == 422
    assert "Tick every warning" in answer.content.decode()
    assert again(deployment).revision == 1


def test_a_reason_that_is_too_long_is_named_marked_and_kept(
    owner: Client, deployment: Deployment
) -> None:
    page = page_of(owner, review(deployment, base=1, min_replicas=3))

    answer = confirm(owner, page, reason="x" * 2001)
    told = answer.content.decode()
    assert answer.status_code == 422
    assert '<a href="#reason">Reason</a>: must have at most 2000 characters.' in told
    assert '<p class="error" id="reason-error">Must have at most 2000 characters.</p>' in told
    assert 'value="' + "x" * 2001 in told
    assert again(deployment).revision == 1
