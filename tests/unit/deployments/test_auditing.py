"""The audit trail: both ends of an act, only what differs, no secrets, never without its act."""

from collections.abc import Callable, Iterator

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError, transaction
from django.db.models.signals import pre_save
from django.test import Client
from django.urls import reverse
from knox.models import AuthToken

from deployments.models import AuditEntry, Cluster, Deployment, Operation
from deployments.services.auditing import Origin
from deployments.services.curating import save_cluster
from deployments.services.deleting import delete_deployment
from deployments.services.differing import difference_of
from deployments.services.refreshing import refresh_cluster
from deployments.services.tokens import issue_token
from deployments.services.tracing import traced
from providers.contract.errors import Rejected, Unavailable
from providers.testing.memory.cluster import MemoryCluster
from templates_app.entries import parse_model
from templates_app.models import Model
from templates_app.services import create_model, update_model

Launch = Callable[..., Deployment]


def told(action: str) -> list[AuditEntry]:
    return list(AuditEntry.objects.filter(action=action).order_by("id"))


def test_both_ends_of_an_act_bear_one_id_one_person_and_one_role(
    launch: Launch, owner: User
) -> None:
    delete_deployment(launch(), user=owner)

    for action in ("deployment.create", "deployment.delete"):
        begun, ended = told(action)
        assert (begun.outcome, ended.outcome) == ("accepted", "succeeded")
        assert begun.operation_id == ended.operation_id != ""
        assert (begun.actor, begun.role) == (ended.actor, ended.role) == (owner, "deployer")


def test_what_a_pass_ends_is_the_reconcilers_in_the_name_of_who_began_it(
    launch: Launch, owner: User, admin: User, memory: MemoryCluster, cluster: Cluster
) -> None:
    deployment = launch()
    memory.faults["delete"] = Unavailable("no answer")
    delete_deployment(deployment, user=admin)
    memory.faults.clear()
    with traced():
        refresh_cluster(cluster)

    begun, ended = told("deployment.delete")
    assert (begun.source, ended.source) == ("command", "reconciler")
    assert (ended.actor, ended.actor_name, ended.role) == (admin, "ada", "admin")
    assert ended.request_id not in {"", begun.request_id}


def test_a_removal_that_the_console_begins_by_itself_has_both_ends_too(
    launch: Launch, owner: User, memory: MemoryCluster, cluster: Cluster
) -> None:
    memory.faults["create"] = Rejected("no", code="ApplyRejected", left_behind=("Service demo",))
    with pytest.raises(Exception, match="no"):
        launch()
    memory.faults.clear()
    with traced():
        refresh_cluster(cluster)

    begun, ended = told("deployment.delete")
    assert (begun.outcome, begun.source) == ("accepted", "reconciler")
    assert (begun.actor, begun.role) == (ended.actor, ended.role) == (owner, "deployer")
    assert (ended.outcome, ended.operation_id) == ("succeeded", begun.operation_id)


def test_before_and_after_hold_only_what_differs(launch: Launch, owner: User) -> None:
    delete_deployment(launch(), user=owner)

    begun, ended = told("deployment.delete")
    assert (begun.before, begun.after) == ({"intent": "running"}, {"intent": "deleted"})
    assert (ended.before, ended.after) == (None, None)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (None, {"a": 1}, (None, {"a": 1})),
        ({"a": 1}, None, ({"a": 1}, None)),
        ({"a": 1, "b": 2}, {"a": 1, "b": 3}, ({"b": 2}, {"b": 3})),
        ({"a": {"x": 1, "y": 2}}, {"a": {"x": 1}}, ({"a": {"y": 2}}, {"a": {}})),
        ({"a": [1, 2]}, {"a": [1, 3]}, ({"a": [1, 2]}, {"a": [1, 3]})),
        ({"a": None}, {}, ({"a": None}, {})),
        ({"a": 1}, {"a": 1}, ({}, {})),
    ],
)
def test_a_difference_goes_as_deep_as_members_have_names(
    before: dict[str, object] | None,
    after: dict[str, object] | None,
    expected: tuple[object, object],
) -> None:
    assert difference_of(before, after) == expected


