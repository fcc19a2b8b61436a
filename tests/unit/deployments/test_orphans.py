"""Objects without a record: found by the full pass, kept while they are there, never touched."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from deployments.models import Cluster, Deployment, Orphan
from deployments.services.refreshing import refresh_cluster
from providers.contract.errors import Rejected, Unavailable
from providers.contract.manifest import ObjectKey, key_of
from providers.contract.protocols import Listing
from providers.testing.memory.cluster import MemoryCluster
from providers.testing.memory.door import MemoryDoor
from providers.testing.memory.provider import MemoryProvider
from tests.orphaned import close_only, let_time_pass

Launch = Callable[..., Deployment]


@pytest.fixture
def lost(launch: Launch, memory: MemoryCluster) -> Deployment:
    """Return a deployment whose record is closed while its objects run."""
    deployment = launch()
    close_only(deployment)
    let_time_pass(memory)
    return deployment


def test_a_pass_lists_what_no_open_record_owns_and_touches_nothing(
    lost: Deployment, launch: Launch, cluster: Cluster, memory: MemoryCluster
) -> None:
    launch(name="managed")
    kept = dict(memory.objects)

    report = refresh_cluster(cluster)

    assert memory.objects == kept
    assert (report.orphans, Cluster.objects.get().orphans) == (2, 2)
    rows = Orphan.objects.all()
    assert [(row.kind, row.is_workload) for row in rows] == [
        ("MemoryWorkload", True),
        ("MemoryService", False),
    ]
    workload = rows[0]
    assert workload.deployment_id == str(lost.pk)
    assert (workload.namespace, workload.name) == ("models", lost.runtime_name)
    assert (workload.display_name, workload.revision) == ("demo", 1)
    assert workload.provenance is not None
    assert workload.provenance["created_by"] == "olga"
    assert workload.created_at is not None


def test_a_pass_that_finds_the_same_again_writes_nothing_of_it(
    lost: Deployment, cluster: Cluster
) -> None:
    refresh_cluster(cluster)
    before = list(Orphan.objects.values())

    with CaptureQueriesContext(connection) as queries:
        refresh_cluster(cluster)

    written = [q["sql"] for q in queries if q["sql"].startswith(("INSERT", "UPDATE", "DELETE"))]
    assert [sql for sql in written if "orphan" in sql and '"deployments_cluster"' not in sql] == []
    assert list(Orphan.objects.values()) == before


def test_what_is_gone_leaves_the_list(
    lost: Deployment, cluster: Cluster, memory: MemoryCluster
) -> None:
    refresh_cluster(cluster)
    memory.objects.clear()

    assert refresh_cluster(cluster).orphans == 0
    assert not Orphan.objects.exists()


def test_what_has_a_record_again_leaves_the_list(lost: Deployment, cluster: Cluster) -> None:
    refresh_cluster(cluster)
    Deployment.objects.filter(pk=lost.pk).update(closed_at=None)

    assert refresh_cluster(cluster).orphans == 0
    assert not Orphan.objects.exists()


def test_what_was_made_a_moment_ago_may_still_be_undone_and_is_no_orphan(
    launch: Launch, cluster: Cluster, memory: MemoryCluster
) -> None:
    close_only(launch())
    memory.clock = timezone.now() + timedelta(seconds=55)
    assert refresh_cluster(cluster).orphans == 0

    memory.clock = timezone.now() + timedelta(seconds=65)
    assert refresh_cluster(cluster).orphans == 2


def test_a_launch_that_is_stored_while_the_cluster_is_read_is_no_orphan(
    launch: Launch, cluster: Cluster, memory: MemoryCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = MemoryDoor.probe

    def launch_meanwhile(*args: object, **kwargs: object) -> object:
        monkeypatch.setattr(MemoryDoor, "probe", read)
        launch(name="meanwhile")
        let_time_pass(memory)
        return read(*args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(MemoryDoor, "probe", launch_meanwhile)

    report = refresh_cluster(cluster)
    assert (report.deployments, report.orphans) == (0, 0)
    assert len(memory.objects) == 2


def test_what_another_cluster_row_of_the_same_cluster_manages_is_no_orphan(
    launch: Launch, cluster: Cluster, memory: MemoryCluster
) -> None:
    deployment = launch()
    let_time_pass(memory)
    other = Cluster.objects.create(name="the-same-by-another-name")
    Deployment.objects.filter(pk=deployment.pk).update(cluster=other)

    assert refresh_cluster(cluster).orphans == 0


def test_a_kind_that_could_not_be_read_stays_as_it_was_known(
    lost: Deployment, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    refresh_cluster(cluster)

    def without_services(*_args: object, **_kwargs: object) -> Listing:
        return Listing(observations={}, unread=frozenset({"MemoryService"}))

    monkeypatch.setattr(MemoryProvider, "list", without_services)
    assert refresh_cluster(cluster).orphans == 1
    assert Orphan.objects.get().kind == "MemoryService"


@pytest.mark.parametrize("fault", [Rejected("no", code="Forbidden"), Unavailable("no answer")])
def test_a_listing_that_fails_forgets_nothing(
    lost: Deployment, cluster: Cluster, memory: MemoryCluster, fault: Exception
) -> None:
    refresh_cluster(cluster)
    memory.faults["list"] = fault  # type: ignore[assignment]

    refresh_cluster(cluster)
    assert Orphan.objects.count() == 2
    assert Cluster.objects.get().orphans == 2


def test_an_implementation_that_is_not_installed_any_more_has_no_orphans(
    lost: Deployment, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    refresh_cluster(cluster)
    probe = MemoryDoor.probe

    def without_the_kind(*args: object, **kwargs: object) -> object:
        return replace(probe(*args, **kwargs), kinds={"memory": False})  # type: ignore[arg-type]

    monkeypatch.setattr(MemoryDoor, "probe", without_the_kind)
    assert refresh_cluster(cluster).orphans == 0


def test_what_nothing_in_this_console_carries_any_more_is_told_of_by_nobody(
    lost: Deployment, cluster: Cluster
) -> None:
    refresh_cluster(cluster)
    Orphan.objects.update(implementation="acme")
    Orphan.objects.filter(is_workload=True).update(uid="of-acme")

    assert refresh_cluster(cluster).orphans == 2
    assert set(Orphan.objects.values_list("implementation", flat=True)) == {"memory"}


def test_an_object_that_begins_to_go_is_told_so(
    lost: Deployment, cluster: Cluster, memory: MemoryCluster
) -> None:
    refresh_cluster(cluster)
    for stored in memory.objects.values():
        stored.deleting = True

    refresh_cluster(cluster)
    assert set(Orphan.objects.values_list("is_terminating", flat=True)) == {True}


@pytest.mark.parametrize(
    "bad_id",
    [
        "",
        "not-a-uuid",
        "x" * 63,
        "0E0A3B1E-0000-4000-8000-00000000000A",
        "0e0a3b1e00004000800000000000000a",
    ],
)
def test_any_label_may_stand_where_an_id_should(
    lost: Deployment, cluster: Cluster, memory: MemoryCluster, bad_id: str
) -> None:
    for stored in memory.objects.values():
        stored.manifest["metadata"]["labels"]["slipway.dev/id"] = bad_id

    assert refresh_cluster(cluster).orphans == 2
    assert set(Orphan.objects.values_list("deployment_id", flat=True)) == {bad_id}


def test_what_an_object_says_of_itself_is_kept_as_far_as_it_can_be_stored(
    lost: Deployment, cluster: Cluster, memory: MemoryCluster
) -> None:
    for stored in memory.objects.values():
        annotations = stored.manifest["metadata"]["annotations"]
        annotations["slipway.dev/display-name"] = "\0" + "n" * 300
        annotations["slipway.dev/digest"] = "d" * 300
        annotations["slipway.dev/revision"] = "9" * 300
        annotations["slipway.dev/launch"] = "no json"

    report = refresh_cluster(cluster)

    assert (report.orphans, report.problems) == (2, ())
    row = Orphan.objects.all()[0]
    assert (row.display_name, row.revision, row.provenance) == ("n" * 200, 0, None)


def test_the_queries_of_a_pass_do_not_grow_with_what_has_no_record(
    launch: Launch, cluster: Cluster, memory: MemoryCluster
) -> None:
    counts = []
    for names in (["a"], ["b", "c", "d", "e"]):
        memory.clock = None
        for name in names:
            close_only(launch(name=name))
        let_time_pass(memory)
        refresh_cluster(cluster)
        with CaptureQueriesContext(connection) as queries:
            refresh_cluster(cluster)
        counts.append(len(queries))

    assert counts[0] == counts[1]
    assert Orphan.objects.count() == 10


def test_an_object_that_was_made_anew_is_another_one(
    lost: Deployment, cluster: Cluster, memory: MemoryCluster
) -> None:
    refresh_cluster(cluster)
    key = ObjectKey(
        api_version="memory.slipway.dev/v1",
        kind="MemoryWorkload",
        name=lost.runtime_name,
        namespace="models",
    )
    manifest = memory.objects[key].manifest
    assert key_of(manifest) == key
    old = memory.objects.pop(key).uid
    memory.clock = None
    new = memory.apply(manifest).uid
    let_time_pass(memory)

    refresh_cluster(cluster)
    uids = set(Orphan.objects.values_list("uid", flat=True))
    assert new in uids
    assert old not in uids


def test_a_pass_that_lost_its_lease_keeps_nothing(
    lost: Deployment, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = MemoryProvider.list

    def slowly(*args: object, **kwargs: object) -> Listing:
        Cluster.objects.update(lease_owner="another process")
        return read(*args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(MemoryProvider, "list", slowly)

    assert refresh_cluster(cluster).error_code == "LeaseLost"
    assert not Orphan.objects.exists()
