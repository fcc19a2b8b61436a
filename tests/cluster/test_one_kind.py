"""One kind of two that a real API server does not list costs the other nothing."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from pytest_django import Settings

from deployments.models import Cluster
from providers import registry
from providers.sandbox.kubeconfig import write_kubeconfig
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.waiting import wait_for
from tests.faults.door import Door, opened
from tests.faults.one_kind import PLURALS, TwoKinds, launch_two, walk_with_one_broken
from tests.faults.real import RealPlace

pytestmark = pytest.mark.django_db
SECONDS = 90.0


@dataclass(frozen=True, kw_only=True)
class PatientPlace(RealPlace):
    """Where time passes until the deployments of both kinds have become ready."""

    def let_pass(self, seconds: float) -> None:
        del seconds
        wait_for(self._all_are_ready, SECONDS, "a ready pod of each kind")

    def _all_are_ready(self) -> bool:
        pods = self.api.get(f"/api/v1/namespaces/{self.namespace}/pods")["items"]
        ready = [
            pod
            for pod in pods
            for told in pod.get("status", {}).get("conditions", ())
            if (told["type"], told["status"]) == ("Ready", "True")
        ]
        return len(ready) == len(PLURALS)


@pytest.fixture
def two(
    settings: Settings,
    foreign_plane: ControlPlane,
    foreign_namespace: str,
    tmp_path: Path,
    unhurried: None,
) -> Iterator[TwoKinds]:
    settings.SLIPWAY_PROVIDERS = ["providers.kubernetes", "providers.stormservice"]
    registry.forget()
    door = Door(foreign_plane.api)
    with opened(door) as url:
        path = write_kubeconfig(tmp_path / "kubeconfig", url=url, namespace=foreign_namespace)
        place = PatientPlace(
            api=foreign_plane.api,
            door=door,
            kubeconfig=path,
            url=url,
            namespace=foreign_namespace,
            doomed="",
        )
        row = Cluster.objects.create(
            name="harbour", kubeconfig=str(path), default_namespace=foreign_namespace
        )
        yield launch_two(place, row, User.objects.create_superuser("olga"))
    registry.forget()


@pytest.mark.parametrize("broken", PLURALS)
def test_a_kind_that_cannot_be_read_stays_as_known_and_the_other_is_read(
    two: TwoKinds, broken: str
) -> None:
    walk_with_one_broken(two, broken, "500")
