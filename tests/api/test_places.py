"""What can carry a deployment, and where that was seen last."""

from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings

from deployments.models import Cluster
from providers import registry
from tests.api.conftest import Person

BOTH = {"memory": True, "k8s-deployment": True, "stormservice": False}


@pytest.fixture(autouse=True)
def _two_kinds(_only_memory: None, settings: Settings) -> None:
    settings.SLIPWAY_PROVIDERS = ["providers.testing.memory", "providers.kubernetes"]
    registry.forget()


def implementations(person: Person) -> dict[str, tuple[bool, str]]:
    status, told = person.get("implementations")
    assert status == 200
    return {one["kind"]: (one["available"], one["reason"]) for one in told["implementations"]}


def kinds_of(person: Person, cluster: Cluster) -> Any:
    _, told = person.get("clusters")
    return next(one["kinds"] for one in told["clusters"] if one["id"] == cluster.pk)


def test_a_cluster_tells_only_of_implementations_that_are_named(
    viewer: Person, cluster: Cluster
) -> None:
    Cluster.objects.update(kinds=BOTH)
    assert kinds_of(viewer, cluster) == {"memory": True, "k8s-deployment": True}


def test_a_cluster_names_the_implementations_of_which_a_pass_could_not_tell(
    viewer: Person, cluster: Cluster
) -> None:
    Cluster.objects.update(kinds={"memory": True}, last_pass_at=timezone.now())
    _, told = viewer.get("clusters")
    found = next(one for one in told["clusters"] if one["id"] == cluster.pk)
    assert (found["kinds"], found["unseen_kinds"]) == ({"memory": True}, ["k8s-deployment"])
    assert implementations(viewer)["k8s-deployment"] == (True, "")


@pytest.mark.parametrize(
    ("harbour", "islet", "told"),
    [
        ({}, {}, (True, "")),
        ({"k8s-deployment": True}, {"k8s-deployment": False}, (True, "")),
        ({"k8s-deployment": False}, {}, (True, "")),
        (
            {"k8s-deployment": False},
            {"k8s-deployment": False},
            (False, "not installed on harbour, islet"),
        ),
    ],
)
@pytest.mark.usefixtures("cluster")
def test_an_implementation_is_available_while_some_cluster_may_have_it(
    viewer: Person, harbour: dict[str, bool], islet: dict[str, bool], told: tuple[bool, str]
) -> None:
    Cluster.objects.update(kinds=harbour)
    Cluster.objects.create(name="islet", kinds=islet)
    Cluster.objects.create(name="closed", kinds={"k8s-deployment": True}, enabled=False)
    assert implementations(viewer) == {"memory": (True, ""), "k8s-deployment": told}


@pytest.mark.usefixtures("db")
def test_without_a_cluster_nothing_is_known_to_be_missing(viewer: Person) -> None:
    assert implementations(viewer)["memory"] == (True, "")
