"""A provider that raises or answers garbage spoils what is its own, and nothing stops over it."""

import sys
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from django.conf import LazySettings
from django.contrib.auth.models import User

from deployments.exceptions import ClusterUnavailable, NotAdoptable
from deployments.models import Cluster, Deployment, Orphan, Watch
from deployments.services.adoptable import plan_adoption
from deployments.services.calling import ProviderFailed
from deployments.services.capacity import capacity_of
from deployments.services.drifting import drift_of
from deployments.services.following import follow_cluster
from deployments.services.foretelling import foretell_deletion
from deployments.services.reclaiming import remove_orphans
from deployments.services.refreshing import refresh_cluster
from deployments.services.restoring import put_back_drift
from deployments.services.trying import try_cluster
from providers import registry
from providers.contract.protocols import Deletion
from providers.testing.memory.cluster import MemoryCluster
from providers.testing.memory.door import MemoryDoor
from providers.testing.memory.provider import MemoryProvider
from tests.orphaned import close_only, forget_record, groups_after_a_pass
from tests.unit.deployments.changed import again

Launch = Callable[..., Deployment]
Act = Callable[..., object]

ODD_PROVIDER = """
from providers.testing.memory.door import MemoryDoor
from providers.testing.memory.provider import MemoryProvider


class Odd(MemoryProvider):
    kind = "odd"
    door = MemoryDoor()


provider = Odd()
"""


def garbage(*_args: object, **_kwargs: object) -> Any:
    return {"phase": "Ready"}


def failing(*_args: object, **_kwargs: object) -> Any:
    raise ZeroDivisionError


AT_FAULT = pytest.mark.parametrize("act", [garbage, failing])


