"""The review of each kind of change, and the deed that follows it."""

from typing import Any

from django.test import Client

from deployments.models import AuditEntry, Deployment
from tests.web.deployments.changes.forms import again, change_by, confirm, page_of, plain, review


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


def test_a_rollback_to_nothing_says_what_there_is(owner: Client, deployment: Deployment) -> None:
    said = plain(page_of(owner, review(deployment, base=1, rollback=7), 422))

    assert "Nothing was rolled back. There is no revision 7; there are 1." in said
