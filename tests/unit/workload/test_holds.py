"""What holds an object: foreign finalizers, each with whose it is or who put it there."""

from typing import Any

import msgspec
import pytest

from providers.workload.holds import holds_of, managers_worth_keeping
from providers.workload.objects import Item, Service
from providers.workload.slimming import slim

GUARD = "example.com/guard"


def item_with(finalizers: list[str], *managers: tuple[str, str], **metadata: Any) -> Item:
    """Return an object as a list decodes it; each manager put one finalizer there."""
    managed = [
        {
            "manager": manager,
            "operation": "Update",
            "fieldsV1": {"f:metadata": {"f:finalizers": {".": {}, f'v:"{finalizer}"': {}}}},
        }
        for manager, finalizer in managers
    ]
    document = {
        "metadata": {
            "name": "web",
            "namespace": "team",
            "finalizers": finalizers,
            "managedFields": managed,
            **metadata,
        }
    }
    return msgspec.json.decode(msgspec.json.encode(document), type=Service)


@pytest.mark.parametrize("finalizers", [[], ["foregroundDeletion"], ["orphan"]])
def test_how_the_collector_works_is_no_hold(finalizers: list[str]) -> None:
    assert holds_of(item_with(finalizers)) == ()


@pytest.mark.parametrize(
    ("finalizer", "owner"),
    [
        (
            "service.kubernetes.io/load-balancer-cleanup",
            "the load balancer controller of the cloud",
        ),
        ("service.k8s.aws/resources", "the AWS load balancer controller"),
        ("resources-finalizer.argocd.argoproj.io", "Argo CD"),
        ("kubernetes.io/pvc-protection", "the storage protection of the cluster"),
        ("wrangler.cattle.io/cleanup", "Rancher"),
    ],
)
def test_a_finalizer_that_is_known_is_told_by_whose_it_is(finalizer: str, owner: str) -> None:
    [hold] = holds_of(item_with([finalizer], ("kubectl-patch", finalizer)))
    assert str(hold) == f"{finalizer}, which {owner} takes off"


@pytest.mark.parametrize(
    ("manager", "who"),
    [
        ("kubectl-patch", "somebody with kubectl patch"),
        ("kubectl-edit", "somebody with kubectl edit"),
        ("argocd-controller", "Argo CD"),
        ("backup-operator", "backup-operator"),
    ],
)
def test_any_other_is_told_by_who_put_it_there(manager: str, who: str) -> None:
    [hold] = holds_of(item_with([GUARD], ("slipway", "other/one"), (manager, GUARD)))
    assert str(hold) == f"{GUARD}, put there by {who}"


def test_one_that_nobody_is_named_for_is_told_by_its_domain() -> None:
    [hold] = holds_of(item_with([GUARD]))
    assert str(hold) == f"{GUARD}, for whoever runs example.com to take off"
    [hold] = holds_of(item_with(["keep"]))
    assert str(hold) == "keep, of an unknown owner"


@pytest.mark.parametrize(
    "managed",
    ["null", "{}", "[null]", '["x"]', '[{"fieldsV1": 7}]', '[{"fieldsV1": {"f:metadata": 7}}]'],
)
def test_managers_that_nobody_can_read_hide_no_finalizer(managed: str) -> None:
    text = f'{{"metadata": {{"finalizers": ["{GUARD}"], "managedFields": {managed}}}}}'
    [hold] = holds_of(msgspec.json.decode(text, type=Service))
    assert hold.finalizer == GUARD


def test_a_pass_keeps_the_managers_of_what_is_held_and_of_nothing_else() -> None:
    held = item_with([GUARD], ("kubectl-patch", GUARD), deletionTimestamp="2026-11-30T12:00:00Z")
    assert holds_of(slim(held)) == holds_of(held)
    plain = item_with([], ("kubectl-patch", GUARD))
    assert bytes(managers_worth_keeping(plain.meta)) == b""
    assert bytes(slim(plain).meta.managed_fields) == b""
