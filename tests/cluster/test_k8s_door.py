"""What the door tells of a cluster, to who may see all of it and to who may not."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from providers.contract.capacity import AcceleratorCapacity
from providers.contract.manifest import Manifest
from providers.contract.status import Phase
from providers.contract.target import AcceleratorMapping, ClusterTarget, Connection
from providers.kube.clock import deadline_in
from providers.kube.door import door
from providers.kubernetes.provider import provider
from providers.testing.samples import spec_with
from tests.cluster.harness.api import Api, namespaced
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.kubelet.nodes import NodeSpec
from tests.cluster.launching import SECONDS, Launch, eventually, launch_in, target_for
from tests.cluster.namespaces import new_namespace, remove_namespace
from tests.cluster.scheduling import one_more_node

pytestmark = pytest.mark.usefixtures("cluster_nodes")

RBAC = "apis/rbac.authorization.k8s.io/v1"
GPU = spec_with(accelerator={"type": "H100", "count": 2})
# A node of its own: pods of tests before this one may still hold what the usual ones have.
POOL = {"pool": "counted"}
COUNTED = NodeSpec(name="counted-1", labels=POOL, capacity={"nvidia.com/gpu": "8"})
H100 = {"H100": AcceleratorMapping(node_selector=POOL)}
WRITE = ["get", "list", "create", "patch", "delete"]
LEAST_RULES: list[Manifest] = [
    {"apiGroups": ["apps"], "resources": ["deployments"], "verbs": WRITE},
    {"apiGroups": [""], "resources": ["services"], "verbs": WRITE},
    {"apiGroups": ["autoscaling"], "resources": ["horizontalpodautoscalers"], "verbs": WRITE},
    {"apiGroups": ["apps"], "resources": ["replicasets"], "verbs": ["list"]},
    {"apiGroups": [""], "resources": ["pods", "events", "resourcequotas"], "verbs": ["list"]},
    {"apiGroups": ["discovery.k8s.io"], "resources": ["endpointslices"], "verbs": ["list"]},
    {"apiGroups": [""], "resources": ["secrets"], "verbs": ["get"]},
    {"apiGroups": [""], "resources": ["namespaces"], "verbs": ["get"]},
]


def bind(api: Api, namespace: str, rules: list[Manifest]) -> None:
    """Make an account `console` with these rights in one namespace."""
    account = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "console"}}
    api.create(namespaced(namespace, "serviceaccounts"), account)
    role = {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "Role",
        "metadata": {"name": "console"},
        "rules": rules,
    }
    api.create(namespaced(namespace, "roles", api=RBAC), role)
    binding = {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "RoleBinding",
        "metadata": {"name": "console"},
        "roleRef": {"apiGroup": RBAC.split("/")[1], "kind": "Role", "name": "console"},
        "subjects": [{"kind": "ServiceAccount", "name": "console", "namespace": namespace}],
    }
    api.create(namespaced(namespace, "rolebindings", api=RBAC), binding)


@pytest.fixture
def least(control_plane: ControlPlane, namespace: str) -> Path:
    bind(control_plane.api, namespace, LEAST_RULES)
    path = control_plane.service_account_kubeconfig(namespace, "console")
    target = _with(path, target_for(control_plane, namespace))
    eventually(
        "the rights count",
        lambda: (
            not door.read_shared(
                target, with_events_of=(namespace,), deadline=deadline_in(SECONDS)
            ).unreadable.keys()
            & {"Pod", "Event", "ResourceQuota"}
        ),
    )
    return path


def _with(path: Path, target: ClusterTarget) -> ClusterTarget:
    return replace(target, key=str(path), connection=Connection(kubeconfig=str(path)))


def test_a_probe_tells_version_identity_and_kinds(
    control_plane: ControlPlane, namespace: str
) -> None:
    facts = door.probe(target_for(control_plane, namespace), deadline=deadline_in(SECONDS))

    system = control_plane.api.get("/api/v1/namespaces/kube-system")
    assert facts.version.startswith("v1.")
    assert facts.uid == system["metadata"]["uid"]
    assert facts.kinds["k8s-deployment"]
    assert {"k8s-deployment", "stormservice", "kserve-inferenceservice"} <= set(facts.kinds)


@pytest.fixture
def counted_node(control_plane: ControlPlane) -> Iterator[None]:
    with one_more_node(control_plane, COUNTED):
        yield


def h100s(target: ClusterTarget) -> AcceleratorCapacity:
    capacity = door.read_capacity(target, deadline=deadline_in(SECONDS))
    [found] = [one for one in capacity.accelerators if one.type == "H100"]
    return found


@pytest.mark.usefixtures("counted_node")
def test_accelerators_are_counted_less_by_what_runs(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = launch_in(control_plane, namespace, spec=GPU, accelerators=H100)
    before = h100s(launch.target)
    launch.create()
    launch.wait_until_ready(1)

    after = h100s(launch.target)

    assert (before.total, before.free) == (8, 8)
    assert (after.total, after.free) == (8, 6)


def test_a_launch_with_the_least_rights_in_one_namespace_goes_all_the_way(
    control_plane: ControlPlane, namespace: str, least: Path
) -> None:
    autoscaled = {"enable_auto_scaling": True, "min_replicas": 1, "max_replicas": 2}
    launch = launch_in(control_plane, namespace, overrides=autoscaled)
    launch.target = _with(least, launch.target)

    checks = provider.preflight(
        launch.request, launch.target, capacity=None, deadline=deadline_in(SECONDS)
    )
    assert {check.code for check in checks if check.result.value == "unknown"} == {"PodUntried"}
    assert [check for check in checks if check.result.value == "fail"] == []
    launch.create()
    assert launch.wait_until_ready(1).status.notes == ()
    launch.update(launch.rescaled(enable_auto_scaling=False, min_replicas=2))
    launch.wait_until_ready(2)
    _listed_as_ready(launch, namespace)
    eventually(
        "gone",
        lambda: provider.delete(launch.ref, launch.target, deadline=deadline_in(SECONDS)).gone,
    )


def _listed_as_ready(launch: Launch, namespace: str) -> None:
    shared = door.read_shared(
        launch.target, with_events_of=(namespace,), deadline=deadline_in(SECONDS)
    )
    listing = provider.list(launch.target, [launch.ref], shared, deadline=deadline_in(SECONDS))
    status = listing.observations[launch.request.id].status
    assert (status.phase, status.ready_replicas) == (Phase.READY, 2)


@pytest.mark.parametrize("in_the_row", [True, False])
def test_what_stands_in_a_namespace_without_rights_is_not_taken_for_gone(
    control_plane: ControlPlane, namespace: str, least: Path, other: str, *, in_the_row: bool
) -> None:
    launch = launch_in(control_plane, other)
    launch.create()
    names = (namespace, other) if in_the_row else (namespace,)
    target = replace(_with(least, launch.target), namespaces=names)

    shared = door.read_shared(target, with_events_of=(namespace,), deadline=deadline_in(SECONDS))
    listing = provider.list(target, [launch.ref], shared, deadline=deadline_in(SECONDS))

    status = listing.observations[launch.request.id].status
    assert status.phase is not Phase.DELETED
    assert "Forbidden" in {note.reason for note in status.notes}


def test_several_read_by_id_are_told_as_in_a_pass_with_all_rights_or_the_least(
    control_plane: ControlPlane, namespace: str, least: Path, other: str
) -> None:
    fails = spec_with(engine={"env": {"SLIPWAY_SIMULATE": "image-not-found"}})
    ready, failing = (
        launch_in(control_plane, namespace),
        launch_in(control_plane, namespace, spec=fails),
    )
    elsewhere = launch_in(control_plane, other)
    launches = [ready, failing, elsewhere]
    for launch in launches:
        launch.create()
    ready.wait_until_ready(1)
    elsewhere.wait_until_ready(1)
    eventually("it fails", lambda: failing.get().status.phase is Phase.FAILED)
    spaces = (namespace, other)

    for target in (ready.target, _with(least, replace(ready.target, namespaces=spaces))):
        _agree(target, launches, spaces)


def _agree(target: ClusterTarget, launches: list[Launch], spaces: tuple[str, ...]) -> None:
    """Hold what is told of each against a pass; a verdict may move on between the two."""
    refs = [launch.ref for launch in launches]

    def agreed() -> bool:
        several = provider.get_several(refs, target, deadline=deadline_in(SECONDS))
        shared = door.read_shared(target, with_events_of=spaces, deadline=deadline_in(SECONDS))
        listed = provider.list(target, refs, shared, deadline=deadline_in(SECONDS)).observations
        return several.keys() == listed.keys() and all(
            seen.status.says_the_same(listed[key].status) for key, seen in several.items()
        )

    eventually("both tell the same", agreed)


@pytest.fixture
def other(control_plane: ControlPlane, namespace: str) -> Iterator[str]:
    name = new_namespace(control_plane.api, f"{namespace}-other")
    yield name
    remove_namespace(control_plane.api, name)


def test_without_a_look_at_nodes_capacity_is_unknown_and_says_why(
    control_plane: ControlPlane, namespace: str, least: Path
) -> None:
    target = _with(least, target_for(control_plane, namespace, accelerators=H100))

    shared = door.read_shared(target, with_events_of=(), deadline=deadline_in(SECONDS))

    assert shared.capacity.accelerators == ()
    assert 'cannot list resource "nodes"' in shared.capacity.unknown_because
    assert "Node" in shared.unreadable
    assert "Pod" not in shared.unreadable


def test_an_evicted_pod_is_seen_by_the_pass_as_by_the_live_read(
    control_plane: ControlPlane, namespace: str
) -> None:
    spec = spec_with(engine={"env": {"SLIPWAY_SIMULATE": "evict:1"}})
    launch = launch_in(control_plane, namespace, spec=spec)
    launch.create()
    pods = namespaced(namespace, "pods")
    eventually(
        "evicted",
        lambda: [
            pod
            for pod in control_plane.api.get(pods)["items"]
            if pod["status"]["phase"] == "Failed"
        ],
    )

    shared = door.read_shared(
        launch.target, with_events_of=(namespace,), deadline=deadline_in(SECONDS)
    )
    listing = provider.list(launch.target, [launch.ref], shared, deadline=deadline_in(SECONDS))

    evidence = listing.observations[launch.request.id].status.evidence
    assert "Evicted" in {item.reason for item in evidence}
