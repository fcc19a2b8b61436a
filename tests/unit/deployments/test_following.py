"""A cluster followed: what is told to have changed is kept, until the cluster's row is another."""

import threading
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta

import pytest
from django.utils import timezone

from deployments.models import Cluster, Deployment, Watch
from deployments.services import following
from deployments.services.following import follow_cluster
from deployments.services.leasing import LeaseLost
from providers.contract.errors import Unavailable
from providers.contract.protocols import Deadline, Observation
from providers.contract.request import DeploymentRef
from providers.contract.target import ClusterTarget
from providers.testing.memory.provider import MemoryProvider
from tests.unit.deployments.conftest import Launch

Step = Callable[[], Collection[str]]


@dataclass
class Script:
    """A watching that tells what its steps return, and ends when there is none left."""

    steps: list[Step]
    target: ClusterTarget | None = None
    stop: threading.Event = field(default_factory=threading.Event)
    looks: list[list[str]] = field(default_factory=list)
    is_closed: bool = False

    def changed(self, seconds: float) -> frozenset[str]:
        del seconds
        if not self.steps:
            self.stop.set()
            return frozenset()
        return frozenset(self.steps.pop(0)())

    def observe(
        self, refs: Iterable[DeploymentRef], *, deadline: Deadline
    ) -> Mapping[str, Observation]:
        assert self.target is not None
        asked = list(refs)
        self.looks.append([ref.id for ref in asked])
        provider = MemoryProvider()
        return {ref.id: provider.get(ref, self.target, deadline=deadline) for ref in asked}

    def close(self) -> None:
        self.is_closed = True


class Followed(MemoryProvider):
    """The provider in memory, which tells of changes as a script says."""

    def __init__(self, script: Script) -> None:
        self._script = script

    def watch(
        self, target: ClusterTarget, *, namespaces: Collection[str], deadline: Deadline
    ) -> Script:
        del namespaces, deadline
        self._script.target = target
        return self._script


Follow = Callable[..., Script]


@pytest.fixture
def follow(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> Follow:
    def run(*steps: Step) -> Script:
        script = Script(list(steps))
        monkeypatch.setattr(following, "provider_of", lambda _kind: Followed(script))
        try:
            assert follow_cluster(Cluster.objects.get(pk=cluster.pk), "memory", script.stop)
        finally:
            assert script.is_closed
            assert Watch.objects.get().lease_owner in {"", "another"}
        return script

    return run


def forget(deployment: Deployment) -> None:
    """Let the record be as if nothing had been seen yet."""
    Deployment.objects.filter(pk=deployment.pk).update(
        phase="Deploying", reason="ApplyPending", observed_at=None
    )


def phase(deployment: Deployment) -> str:
    return Deployment.objects.get(pk=deployment.pk).phase


def test_everything_is_looked_at_once_when_it_begins(launch: Launch, follow: Follow) -> None:
    deployment = launch()
    forget(deployment)

    follow()

    assert phase(deployment) != "Deploying"


def test_what_is_told_to_have_changed_is_kept(launch: Launch, follow: Follow) -> None:
    deployment = launch()

    def change() -> Collection[str]:
        forget(deployment)
        return [str(deployment.pk)]

    follow(change)

    assert phase(deployment) != "Deploying"


def test_what_no_record_knows_is_nothing(launch: Launch, follow: Follow) -> None:
    deployment = launch()

    script = follow(lambda: ["no-uuid", "00000000-0000-4000-8000-000000000000"])

    assert script.looks == [[str(deployment.pk)], []]


def test_what_could_not_be_kept_yet_is_looked_at_once_more(
    launch: Launch, follow: Follow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "AGAIN_SECONDS", 0.0)
    deployment, rows = launch(), Deployment.objects.all()

    def known_from_the_future() -> Collection[str]:
        forget(deployment)
        rows.update(observed_at=timezone.now() + timedelta(minutes=5))
        return [str(deployment.pk)]

    def is_past() -> Collection[str]:
        assert phase(deployment) == "Deploying"
        rows.update(observed_at=None)
        return []

    follow(known_from_the_future, is_past)

    assert phase(deployment) != "Deploying"


def test_whoever_lost_the_lease_writes_nothing(launch: Launch, follow: Follow) -> None:
    deployment = launch()

    def taken_over() -> Collection[str]:
        forget(deployment)
        Watch.objects.update(lease_owner="another")
        return [str(deployment.pk)]

    with pytest.raises(LeaseLost):
        follow(taken_over)

    assert phase(deployment) == "Deploying"
    assert Watch.objects.get().lease_owner == "another"


@pytest.mark.parametrize(
    "columns",
    [{"enabled": False}, {"kubeconfig": "/elsewhere"}, {"namespaces": ["another"]}],
    ids=lambda columns: next(iter(columns)),
)
def test_it_ends_when_the_row_is_another(
    follow: Follow, monkeypatch: pytest.MonkeyPatch, columns: dict[str, object]
) -> None:
    monkeypatch.setattr(following, "RENEW_SECONDS", 0.0)

    def change() -> Collection[str]:
        Cluster.objects.update(**columns)
        return []

    def never() -> Collection[str]:
        raise AssertionError("it went on")

    follow(change, never)


def test_a_cluster_that_falls_silent_ends_it_and_the_lease_is_free(follow: Follow) -> None:
    def silent() -> Collection[str]:
        raise Unavailable("no answer")

    with pytest.raises(Unavailable, match="no answer"):
        follow(silent)

    assert Watch.objects.get().lease_owner == ""


def test_a_cluster_that_the_background_work_leaves_alone_is_left_alone(cluster: Cluster) -> None:
    cluster.next_try_at = timezone.now() + timedelta(minutes=1)

    assert not follow_cluster(cluster, "memory", threading.Event())


def test_a_kind_that_cannot_be_followed_is_not(cluster: Cluster) -> None:
    assert not follow_cluster(cluster, "memory", threading.Event())
    assert not Watch.objects.exists()
