"""Launching the same on another implementation over the API."""

from typing import Any

import pytest
from pytest_django import Settings

from deployments.models import Cluster
from providers import registry
from tests.api.conftest import Person


@pytest.fixture(autouse=True)
def _two_kinds(_only_memory: None, settings: Settings) -> None:
    settings.SLIPWAY_PROVIDERS = ["providers.testing.memory", "providers.kubernetes"]
    registry.forget()


@pytest.fixture
def path(owner: Person, order: dict[str, Any]) -> str:
    overrides = {"min_replicas": 1, "max_replicas": 3, "enable_auto_scaling": True}
    body = {**order, "implementation": {"kind": "memory"}, "overrides": overrides}
    status, made = owner.post("deployments", body)
    assert status == 201, made
    return f"deployments/{made['id']}/implementations"


def test_the_order_of_another_implementation_can_be_launched_as_it_is(
    owner: Person, path: str
) -> None:
    status, told = owner.get(path)
    assert status == 200
    [other] = told["implementations"]
    assert (other["kind"], other["keeps_template"]) == ("k8s-deployment", True)
    assert other["objects"] == ["Deployment", "Service", "HorizontalPodAutoscaler"]
    assert (other["lost"], other["fault"], other["installed"]) == ({}, "", None)
    assert other["order"]["overrides"]["max_replicas"] == 3

    back = {**other["order"], "name": "the same", "implementation": {"kind": "memory"}}
    status, preview = owner.post("deployments/preview", back)
    assert status == 200, preview


def test_whether_it_is_installed_there_is_told(owner: Person, path: str) -> None:
    Cluster.objects.update(kinds={"k8s-deployment": False})
    assert owner.get(path)[1]["implementations"][0]["installed"] is False


def test_who_may_not_see_the_deployment_sees_nothing(stranger: Person, path: str) -> None:
    assert stranger.get(path)[0] == 404
