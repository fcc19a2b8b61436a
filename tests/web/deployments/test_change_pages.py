"""Changing a deployment on pages: the form, the review, the deed; nothing entered is ever lost."""

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import pytest
from django.contrib.auth.models import User
from django.test import Client

from deployments.models import AuditEntry, Deployment
from deployments.services.change_orders import read_change
from deployments.services.changing import change_deployment
from deployments.services.deleting import delete_deployment
from providers.contract.errors import Rejected, Unavailable
from providers.testing.memory.cluster import MemoryCluster
from providers.testing.samples import spec_with
from templates_app import services
from templates_app.entries import parse_template
from templates_app.models import ModelDeploymentTemplate

Launch = Callable[..., Deployment]
OPEN = {"min_replicas": {"max": 4}, "engine_args.max_model_len": {"max": 32768}}


@pytest.fixture
def template(template: ModelDeploymentTemplate) -> ModelDeploymentTemplate:
    """The template of the cast, with an argument to override."""
    spec = {**template.spec, "engine_args": {"max_model_len": "8192"}, "overridable": OPEN}
    ModelDeploymentTemplate.objects.filter(pk=template.pk).update(spec=spec)
    template.refresh_from_db()
    return template


@pytest.fixture
def newer(template: ModelDeploymentTemplate) -> ModelDeploymentTemplate:
    spec = spec_with(engine_args={"max_model_len": "16384"}, overridable=OPEN)
    entry = parse_template(name="mock", version="1.1.0", spec=spec)
    made = services.create_template(template.model, entry, by=None)
    return services.activate_template(made, by=None)


def form(deployment: Deployment, **query: object) -> str:
    return f"/deployments/{deployment.pk}/change?{urlencode(query)}"


def review(deployment: Deployment, **query: object) -> str:
    return f"/deployments/{deployment.pk}/change/review?{urlencode(query)}"


def page_of(client: Client, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status, answer.content.decode()
    return answer.content.decode()


def plain(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def value_of(page: str, name: str) -> str:
    found = re.search(rf'<input class="input"[^>]* name="{re.escape(name)}" value="([^"]*)"', page)
    assert found, name
    return found[1]


def token_of(page: str) -> str:
    found = re.search(r'name="change" value="([^"]+)"', page)
    assert found
    return found[1]


def action_of(page: str) -> str:
    found = re.search(r'id="change-form" method="post" action="([^"]+)"', page)
    assert found
    return found[1].replace("&amp;", "&")


def confirm(client: Client, page: str, **body: Any) -> Any:
    return client.post(action_of(page), {"change": token_of(page), **body})


def again(deployment: Deployment) -> Deployment:
    return Deployment.objects.get(pk=deployment.pk)


def change_by(person: User, deployment: Deployment, **body: object) -> None:
    change_deployment(read_change(body), deployment=deployment, user=person)


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


def test_a_review_says_what_is_wanted_otherwise_what_happens_and_which_lines_differ(
    owner: Client, deployment: Deployment
) -> None:
    page = page_of(owner, review(deployment, base=1, **{"arg.max_model_len": 16384}))

    said = plain(page)
    assert "max_model_len 8192 → 16384" in said
    assert "Both running replicas restart." in said
    assert '<ins class="line"' in page


def test_a_change_that_is_confirmed_is_the_next_revision(
    owner: Client, deployment: Deployment
) -> None:
    page = page_of(owner, review(deployment, base=1, **{"arg.max_model_len": 16384}))
    answer = confirm(owner, page, reason="longer answers")

    assert (answer.status_code, answer["Location"]) == (302, f"/deployments/{deployment.pk}")
    revision = again(deployment).revisions.get(number=2)
    assert revision.overrides == {"min_replicas": 2, "engine_args": {"max_model_len": "16384"}}
    assert (revision.reason, revision.author_name) == ("longer answers", "olga")
    assert AuditEntry.objects.filter(action="deployment.update", source="page").exists()


def test_scaling_from_the_overview_says_that_nothing_restarts(
    owner: Client, deployment: Deployment
) -> None:
    overview = page_of(owner, f"/deployments/{deployment.pk}")
    assert 'href="#scale"' in overview
    assert 'id="scale"' in overview
    sent = {"base": 1, "min_replicas": 1, "enable_auto_scaling": "true", "max_replicas": 3}

    said = plain(page_of(owner, review(deployment, **sent)))
    assert "Replicas 2 → 1 to 3, autoscaled on cpu" in said
    assert "No pod restarts" in said


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


def test_a_stop_and_a_start_have_a_review_each(owner: Client, deployment: Deployment) -> None:
    page = page_of(owner, review(deployment, base=1, stopped="true"))
    assert "Both replicas end; nobody is answered until it is started again." in plain(page)
    confirm(owner, page, reason="the night")
    assert again(deployment).intent == "stopped"

    overview = page_of(owner, f"/deployments/{deployment.pk}")
    assert "stopped=false" in overview
    assert 'id="scale"' not in overview
    page = page_of(owner, review(deployment, base=2, stopped="false"))
    assert "State stopped → runs" in plain(page)
    confirm(owner, page)
    assert (again(deployment).intent, again(deployment).min_replicas) == ("running", 2)


def test_a_redeployment_says_that_pods_restart(owner: Client, deployment: Deployment) -> None:
    page = page_of(owner, review(deployment, base=1, redeploy="true"))
    assert "Both running replicas restart." in plain(page)
    confirm(owner, page)

    assert again(deployment).revisions.get(number=2).verb == "redeploy"


def test_a_rollback_takes_up_an_earlier_revision_with_the_replicas_of_today(
    owner: Client, deployment: Deployment, person: Any
) -> None:
    changed = {"min_replicas": 3, "engine_args": {"max_model_len": "16384"}}
    change_by(person("ada", "admin"), deployment, overrides=changed)
    assert "rollback=1" in page_of(owner, f"/deployments/{deployment.pk}/revisions")

    page = page_of(owner, review(deployment, base=2, rollback=1))
    said = plain(page)
    assert "as in revision 1, with the replicas of today" in said
    assert "max_model_len 16384 → 8192" in said
    confirm(owner, page)
    revision = again(deployment).revisions.get(number=3)
    assert (revision.restores, revision.scaling["min_replicas"]) == (1, 3)


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


def test_a_rollback_to_nothing_says_what_there_is(owner: Client, deployment: Deployment) -> None:
    said = plain(page_of(owner, review(deployment, base=1, rollback=7), 422))

    assert "Nothing was rolled back. There is no revision 7; there are 1." in said


def test_hostile_text_stays_text(owner: Client, deployment: Deployment) -> None:
    page = page_of(owner, form(deployment, base=1, min_replicas='"><script>', reason="<b>x"))

    assert "<script>alert" not in page
    assert '"><script>' not in page
    assert "&lt;b&gt;x" in page


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
