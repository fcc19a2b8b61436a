"""The form of a change: what it holds, what is wrong with it, whom it is for; nothing is lost."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from deployments.models import Deployment
from deployments.services.deleting import delete_deployment
from providers.contract.errors import InvalidRequest
from providers.testing.memory.provider import MemoryProvider
from templates_app.models import ModelDeploymentTemplate
from tests.web.deployments.changes.forms import (
    again,
    confirm,
    form,
    page_of,
    plain,
    review,
    value_of,
)


def test_the_form_holds_what_is_wanted_now_and_says_what_the_template_has(
    owner: Client, deployment: Deployment
) -> None:
    page = page_of(owner, form(deployment))

    assert value_of(page, "min_replicas") == "2"
    assert value_of(page, "arg.max_model_len") == "8192"
    assert "At most 4; the template has 1." in plain(page)
    assert 'name="region"' not in page


def test_a_form_that_is_sent_as_it_is_changes_nothing(
    owner: Client, deployment: Deployment
) -> None:
    sent = {
        "base": 1,
        "shown": deployment.template_id,
        "template": deployment.template_id,
        "min_replicas": 2,
        "max_replicas": "",
        "enable_auto_scaling": "false",
        "arg.max_model_len": 8192,
        "rollout": "auto",
    }
    said = plain(page_of(owner, review(deployment, **sent)))

    assert "Nothing: it is already so." in said
    assert "There is nothing to do." in said


def test_the_templates_own_value_takes_an_override_back(
    owner: Client, deployment: Deployment
) -> None:
    page = page_of(owner, review(deployment, base=1, min_replicas=1))
    confirm(owner, page)

    assert again(deployment).revisions.get(number=2).overrides == {}


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("min_replicas", "many", "must be a whole number."),
        ("min_replicas", "9", "must be at most 4; 9 was given."),
        (
            "arg.max_model_len",
            "99999",
            "must be at most 32768; 99999 was given.",
        ),
    ],
)
def test_what_is_wrong_is_said_beside_its_field_and_kept(
    owner: Client, deployment: Deployment, name: str, text: str, fault: str
) -> None:
    answer = owner.get(review(deployment, base=1, **{name: text}))
    assert answer.status_code == 302

    page = page_of(owner, answer["Location"], 422)
    assert f"</a>: {fault}" in page
    assert value_of(page, name) == text
    assert 'aria-invalid="true"' in page


def test_every_field_at_fault_is_named_above_the_form(
    owner: Client, deployment: Deployment
) -> None:
    wrong = {"min_replicas": 9, "arg.max_model_len": 99999}
    page = page_of(owner, form(deployment, base=1, back=1, **wrong), 422)

    named = re.findall(r'<li><a href="#([^"]+)">([^<]+)</a>: must be at most', page)
    assert named == [
        ("field-min_replicas", "Replicas, at least"),
        ("field-arg-max_model_len", "max_model_len"),
    ]


def test_what_the_engine_or_the_kind_would_refuse_is_said_as_at_a_launch(
    owner: Client, deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise InvalidRequest.of("engine_args.max_model_len", "is more than this kind can tell")

    wrong = {"arg.max_model_len": "-5"}
    page = page_of(owner, form(deployment, base=1, back=1, **wrong), 422)
    assert value_of(page, "arg.max_model_len") == "-5"
    assert 'href="#field-arg-max_model_len"' in page
    assert "Must be above 0; -5 was given." in plain(page)

    monkeypatch.setattr(MemoryProvider, "validate", refuse)
    fits = {"arg.max_model_len": "4096"}
    page = page_of(owner, form(deployment, base=1, back=1, **fits), 422)
    assert "is more than this kind can tell" in plain(page)


def test_another_template_shows_its_own_fields_and_keeps_overrides(
    owner: Client, deployment: Deployment, newer: ModelDeploymentTemplate
) -> None:
    sent = {
        "base": 1,
        "shown": deployment.template_id,
        "template": newer.pk,
        "min_replicas": 3,
        "arg.max_model_len": 8192,
    }
    page = page_of(owner, form(deployment, **sent))

    assert value_of(page, "min_replicas") == "3"  # entered
    assert value_of(page, "arg.max_model_len") == "16384"  # the newer template's own


def test_a_value_that_nobody_touched_does_not_become_an_override_of_another_template(
    owner: Client, deployment: Deployment, newer: ModelDeploymentTemplate
) -> None:
    sent = {
        "base": 1,
        "shown": deployment.template_id,
        "template": newer.pk,
        "min_replicas": 2,
        "arg.max_model_len": 8192,
    }
    page = page_of(owner, review(deployment, **sent))
    assert "max_model_len 8192 → 16384" in plain(page)
    confirm(owner, page)

    changed = again(deployment)
    assert (changed.template_version, changed.overrides) == ("1.1.0", {"min_replicas": 2})


def test_who_may_not_change_it_is_told_so_and_offered_nothing(
    viewer: Client, member: Client, stranger: Client, deployment: Deployment
) -> None:
    for path in (form(deployment), review(deployment, stopped="true")):
        assert viewer.get(path).status_code == 403
        assert member.get(path).status_code == 403
        assert stranger.get(path).status_code == 404
        assert member.post(path).status_code in {403, 405}
    for client in (viewer, member):
        for tab in ("", "/revisions"):
            page = page_of(client, f"/deployments/{deployment.pk}{tab}")
            assert f"{deployment.pk}/change" not in page
    assert again(deployment).revision == 1


def test_what_has_ended_offers_no_change(owner: Client, deployment: Deployment) -> None:
    delete_deployment(deployment, user=User.objects.get(username="olga"))

    assert f"{deployment.pk}/change" not in page_of(owner, f"/deployments/{deployment.pk}")
    for path in (form(deployment), review(deployment, stopped="true")):
        assert owner.get(path)["Location"] == f"/deployments/{deployment.pk}"
    assert owner.post(review(deployment, stopped="true"))["Location"].endswith(str(deployment.pk))


def test_a_revision_that_there_is_not_is_not_found(owner: Client, deployment: Deployment) -> None:
    assert owner.get(review(deployment, base=7)).status_code == 404


def test_a_template_that_is_gone_leads_back_to_its_field_and_nothing_is_lost(
    owner: Client, deployment: Deployment, newer: ModelDeploymentTemplate
) -> None:
    asked = {"base": 1, "template": newer.pk, "shown": newer.pk, "min_replicas": 3}
    page = page_of(owner, review(deployment, **asked))
    newer.delete()

    answer = confirm(owner, page, reason="longer answers")
    told = page_of(owner, answer["Location"], 422)
    assert '<a href="#field-template">Template</a>: the chosen one is there no more' in told
    assert "The chosen one is there no more; choose another." in told
    assert value_of(told, "min_replicas") == "3"
    assert 'value="longer answers"' in told
    assert again(deployment).revision == 1


def test_hostile_text_stays_text(owner: Client, deployment: Deployment) -> None:
    page = page_of(owner, form(deployment, base=1, min_replicas='"><script>', reason="<b>x"))

    assert "<script>alert" not in page
    assert '"><script>' not in page
    assert "&lt;b&gt;x" in page
