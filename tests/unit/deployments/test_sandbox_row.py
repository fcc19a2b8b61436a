"""The row of the simulated cluster: there while it runs, kept once a real one is set."""

from pathlib import Path

import pytest
from pytest_django import Settings

from console.environment import KubernetesEnvironment
from deployments.models import Cluster
from deployments.services.clusters import SANDBOX_NAME, synchronise_default_cluster, target_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def sandbox(settings: Settings, tmp_path: Path) -> str:
    settings.K8S = KubernetesEnvironment()
    kubeconfig = settings.SANDBOX_KUBECONFIG = str(tmp_path / "kubeconfig")
    return kubeconfig


def test_the_simulated_cluster_has_a_row_with_its_accelerators(sandbox: str) -> None:
    synchronise_default_cluster()
    row = Cluster.objects.get()
    assert (row.name, row.enabled, row.kubeconfig) == (SANDBOX_NAME, True, sandbox)
    target = target_of(row)
    assert target.accelerator("mi300x").resource == "amd.com/gpu"  # type: ignore[union-attr]
    assert "playground" in target.namespaces


def test_what_an_administrator_changed_in_it_stays(sandbox: str) -> None:
    synchronise_default_cluster()
    Cluster.objects.update(region="EU", accelerators={})
    synchronise_default_cluster()
    row = Cluster.objects.get()
    assert (row.region, row.accelerators) == ("EU", {})


def test_a_real_cluster_takes_its_place_and_it_is_kept(
    sandbox: str, settings: Settings, tmp_path: Path
) -> None:
    synchronise_default_cluster()
    settings.K8S = KubernetesEnvironment(kubeconfig=str(tmp_path / "real"), namespace="models")
    synchronise_default_cluster()
    enabled = {row.name: row.enabled for row in Cluster.objects.all()}
    assert enabled == {SANDBOX_NAME: False, "default": True}


def test_without_either_there_is_no_row(settings: Settings) -> None:
    settings.K8S, settings.SANDBOX_KUBECONFIG = KubernetesEnvironment(), ""
    synchronise_default_cluster()
    assert not Cluster.objects.exists()
