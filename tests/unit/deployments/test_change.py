"""Changing what runs: the next revision, what it keeps, and what stands against it."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.db import models

from deployments.change_errors import DeletionAsked, RevisionConflict
from deployments.exceptions import (
    InvalidOrder,
    NotAllowed,
    RecordClosed,
    TemplateInactive,
)
from deployments.models import AuditEntry, Cluster, Deployment, Operation, Revision
from deployments.services.change_orders import read_change
from deployments.services.changing import change_deployment
from deployments.services.clusters import target_of
from deployments.services.deleting import delete_deployment
from deployments.services.refreshing import refresh_cluster
from deployments.services.refs import request_of
from providers import registry
from providers.contract.errors import Unavailable
from providers.testing.memory.cluster import MemoryCluster
from templates_app.models import ModelDeploymentTemplate
from templates_app.services import deprecate_template
from tests.unit.deployments.changed import Change, Preview, again, outcomes, workload

Launch = Callable[..., Deployment]
MakeTemplate = Callable[..., ModelDeploymentTemplate]


def test_a_change_is_the_next_revision_and_is_applied(
    running: Deployment, change: Change, memory: MemoryCluster, owner: User
) -> None:
    changed = change(running, overrides={"min_replicas": 3}, reason="more of it")

    assert changed.is_change
    stored = again(running)
    assert (stored.revision, stored.applied_revision) == (2, 2)
    assert (stored.phase, stored.reason) == ("Scaling", "WaitingForController")
    assert stored.replicas_text == "3"
    assert stored.lease_until is None
    assert outcomes(stored) == [(1, "create", "applied"), (2, "update", "applied")]
    assert workload(memory)["spec"]["replicas"] == 3
    told = AuditEntry.objects.filter(action="deployment.update").order_by("id")
    assert [(row.outcome, row.actor_name, row.reason) for row in told] == [
        ("accepted", "olga", "more of it"),
        ("succeeded", "olga", ""),
    ]
    assert told[0].before == {"overrides": {"min_replicas": 2}, "revision": 1}
    assert told[0].after == {"overrides": {"min_replicas": 3}, "revision": 2}


@pytest.mark.parametrize(
    "body",
    [
        {"overrides": {"min_replicas": 3, "max_replicas": 4, "enable_auto_scaling": True}},
        {"overrides": {"engine_args": {"max_model_len": "4096"}, "rollout": "recreate"}},
        {"stopped": True},
        {"redeploy": True},
    ],
)
def test_a_stored_change_is_rendered_again_as_it_was(
    running: Deployment, change: Change, body: dict[str, object]
) -> None:
    """What a pass finishes is exactly what was stored and shown."""
    change(running, **body)

    deployment = again(running)
    stored = deployment.revisions.get(number=2)
    target, provider = target_of(deployment.cluster), registry.get(deployment.kind)
    rendered = provider.render(request_of(deployment, stored), target)
    assert list(rendered) == stored.manifests


def test_overrides_are_merged_and_null_takes_one_back(
    launch: Launch, change: Change, cluster: Cluster
) -> None:
    args = {"max_model_len": "8192"}
    deployment = launch(overrides={"min_replicas": 2, "max_replicas": 4, "engine_args": args})

    change(deployment, overrides={"min_replicas": None, "engine_args": {"max_model_len": "4096"}})

    stored = again(deployment)
    assert stored.overrides == {"max_replicas": 4, "engine_args": {"max_model_len": "4096"}}
    change(stored, overrides={"engine_args": {"max_model_len": None}})
    assert again(deployment).overrides == {"max_replicas": 4}


def test_all_engine_arguments_are_taken_back_at_once(launch: Launch, change: Change) -> None:
    deployment = launch(overrides={"engine_args": {"max_model_len": "8192"}})

    change(deployment, overrides={"engine_args": None})

    assert again(deployment).overrides == {}


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"overrides": {"max_replicas": 9, "enable_auto_scaling": True}}, "overrides.max_replicas"),
        ({"overrides": {"min_replica": None}}, "overrides.min_replica"),
        ({"overrides": {"min_replica": 2}}, "overrides.min_replica"),
        ({"overrides": {"min_replicas": "2"}}, "overrides.min_replicas"),
        ({"overrides": {"engine_args": {"dtype": "half"}}}, "overrides.engine_args.dtype"),
        ({"overrides": {"model_version": "v9"}}, "overrides.model_version"),
        ({"overrides": {"enable_auto_scaling": True}}, "overrides.max_replicas"),
        ({"stopped": "yes"}, "stopped"),
        ({"stopped": False, "overrides": {"min_replicas": 0}}, "overrides.min_replicas"),
        ({"stopped": True, "redeploy": True}, "redeploy"),
        ({"replicas": 3}, "replicas"),
        ({"template": {"template_id": "nobody"}}, "template.template_id"),
        ({"change": "made up"}, "change"),
    ],
)
def test_what_is_wrong_is_named_and_changes_nothing(
    running: Deployment, change: Change, body: dict[str, object], field: str
) -> None:
    with pytest.raises(InvalidOrder) as refusal:
        change(running, **body)

    assert list(refusal.value.fields) == [field]
    assert outcomes(again(running)) == [(1, "create", "applied")]


def test_nothing_to_change_makes_no_revision(
    running: Deployment, change: Change, preview: Preview
) -> None:
    shown = preview(running, overrides={"min_replicas": 2})

    assert not shown.is_change
    assert shown.change == ""
    assert not change(running, overrides={"min_replicas": 2}).is_change
    assert not change(running, stopped=False).is_change
    assert not change(running).is_change
    assert again(running).revision == 1
    assert Operation.objects.count() == 1


def test_another_version_of_the_template_is_taken_with_the_overrides(
    running: Deployment, change: Change, make_template: MakeTemplate
) -> None:
    newer = make_template(version="1.1.0", engine={"image": "registry.example/mock:2"})

    change(running, template={"template_id": str(newer.pk)})

    stored = again(running)
    assert (stored.template_id, stored.template_version) == (newer.pk, "1.1.0")
    assert stored.overrides == {"min_replicas": 2}
    assert stored.revisions.get(number=2).spec["engine"]["image"] == "registry.example/mock:2"


def test_a_template_that_does_not_allow_an_override_says_which(
    launch: Launch, change: Change, make_template: MakeTemplate
) -> None:
    deployment = launch(overrides={"engine_args": {"max_model_len": "8192"}})
    strict = make_template(version="1.1.0")

    with pytest.raises(InvalidOrder) as refusal:
        change(deployment, template={"template_id": str(strict.pk)})

    assert list(refusal.value.fields) == ["overrides.engine_args.max_model_len"]


def test_a_draft_is_refused(
    running: Deployment, change: Change, make_template: MakeTemplate
) -> None:
    draft = make_template(version="1.1.0", active=False)

    with pytest.raises(TemplateInactive):
        change(running, template={"template_id": str(draft.pk)})


def test_what_runs_is_changed_although_its_template_is_deprecated(
    running: Deployment, change: Change
) -> None:
    deprecate_template(running.template, by=None)

    assert change(running, overrides={"min_replicas": 1}).is_change


def test_what_runs_is_not_judged_anew_by_stricter_rules(
    running: Deployment, change: Change, roll_back: Change, make_template: MakeTemplate
) -> None:
    """It runs an engine whose arguments would be refused today."""
    newer = make_template(version="1.1.0")
    spec = {**running.revisions.get().spec, "engine_args": {"max_model_len": "8k"}}
    spec["engine"] = {**spec["engine"], "type": "vllm", "version": "0.11.0"}
    models.QuerySet(Revision).filter(deployment=running).update(
        spec=spec, engine_args=spec["engine_args"]
    )
    with pytest.raises(InvalidOrder):
        change(running, overrides={"enable_multi_lora": True})

    assert change(running, redeploy=True).is_change
    assert change(running, overrides={"min_replicas": 1}).is_change
    change(running, template={"template_id": str(newer.pk)})
    assert roll_back(running, revision=1).is_change


def test_a_later_edit_of_the_model_touches_nothing_that_runs(
    running: Deployment, change: Change
) -> None:
    model = running.model
    model.serving_name = "another"
    model.save()

    change(running, redeploy=True)

    assert again(running).serving_name == running.serving_name != "another"


def test_a_change_of_a_revision_that_has_moved_on_tells_who_changed_what(
    running: Deployment, change: Change, member: User
) -> None:
    change(running, overrides={"min_replicas": 3}, reason="more")

    with pytest.raises(RevisionConflict) as conflict:
        change(running, expected=1, overrides={"min_replicas": 1})

    told = conflict.value
    assert (told.code, told.expected, told.current) == ("conflict", 1, 2)
    assert [(one.number, one.author, one.reason) for one in told.revisions] == [(2, "olga", "more")]
    assert [(one.path, one.before, one.after) for one in told.changes] == [("scaling", "2", "3")]
    assert again(running).revision == 2


def test_two_changes_at_the_same_moment_are_stored_once(
    running: Deployment, change: Change, memory: MemoryCluster
) -> None:
    """Another one is stored while this one asks the cluster whether it can run."""
    plain = memory.enter

    def enter(verb: str) -> None:
        plain(verb)
        if verb == "preflight":
            memory.enter = plain  # type: ignore[method-assign]
            change(running, overrides={"min_replicas": 3})

    memory.enter = enter  # type: ignore[method-assign]
    with pytest.raises(RevisionConflict) as conflict:
        change(running, overrides={"min_replicas": 4})

    assert [one.number for one in conflict.value.revisions] == [2]
    assert again(running).overrides == {"min_replicas": 3}
    assert len(outcomes(running)) == 2


def test_only_who_may_change_it_changes_it(running: Deployment, member: User) -> None:
    with pytest.raises(NotAllowed):
        change_deployment(read_change({"stopped": True}), deployment=running, user=member)


def test_what_is_being_deleted_or_closed_cannot_be_changed(
    running: Deployment, change: Change, memory: MemoryCluster, owner: User
) -> None:
    memory.faults["delete"] = Unavailable("no answer")
    delete_deployment(running, user=owner)

    with pytest.raises(DeletionAsked):
        change(running, stopped=True)

    memory.faults.clear()
    refresh_cluster(running.cluster)
    with pytest.raises(RecordClosed):
        change(running, stopped=True)
