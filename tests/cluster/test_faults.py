"""Every fault of the table on the real control plane: told alike everywhere, and of nobody else."""

import uuid
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from console.metrics import stored
from console.metrics.stored import StoredCollector
from deployments.models import Cluster
from providers import registry
from providers.sandbox.kubeconfig import write_kubeconfig
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.kubelet.nodes import NodeSpec
from tests.cluster.namespaces import new_namespace, remove_namespace
from tests.cluster.scheduling import one_more_node
from tests.faults.door import Door, opened
from tests.faults.real import RealPlace
from tests.faults.scene import METRICS_TOKEN, Scene
from tests.faults.table import OUTAGES, OWN_NODE, TROUBLES, Outage, Trouble
from tests.faults.walk import walk_through_outage, walk_through_trouble

pytestmark = pytest.mark.usefixtures("cluster_nodes")
POOL = {"pool": "lonely"}
LONELY = NodeSpec(name="lonely-1", labels=POOL, capacity={"nvidia.com/gpu": "1"})


@pytest.fixture(autouse=True)
def _only_kubernetes(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    settings.SLIPWAY_PROVIDERS = ["providers.kubernetes"]
    settings.METRICS_TOKEN = METRICS_TOKEN
    settings.METRICS_FOLDER = tmp_path / "metrics"
    settings.METRICS_FOLDER.mkdir()
    monkeypatch.setattr(stored, "KEPT_SECONDS", 0.0)
    monkeypatch.setattr("console.metrics.exposition._stored", StoredCollector())
    registry.forget()
    yield
    registry.forget()


@pytest.fixture
def place(control_plane: ControlPlane, tmp_path: Path) -> Iterator[RealPlace]:
    api = control_plane.api
    names = [new_namespace(api, f"faults-{uuid.uuid4().hex[:8]}") for _ in range(2)]
    door = Door(control_plane.api)
    with opened(door) as url, ExitStack() as after:
        path = write_kubeconfig(tmp_path / "kubeconfig", url=url, namespace=names[0])
        yield RealPlace(
            api=control_plane.api,
            door=door,
            kubeconfig=path,
            url=url,
            namespace=names[0],
            doomed=names[1],
            after=after,
        )
    for name in names:
        remove_namespace(api, name)


@pytest.fixture
def scene(db: None, place: RealPlace, control_plane: ControlPlane) -> Scene:
    harbour = _known("harbour", place.kubeconfig, place)
    island = _known("island", control_plane.kubeconfig, place)
    user, client = User.objects.create_superuser("olga"), Client()
    client.force_login(user)
    return Scene(place=place, cluster=harbour, other=island, user=user, client=client)


def _known(name: str, kubeconfig: Path, place: RealPlace) -> Cluster:
    return Cluster.objects.create(
        name=name,
        kubeconfig=str(kubeconfig),
        default_namespace=place.namespace,
        namespaces=[place.namespace, place.doomed],
        accelerators={"LONELY": {"node_selector": POOL}},
    )


@pytest.fixture
def lonely_node(control_plane: ControlPlane) -> Iterator[None]:
    with one_more_node(control_plane, LONELY):
        yield


ANYWHERE = [one for one in TROUBLES if not one.real and one.spec != OWN_NODE]
ALONE = [one for one in TROUBLES if not one.real and one.spec == OWN_NODE]


@pytest.mark.parametrize("trouble", ANYWHERE, ids=lambda one: str(one.name))
def test_a_deployment_in_trouble_says_so_everywhere_and_no_other_does(
    scene: Scene, trouble: Trouble
) -> None:
    walk_through_trouble(scene, trouble)


@pytest.mark.usefixtures("lonely_node")
@pytest.mark.parametrize("trouble", ALONE, ids=lambda one: str(one.name))
def test_a_deployment_that_loses_its_node_says_so_everywhere_and_no_other_does(
    scene: Scene, trouble: Trouble
) -> None:
    walk_through_trouble(scene, trouble)


@pytest.mark.parametrize("outage", OUTAGES, ids=lambda one: str(one.name))
def test_a_cluster_that_fails_keeps_what_was_known_and_touches_no_other(
    scene: Scene, outage: Outage
) -> None:
    walk_through_outage(scene, outage)
