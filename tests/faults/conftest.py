"""A simulated cluster that may fail, beside another that stays well, both known to the console."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from console.metrics import stored
from console.metrics.stored import StoredCollector
from deployments.models import Cluster
from providers import registry
from providers.sandbox.cluster import VirtualCluster
from providers.sandbox.kubeconfig import write_kubeconfig
from providers.sandbox.server import serving
from tests.faults.sandbox import SandboxPlace
from tests.faults.scene import METRICS_TOKEN, Scene


@contextmanager
def simulated(folder: Path) -> Iterator[SandboxPlace]:
    """Serve a cluster whose clock begins at ours."""
    cluster = VirtualCluster()
    cluster.at = datetime.now(UTC)
    for name in ("one", "two"):
        cluster.create({"kind": "Node", "metadata": {"name": name}})
    for name in ("models", "doomed"):
        cluster.create({"kind": "Namespace", "metadata": {"name": name}})
    with serving(cluster, token="t") as server:
        path = write_kubeconfig(folder / "kubeconfig", url=server.url, namespace="models")
        yield SandboxPlace(cluster=cluster, kubeconfig=path, url=server.url)


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
def scene(db: None, tmp_path: Path) -> Iterator[Scene]:
    with simulated(tmp_path / "harbour") as alone, simulated(tmp_path / "island") as other:
        place = replace(alone, beside=other.cluster)
        user, client = User.objects.create_superuser("olga"), Client()
        client.force_login(user)
        yield Scene(
            place=place,
            cluster=_known("harbour", place),
            other=_known("island", other),
            user=user,
            client=client,
        )


def _known(name: str, place: SandboxPlace) -> Cluster:
    return Cluster.objects.create(
        name=name,
        kubeconfig=str(place.kubeconfig),
        default_namespace=place.namespace,
        namespaces=[place.namespace, place.doomed],
    )
