"""Nothing lost, nothing orphaned: launches cut short, refused half-way, and silence, for real."""

import json
import socket
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from django.contrib.auth.models import User

from deployments.exceptions import ClusterRefused, ClusterUnavailable
from deployments.models import Cluster, Deployment, Operation
from deployments.services import launching
from deployments.services.deadlines import CREATE_SECONDS
from deployments.services.deleting import delete_deployment
from deployments.services.launching import create_deployment
from deployments.services.moving import refresh_moving
from deployments.services.orders import LaunchOrder
from deployments.services.reading import read_deployment
from deployments.services.refreshing import refresh_cluster
from providers.kube.answer import Answer
from providers.kube.client import Call, KubeClient
from tests.cluster.harness.api import namespaced
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.launching import PATIENCE_SECONDS, set_quota
from tests.cluster.waiting import wait_for

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("cluster_nodes", "console_here")]


class Killed(BaseException):
    """As a process ends: no handler of ours sees it."""


@pytest.fixture
def kinds(control_plane: ControlPlane, namespace: str) -> Callable[[], list[str]]:
    """Return the kinds of what stands in the namespace."""

    def read() -> list[str]:
        collections = {
            "Deployment": namespaced(namespace, "deployments", api="apis/apps/v1"),
            "Service": namespaced(namespace, "services"),
        }
        return [
            kind
            for kind, path in collections.items()
            for _item in control_plane.api.get(path)["items"]
        ]

    return read


def writes_then(monkeypatch: pytest.MonkeyPatch, count: int, act: Callable[[], None]) -> None:
    """Let so many writes through to the cluster, then act instead of the next one."""
    send, done = KubeClient.send, []

    def counted(client: KubeClient, call: Call, **options: object) -> Answer:
        if call.method in {"PATCH", "POST"} and "dryRun" not in call.query:
            done.append(call)
            if len(done) > count:
                act()
        return send(client, call, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(KubeClient, "send", counted)


@pytest.mark.parametrize("written", [0, 1], ids=["before any object", "after the first object"])
def test_a_launch_whose_process_dies_is_finished_by_the_next_pass(
    order: LaunchOrder,
    owner: User,
    kinds: Callable[[], list[str]],
    monkeypatch: pytest.MonkeyPatch,
    written: int,
) -> None:
    def die() -> None:
        raise Killed

    with monkeypatch.context() as patch:
        writes_then(patch, written, die)
        with pytest.raises(Killed):
            create_deployment(order, user=owner)
    stored = Deployment.objects.get()
    assert (stored.applied_revision, len(kinds())) == (0, written)

    Deployment.objects.update(lease_until=stored.created_at)
    report = refresh_cluster(Cluster.objects.get())

    assert (report.error, report.finished) == ("", 1)
    assert kinds() == ["Deployment", "Service"]
    ready = wait_for(
        lambda: read_deployment(Deployment.objects.get()).status.phase == "Ready",
        PATIENCE_SECONDS,
        "Ready",
    )
    assert ready
    assert Operation.objects.get().state == "done"


def test_a_deletion_is_closed_when_the_cluster_has_nothing_left(
    order: LaunchOrder, owner: User, kinds: Callable[[], list[str]]
) -> None:
    deployment = create_deployment(order, user=owner)

    delete_deployment(deployment, user=owner)
    wait_for(
        lambda: read_deployment(Deployment.objects.get()).deployment.is_closed,
        PATIENCE_SECONDS,
        "closed",
    )

    assert kinds() == []
    assert create_deployment(order, user=owner).pk != deployment.pk


def test_a_deletion_is_finished_by_passes_alone(order: LaunchOrder, owner: User) -> None:
    deployment = create_deployment(order, user=owner)
    delete_deployment(deployment, user=owner)

    def closed() -> bool:
        refresh_cluster(Cluster.objects.get())
        return Deployment.objects.get().is_closed

    wait_for(closed, PATIENCE_SECONDS, "closed by a pass")


def test_small_passes_alone_bring_a_launch_to_its_end_and_a_deletion_to_its(
    order: LaunchOrder, owner: User
) -> None:
    deployment = create_deployment(order, user=owner)

    def phase() -> str:
        assert refresh_moving(Cluster.objects.get()).problems == ()
        return Deployment.objects.get().phase

    wait_for(lambda: phase() == "Ready", PATIENCE_SECONDS, "Ready by small passes")
    delete_deployment(deployment, user=owner)
    wait_for(lambda: phase() == "Deleted", PATIENCE_SECONDS, "closed by small passes")
    assert Deployment.objects.get().is_closed
    assert Cluster.objects.get().last_pass_at is None


def test_a_missing_namespace_is_refused_in_the_clusters_words_and_leaves_nothing(
    order: LaunchOrder, owner: User, kinds: Callable[[], list[str]]
) -> None:
    Cluster.objects.update(namespaces=["nowhere"])
    wish = order.model_copy(
        update={"target": order.target.model_copy(update={"namespace": "nowhere"})}
    )

    with pytest.raises(ClusterRefused, match="nowhere") as refusal:
        create_deployment(wish, user=owner)

    assert "target.namespace" in refusal.value.fields
    assert not Deployment.objects.exists()
    assert kinds() == []


def test_what_admission_refuses_half_way_is_undone_and_the_record_closed(
    order: LaunchOrder,
    owner: User,
    control_plane: ControlPlane,
    namespace: str,
    kinds: Callable[[], list[str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = namespaced(namespace, "resourcequotas", "team")

    def forbid_services() -> None:
        if control_plane.api.find(path) is None:
            set_quota(control_plane.api, namespace, services="0")

    writes_then(monkeypatch, 0, forbid_services)
    with pytest.raises(ClusterRefused, match="exceeded quota"):
        create_deployment(order, user=owner)

    closed = Deployment.objects.get()
    assert closed.is_closed
    assert "exceeded quota" in closed.message
    assert closed.evidence
    assert kinds() == []


@pytest.mark.parametrize("silent", [True, False], ids=["silent", "down"])
def test_a_cluster_that_is_silent_or_down_is_unavailable_within_five_seconds(
    order: LaunchOrder,
    owner: User,
    control_plane: ControlPlane,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    silent: bool,
) -> None:
    monkeypatch.setattr(launching, "CREATE_SECONDS", CREATE_SECONDS)
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        if silent:
            listener.listen()
        port = listener.getsockname()[1]
        config = _pointed_at(control_plane.kubeconfig, port, tmp_path)
        Cluster.objects.create(name="dead", kubeconfig=str(config), default_namespace="models")
        wish = order.model_copy(
            update={"target": order.target.model_copy(update={"cluster": "dead"})}
        )

        began = time.monotonic()
        with pytest.raises(ClusterUnavailable):
            create_deployment(wish, user=owner)
        took = time.monotonic() - began

    assert CREATE_SECONDS < 5
    assert took < 2 * CREATE_SECONDS, "it waits once, and no longer on a busy machine"
    assert not Deployment.objects.exists()


def _pointed_at(kubeconfig: Path, port: int, folder: Path) -> Path:
    body = json.loads(kubeconfig.read_text())
    body["clusters"][0]["cluster"]["server"] = f"https://127.0.0.1:{port}"
    dead = folder / "kubeconfig"
    dead.write_text(json.dumps(body))
    return dead