def test_a_secret_that_changed_is_told_as_changed_and_is_not_there(
    cluster: Cluster, admin: User
) -> None:
    cluster.pod_env = {"HF_TOKEN": "old swordfish", "NO_PROXY": "10.0.0.0/8"}
    save_cluster(cluster, user=admin)
    cluster.pod_env = {
        "HF_TOKEN": "new swordfish",
        "NO_PROXY": "10.0.0.0/8",
        "HTTP_PROXY": "http://me:swordfish@proxy.example:3128",
    }
    save_cluster(cluster, user=admin)

    entry = told("cluster.change")[-1]
    assert entry.before == {"pod_env": {"HF_TOKEN": "[masked]"}}
    assert entry.after == {
        "pod_env": {
            "HF_TOKEN": "[masked]",
            "HTTP_PROXY": "http://me:[masked]@proxy.example:3128",
        }
    }


def test_a_secret_in_a_reason_is_masked(launch: Launch, owner: User) -> None:
    delete_deployment(launch(), user=owner, reason="leaked HF_TOKEN=swordfish in its env")

    assert told("deployment.delete")[0].reason == "leaked HF_TOKEN=[masked] in its env"


@pytest.fixture
def _broken_trail() -> Iterator[None]:
    """Let no entry be written, as if the database failed at just that moment."""

    def fail(**_sent: object) -> None:
        raise DatabaseError("the trail is full")

    pre_save.connect(fail, sender=AuditEntry)
    yield
    pre_save.disconnect(fail, sender=AuditEntry)


@pytest.mark.usefixtures("_broken_trail")
def test_nothing_is_stored_that_cannot_be_told(cluster: Cluster, admin: User) -> None:
    acts: list[Callable[[], object]] = [
        lambda: save_cluster(Cluster(name="second"), user=admin),
        lambda: issue_token(admin, by=admin, origin=Origin()),
        lambda: create_model(parse_model({"id": "llama", "name": "Llama"}), by=admin),
    ]
    for act in acts:
        with pytest.raises(DatabaseError, match="the trail is full"):
            act()

    assert not Cluster.objects.filter(name="second").exists()
    assert not AuthToken.objects.filter(user=admin).exists()
    assert not Model.objects.exists()


def test_a_launch_and_a_deletion_that_cannot_be_told_are_neither_stored_nor_applied(
    launch: Launch, owner: User, memory: MemoryCluster, request: pytest.FixtureRequest
) -> None:
    kept = launch(name="kept")
    objects = set(memory.objects)
    request.getfixturevalue("_broken_trail")

    with pytest.raises(DatabaseError):
        launch(name="other")
    with pytest.raises(DatabaseError):
        delete_deployment(kept, user=owner)

    assert [row.intent for row in Deployment.objects.all()] == ["running"]
    assert Operation.objects.count() == 1
    assert set(memory.objects) == objects


def test_what_is_rolled_back_leaves_no_entry(launch: Launch, owner: User) -> None:
    deployment = launch()
    with transaction.atomic():
        delete_deployment(deployment, user=owner)
        transaction.set_rollback(True)

    assert not told("deployment.delete")
    assert not Deployment.objects.get().is_closed


def test_an_act_in_the_admin_says_that_it_came_from_there(
    client: Client, admin: User, cluster: Cluster
) -> None:
    client.force_login(admin)
    page = reverse("admin:deployments_cluster_changelist")
    client.post(page, {"action": "confirm", "_selected_action": [cluster.pk]})

    [entry] = told("cluster.confirm")
    assert (entry.source, entry.actor, entry.role) == ("admin", admin, "admin")
    assert entry.request_id


def test_a_change_to_the_catalogue_tells_only_what_differs(admin: User) -> None:
    model = create_model(parse_model({"id": "llama", "name": "Llama"}), by=admin)
    update_model(model, parse_model({"id": "llama", "name": "Llama 3"}), by=admin)

    [entry] = told("model.update")
    assert (entry.before, entry.after) == ({"name": "Llama"}, {"name": "Llama 3"})
    assert (entry.source, entry.role) == ("command", "admin")
