"""One kind of two that cannot be read costs the other nothing, and a silent cluster one time-out.

On the simulated cluster.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from deployments.models import Cluster
from deployments.services import refreshing, surveying
from deployments.services.refreshing import refresh_cluster
from deployments.signals import ClusterCall, cluster_called
from providers import registry
from providers.kubernetes.provider import KubernetesProvider
from providers.sandbox.cluster import VirtualCluster
from providers.sandbox.faults import Fault
from providers.sandbox.kubeconfig import write_kubeconfig
from providers.sandbox.server import serving
from tests.faults.one_kind import HOW, PLURALS, TwoKinds, launch_two, walk_with_one_broken
from tests.faults.sandbox import SandboxPlace


@pytest.fixture
def place(tmp_path: Path) -> Iterator[SandboxPlace]:
    cluster = VirtualCluster(foreign=True)
    cluster.at = datetime.now(UTC)
    cluster.create({"kind": "Node", "metadata": {"name": "one"}})
    cluster.create({"kind": "Namespace", "metadata": {"name": "models"}})
    with serving(cluster, token="t") as server:
        path = write_kubeconfig(tmp_path / "kubeconfig", url=server.url, namespace="models")
        yield SandboxPlace(cluster=cluster, kubeconfig=path, url=server.url)


@pytest.fixture
def two(
    db: None, settings: Settings, place: SandboxPlace, monkeypatch: pytest.MonkeyPatch
) -> TwoKinds:
    settings.SLIPWAY_PROVIDERS = ["providers.kubernetes", "providers.stormservice"]
    registry.forget()
    # Enough for a busy machine, and less than what hangs takes.
    monkeypatch.setattr(refreshing, "PASS_SECONDS", 8.0)
    monkeypatch.setattr(surveying, "LEFT_SECONDS", 2.0)
    row = Cluster.objects.create(
        name="harbour", kubeconfig=str(place.kubeconfig), default_namespace=place.namespace
    )
    return launch_two(place, row, User.objects.create_superuser("olga"))


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("broken", PLURALS)
def test_a_kind_that_cannot_be_read_stays_as_known_and_the_other_is_read(
    two: TwoKinds, broken: str, how: str
) -> None:
    walk_with_one_broken(two, broken, how)


def test_clusters_says_which_kind_cannot_be_read_and_that_the_cluster_answers(
    two: TwoKinds, client: Client
) -> None:
    client.force_login(User.objects.get())
    two.break_off("stormservice", {"status": 500})
    refresh_cluster(two.cluster)

    page = client.get("/clusters").content.decode()

    assert "stormservice could not be read: reading stormservices: the API server" in page
    assert 'data-tone="warn"' in page
    assert "does not answer" not in page


def test_a_kind_that_may_not_be_read_says_so_and_the_other_is_read(two: TwoKinds) -> None:
    refresh_cluster(two.cluster)
    two.break_off("stormservice", {"status": 403})
    two.place.let_pass(60)

    assert refresh_cluster(two.cluster).problems == ()

    two.rows["stormservice"].refresh_from_db()
    assert "stormservices cannot be read: ask an admin" in two.rows["stormservice"].message
    assert two.verdict("k8s-deployment")[:2] == ("Ready", "Available")


def test_a_cluster_that_falls_silent_within_a_pass_is_asked_for_no_further_kind(
    two: TwoKinds, place: SandboxPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def note(call: ClusterCall, **_: object) -> None:
        asked.append(call.verb)

    read = KubernetesProvider.list

    def silenced(*args: Any, **options: Any) -> Any:
        place.fail(Fault(latency=12.0))
        return read(*args, **options)

    monkeypatch.setattr(KubernetesProvider, "list", silenced)
    cluster_called.connect(note)
    report = refresh_cluster(two.cluster)
    cluster_called.disconnect(note)

    assert "no answer within" in report.error
    assert asked == ["probe", "read_shared", "list", "probe"]
    two.cluster.refresh_from_db()
    assert (two.cluster.reachable, two.cluster.unread_kinds) == (False, {})