@pytest.fixture
def odd(
    tmp_path: Path, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> Iterator[MemoryDoor]:
    """Return the own door of a second provider, beside the one in memory."""
    (tmp_path / "shelved_odd").mkdir()
    (tmp_path / "shelved_odd" / "__init__.py").touch()
    (tmp_path / "shelved_odd" / "provider.py").write_text(ODD_PROVIDER)
    monkeypatch.syspath_prepend(tmp_path)
    settings.SLIPWAY_PROVIDERS = ["shelved_odd", "providers.testing.memory"]
    registry.forget()
    door = registry.get("odd").door
    assert isinstance(door, MemoryDoor)
    yield door
    for name in [name for name in sys.modules if name.startswith("shelved_odd")]:
        del sys.modules[name]


@AT_FAULT
@pytest.mark.parametrize("verb", ["probe", "read_shared"])
def test_a_door_at_fault_keeps_no_other_door_from_being_read(
    odd: MemoryDoor,
    launch: Launch,
    cluster: Cluster,
    monkeypatch: pytest.MonkeyPatch,
    verb: str,
    act: Act,
) -> None:
    deployment = launch()
    monkeypatch.setattr(odd, verb, act)

    report = refresh_cluster(cluster)

    assert report.ok
    assert any(f"failed at {verb}" in problem for problem in report.problems)
    assert again(deployment).phase == "Ready"
    assert list(Cluster.objects.get().unread_kinds) == ["odd"]


@AT_FAULT
@pytest.mark.parametrize("verb", ["probe", "read_shared"])
def test_where_the_only_door_is_at_fault_the_pass_has_failed_and_says_why(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch, verb: str, act: Act
) -> None:
    monkeypatch.setattr(MemoryDoor, verb, act)

    report = refresh_cluster(cluster)

    assert (report.error_code, report.ok) == ("ProviderFailed", False)
    assert f"failed at {verb}" in report.error
    assert Cluster.objects.get().last_pass_at is None


@AT_FAULT
def test_a_door_that_does_not_count_leaves_the_count_to_another(
    odd: MemoryDoor, cluster: Cluster, monkeypatch: pytest.MonkeyPatch, act: Act
) -> None:
    monkeypatch.setattr(odd, "read_capacity", act)
    assert capacity_of(cluster) is not None
    monkeypatch.setattr(MemoryDoor, "read_capacity", act)
    assert capacity_of(Cluster.objects.create(name="other")) is None


@AT_FAULT
def test_a_cluster_whose_door_is_at_fault_is_tried_without_an_end(
    cluster: Cluster, admin: User, monkeypatch: pytest.MonkeyPatch, act: Act
) -> None:
    monkeypatch.setattr(MemoryDoor, "probe", act)
    assert "failed at probe" in try_cluster(cluster, user=admin)


@pytest.mark.parametrize("act", [garbage, failing, lambda *_, **__: Deletion(gone=True)])
def test_what_goes_is_told_from_what_was_applied_last(
    launch: Launch, monkeypatch: pytest.MonkeyPatch, act: Act
) -> None:
    deployment = launch()
    monkeypatch.setattr(MemoryProvider, "what_goes", act)

    told = foretell_deletion(deployment)

    assert not told.is_live
    assert "failed at what_goes" in told.cause
    assert [one.object.kind for one in told.going.objects] == ["MemoryWorkload", "MemoryService"]


@AT_FAULT
def test_a_removal_fails_and_gives_the_objects_back(
    launch: Launch,
    cluster: Cluster,
    memory: MemoryCluster,
    admin: User,
    monkeypatch: pytest.MonkeyPatch,
    act: Act,
) -> None:
    close_only(launch())
    [group] = groups_after_a_pass(cluster, memory)
    monkeypatch.setattr(MemoryProvider, "remove", act)

    with pytest.raises(ClusterUnavailable, match="failed at remove"):
        remove_orphans(cluster, [row.uid for row in group.objects], user=admin)

    assert not Orphan.objects.filter(is_terminating=True).exists()


@AT_FAULT
@pytest.mark.parametrize("verb", ["differences", "render"])
def test_an_adoption_is_refused_by_what_its_provider_does(
    launch: Launch,
    cluster: Cluster,
    memory: MemoryCluster,
    admin: User,
    monkeypatch: pytest.MonkeyPatch,
    verb: str,
    act: Act,
) -> None:
    forget_record(launch())
    [group] = groups_after_a_pass(cluster, memory)
    monkeypatch.setattr(MemoryProvider, verb, act)

    with pytest.raises(NotAdoptable, match=f"failed at {verb}"):
        plan_adoption(group, user=admin)


@AT_FAULT
def test_what_is_put_back_stays_a_promise(
    running: Deployment,
    meddle: Callable[..., None],
    owner: User,
    monkeypatch: pytest.MonkeyPatch,
    act: Act,
) -> None:
    meddle(replicas=7)
    digest = drift_of(running).digest
    monkeypatch.setattr(MemoryProvider, "put_back", act)

    restored = put_back_drift(running, user=owner, digest=digest)

    assert not restored.done
    assert "failed at put_back" in running.operations.unfinished().get().last_error


class Watched(MemoryProvider):
    """A provider whose look at a cluster is whatever a test gives it."""

    look: object = None

    def watch(self, *_args: object, **_kwargs: object) -> Any:
        return self.look


class Look:
    """A look that works and ends after its first turn; tests spoil it."""

    def __init__(self, stop: Event) -> None:
        self._stop = stop

    def changed(self, _seconds: float) -> Collection[str]:
        self._stop.set()
        return frozenset()

    def observe(self, *_args: object, **_kwargs: object) -> Any:
        return {}

    def close(self) -> None:
        """End nothing."""


@pytest.mark.parametrize(
    ("verb", "act"),
    [
        ("watch", None),
        ("changed", lambda *_: ["one"]),
        ("changed", lambda *_: frozenset({1})),
        ("changed", failing),
        ("observe", garbage),
        ("observe", failing),
        ("close", failing),
    ],
)
def test_a_look_at_fault_ends_with_an_error_that_is_followed_by_another_try(
    launch: Launch,
    cluster: Cluster,
    monkeypatch: pytest.MonkeyPatch,
    verb: str,
    act: Callable[..., Any] | None,
) -> None:
    launch()
    provider, stop = Watched(), Event()
    look = Look(stop)
    provider.look = look if act else None
    monkeypatch.setattr(look, verb, act, raising=False)
    monkeypatch.setattr("deployments.services.following.provider_of", lambda _: provider)

    with pytest.raises(ProviderFailed, match=f"failed at {verb}"):
        follow_cluster(cluster, "memory", stop)

    assert not Watch.objects.exclude(lease_owner="").exists()
