"""Rolling back: a new revision with an old spec, and the replicas of today."""

import pytest
from django.contrib.auth.models import User

from deployments.exceptions import InvalidOrder
from deployments.models import AuditEntry, Deployment
from deployments.services.change_orders import read_rollback
from deployments.services.changing import preview_change
from providers.testing.memory.cluster import MemoryCluster
from templates_app.services import deprecate_template
from tests.unit.deployments.changed import Change, again, outcomes, workload
from tests.unit.deployments.conftest import Launch, MakeTemplate


def test_a_rollback_takes_the_old_spec_and_keeps_the_replicas_of_today(
    launch: Launch, change: Change, roll_back: Change, memory: MemoryCluster
) -> None:
    deployment = launch(overrides={"engine_args": {"max_model_len": "8192"}})
    change(deployment, overrides={"engine_args": {"max_model_len": "4096"}})
    change(deployment, overrides={"min_replicas": 3})

    roll_back(deployment, revision=1, reason="it was better")

    stored = again(deployment)
    assert stored.overrides == {"min_replicas": 3, "engine_args": {"max_model_len": "8192"}}
    latest = stored.revisions.get(number=4)
    assert (latest.verb, latest.restores, latest.reason) == ("rollback", 1, "it was better")
    assert outcomes(stored)[-1] == (4, "rollback", "applied")
    assert workload(memory)["spec"]["replicas"] == 3
    assert AuditEntry.objects.filter(action="deployment.rollback").count() == 2


def test_the_pods_after_a_rollback_are_those_of_the_old_revision(
    launch: Launch, change: Change, roll_back: Change
) -> None:
    deployment = launch(overrides={"engine_args": {"max_model_len": "8192"}})
    before = again(deployment).pod_digest
    change(deployment, overrides={"engine_args": {"max_model_len": "4096"}})

    roll_back(deployment, revision=1)

    assert again(deployment).pod_digest == before


def test_a_deprecated_version_is_rolled_back_to_as_it_was_stored(
    running: Deployment, change: Change, roll_back: Change, make_template: MakeTemplate
) -> None:
    old = running.template
    newer = make_template(version="1.1.0", engine={"image": "registry.example/mock:2"})
    change(running, template={"template_id": str(newer.pk)})
    deprecate_template(old, by=None)

    roll_back(running, revision=1)

    stored = again(running)
    assert (stored.template_id, stored.template_version) == (old.pk, "1.0.0")
    first, third = (stored.revisions.get(number=number) for number in (1, 3))
    assert (third.spec, third.source, third.serving_name) == (
        first.spec,
        first.source,
        first.serving_name,
    )


def test_replicas_of_today_that_the_old_template_means_otherwise_are_spelt_out(
    running: Deployment, change: Change, roll_back: Change, make_template: MakeTemplate
) -> None:
    scaling = {"min_replicas": 2, "max_replicas": 3, "enable_auto_scaling": True}
    newer = make_template(version="1.1.0", scaling_defaults=scaling)
    change(running, template={"template_id": str(newer.pk)}, overrides={"min_replicas": None})
    assert again(running).replicas_text == "2[3]"

    roll_back(running, revision=1)

    assert again(running).replicas_text == "2[3]"
    assert again(running).overrides == scaling


def test_what_is_stopped_stays_stopped_through_a_rollback(
    running: Deployment, change: Change, roll_back: Change, memory: MemoryCluster
) -> None:
    change(running, overrides={"engine_args": {"max_model_len": "4096"}})
    change(running, stopped=True)

    roll_back(running, revision=1)

    assert again(running).intent == "stopped"
    assert workload(memory)["spec"]["replicas"] == 0
    change(running, stopped=False)
    assert again(running).replicas_text == "2"


def test_a_rollback_to_what_is_wanted_already_makes_no_revision(
    running: Deployment, roll_back: Change
) -> None:
    assert not roll_back(running, revision=1).is_change
    assert again(running).revision == 1


def test_a_rollback_does_not_undo_a_redeployment(
    running: Deployment, change: Change, roll_back: Change
) -> None:
    change(running, redeploy=True)

    assert not roll_back(running, revision=1).is_change


def test_a_revision_that_there_is_not_is_named_with_those_that_there_are(
    running: Deployment, roll_back: Change
) -> None:
    with pytest.raises(InvalidOrder, match="there is no revision 7; there are 1") as refusal:
        roll_back(running, revision=7)

    assert list(refusal.value.fields) == ["revision"]


def test_the_review_of_a_rollback_says_what_differs(
    launch: Launch, change: Change, owner: User
) -> None:
    deployment = launch(overrides={"engine_args": {"max_model_len": "8192"}})
    change(deployment, overrides={"engine_args": {"max_model_len": "4096"}})

    shown = preview_change(read_rollback({"revision": 1}), deployment=deployment, user=owner)

    told = [(word.field, word.before, word.after) for word in shown.comparison.words]
    assert told == [("engine_args.max_model_len", "4096", "8192")]
    assert shown.effects.restarts == 1
