"""Preview, and the token that ties what was reviewed to what is launched."""

import time
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User

from deployments.exceptions import ClusterRefused, InvalidOrder, LaunchChanged, NameTaken
from deployments.models import Deployment, Operation, Revision
from deployments.services.launching import create_deployment, preview_launch
from deployments.services.orders import LaunchOrder
from providers.contract.checks import Result
from providers.contract.errors import Rejected, Unavailable
from providers.testing.memory.cluster import MemoryCluster
from templates_app.models import Model

MakeOrder = Callable[..., LaunchOrder]


def test_a_preview_shows_everything_and_makes_nothing(
    order: MakeOrder, owner: User, memory: MemoryCluster
) -> None:
    preview = preview_launch(order(), user=owner)

    assert preview.ok
    assert [m["kind"] for m in preview.manifests] == ["MemoryWorkload", "MemoryService"]
    assert preview.runtime_name == f"demo-{preview.deployment_id[:8]}"
    assert preview.endpoint.url.startswith(f"http://{preview.runtime_name}.models")
    assert [check.code for check in preview.checks] == ["Namespace"]
    assert not memory.objects
    assert not Deployment.objects.exists()


def test_a_launch_with_the_token_is_exactly_what_was_reviewed(
    order: MakeOrder, owner: User
) -> None:
    preview = preview_launch(order(), user=owner)

    deployment = create_deployment(order(launch=preview.launch), user=owner)

    assert str(deployment.pk) == preview.deployment_id
    assert Revision.objects.get().manifests == list(preview.manifests)


def test_a_token_is_its_launchs_idempotency_key(
    order: MakeOrder, owner: User, memory: MemoryCluster
) -> None:
    token = preview_launch(order(), user=owner).launch
    first = create_deployment(order(launch=token), user=owner)

    assert create_deployment(order(launch=token), user=owner) == first
    assert memory.calls.count("create") == 1
    assert Operation.objects.count() == 1


def test_a_replayed_token_answers_the_refusal_again(
    order: MakeOrder, owner: User, memory: MemoryCluster
) -> None:
    token = preview_launch(order(), user=owner).launch
    memory.faults["create"] = Rejected("quota used up", code="QuotaExceeded")

    for _ in range(2):
        with pytest.raises(ClusterRefused, match="quota used up"):
            create_deployment(order(launch=token), user=owner)
    assert memory.calls.count("create") == 1


def test_what_changed_since_the_review_is_a_conflict_that_says_where(
    order: MakeOrder, owner: User
) -> None:
    token = preview_launch(order(), user=owner).launch

    with pytest.raises(LaunchChanged) as conflict:
        create_deployment(order(launch=token, overrides={"min_replicas": 3}), user=owner)

    changes = {c.path: (c.before, c.after) for c in conflict.value.changes}
    assert changes["MemoryWorkload.spec.replicas"] == ("1", "3")
    assert not Deployment.objects.exists()


def test_a_model_renamed_since_the_review_is_a_conflict(
    order: MakeOrder, owner: User, model: Model
) -> None:
    token = preview_launch(order(), user=owner).launch
    Model.objects.filter(pk=model.pk).update(serving_name="renamed")

    with pytest.raises(LaunchChanged, match="review again"):
        create_deployment(order(launch=token), user=owner)


def test_a_token_is_good_for_an_hour_and_for_one_person(
    order: MakeOrder, owner: User, member: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = preview_launch(order(), user=owner).launch
    with pytest.raises(InvalidOrder, match="another person's review"):
        create_deployment(order(launch=token), user=member)

    later = time.time() + 3601
    monkeypatch.setattr("django.core.signing.time.time", lambda: later)
    with pytest.raises(InvalidOrder, match="older than an hour"):
        create_deployment(order(launch=token), user=owner)


def test_a_silent_cluster_is_one_unknown_check(
    order: MakeOrder, owner: User, memory: MemoryCluster
) -> None:
    memory.faults["*"] = Unavailable("no answer")

    preview = preview_launch(order(), user=owner)

    assert [(c.code, c.result) for c in preview.checks] == [("ClusterUnreachable", Result.UNKNOWN)]
    assert preview.ok
    assert preview.manifests


def test_what_the_cluster_refuses_is_a_failed_check(
    order: MakeOrder, owner: User, memory: MemoryCluster
) -> None:
    memory.refusals["MemoryService"] = Rejected("denied by policy", code="AdmissionDenied")
    preview = preview_launch(order(), user=owner)
    assert not preview.ok
    assert [c.code for c in preview.checks if c.result is Result.FAIL] == ["AdmissionDenied"]

    memory.faults["preflight"] = Rejected("no credentials", code="CredentialsRefused")
    preview = preview_launch(order(), user=owner)
    assert [c.code for c in preview.checks if c.result is Result.FAIL] == ["CredentialsRefused"]


def test_a_taken_name_is_told_in_the_preview(order: MakeOrder, owner: User) -> None:
    create_deployment(order(), user=owner)

    with pytest.raises(NameTaken):
        preview_launch(order(name="DEMO"), user=owner)


def test_autoscaling_without_room_is_a_warning_that_the_record_keeps(
    order: MakeOrder, owner: User
) -> None:
    overrides = {"min_replicas": 2, "max_replicas": 2, "enable_auto_scaling": True}
    wish = order(overrides=overrides)

    assert "AutoscalerWithoutRange" in [c.code for c in preview_launch(wish, user=owner).checks]
    deployment = create_deployment(wish, user=owner)
    assert [check["code"] for check in deployment.checks] == ["AutoscalerWithoutRange"]
