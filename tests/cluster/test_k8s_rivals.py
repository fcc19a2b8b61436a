"""Two autoscalers on one Deployment: refused by name before anything is written."""

from collections.abc import Iterator

import pytest

from providers.contract.checks import Check, Result
from providers.contract.errors import Rejected
from providers.contract.manifest import Manifest
from tests.cluster.harness.api import namespaced
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.launching import Launch, eventually, launch_in, preflight

pytestmark = pytest.mark.usefixtures("cluster_nodes")

AUTOSCALED = {"enable_auto_scaling": True, "min_replicas": 2, "max_replicas": 5}
CRD = "scaledobjects.keda.sh"
CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"


def running(plane: ControlPlane, namespace: str, **overrides: object) -> Launch:
    launch = launch_in(plane, namespace, overrides=overrides)
    launch.create()
    return launch


def add_autoscaler(launch: Launch, name: str, **metadata: object) -> None:
    """Make an autoscaler as somebody else would."""
    target = {"apiVersion": "apps/v1", "kind": "Deployment", "name": launch.request.runtime_name}
    body: Manifest = {
        "apiVersion": "autoscaling/v2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": name, **metadata},
        "spec": {"scaleTargetRef": target, "minReplicas": 1, "maxReplicas": 9},
    }
    collection = namespaced(
        launch.request.namespace, "horizontalpodautoscalers", api="apis/autoscaling/v2"
    )
    launch.api.create(collection, body)


def conflict(launch: Launch) -> Check:
    return next(check for check in preflight(launch) if check.code == "AutoscalerConflict")


def test_a_second_autoscaler_is_refused_by_the_name_of_the_first(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = running(control_plane, namespace, min_replicas=2)
    add_autoscaler(launch, "by-hand")
    launch.request = launch.rescaled(**AUTOSCALED)
    before = launch.api.get(launch.deployment_path)["metadata"]["generation"]

    check = conflict(launch)
    with pytest.raises(Rejected) as refused:
        launch.update(launch.request)

    assert (check.result, check.field) == (Result.FAIL, "overrides.enable_auto_scaling")
    assert "HorizontalPodAutoscaler by-hand acts on Deployment" in check.message
    assert (refused.value.code, refused.value.message) == ("AutoscalerConflict", check.message)
    assert launch.api.get(launch.deployment_path)["metadata"]["generation"] == before
    assert launch.api.find(launch.autoscaler_path) is None


def test_a_second_one_beside_our_own_is_a_warning_that_ends_no_other_change(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = running(control_plane, namespace, **AUTOSCALED)
    add_autoscaler(launch, "by-hand")
    launch.request = launch.with_env(COLOUR="blue")

    check = conflict(launch)
    launch.update(launch.request)

    assert check.result is Result.WARN
    assert "by-hand" in check.message
    eventually(
        "the status tells of it",
        lambda: "AutoscalerConflict" in {found.reason for found in launch.get().status.evidence},
    )


def test_one_on_a_fixed_number_is_a_warning_at_that_number(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = running(control_plane, namespace, min_replicas=1)
    add_autoscaler(launch, "by-hand")
    launch.request = launch.rescaled(min_replicas=2)

    check = conflict(launch)

    assert (check.result, check.field) == (Result.WARN, "overrides.min_replicas")


def test_an_autoscaler_of_another_deployment_is_no_rival(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = running(control_plane, namespace, min_replicas=2)
    add_autoscaler(running(control_plane, namespace, min_replicas=1), "by-hand")
    launch.request = launch.rescaled(**AUTOSCALED)

    assert "AutoscalerConflict" not in {check.code for check in preflight(launch)}
    launch.update(launch.request)


@pytest.fixture
def scaled_objects(control_plane: ControlPlane) -> Iterator[None]:
    """Let the cluster know a kind of autoscaler that others install."""
    loose = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    version = {
        "name": "v1alpha1",
        "served": True,
        "storage": True,
        "schema": {"openAPIV3Schema": loose},
    }
    names = {"kind": "ScaledObject", "plural": "scaledobjects", "singular": "scaledobject"}
    spec = {"group": "keda.sh", "scope": "Namespaced", "names": names, "versions": [version]}
    body: Manifest = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": CRD},
        "spec": spec,
    }
    control_plane.api.create(CRDS, body)
    listing = namespaced("default", "scaledobjects", api="apis/keda.sh/v1alpha1")
    eventually("the kind is served", lambda: control_plane.api.ask("GET", listing).status == 200)
    yield
    control_plane.api.delete(f"{CRDS}/{CRD}")
    eventually("the kind is gone", lambda: control_plane.api.find(f"{CRDS}/{CRD}") is None)


@pytest.mark.usefixtures("scaled_objects")
def test_an_autoscaler_that_another_one_made_goes_by_the_name_of_its_maker(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = running(control_plane, namespace, min_replicas=2)
    body: Manifest = {
        "apiVersion": "keda.sh/v1alpha1",
        "kind": "ScaledObject",
        "metadata": {"name": "nightly"},
        "spec": {"scaleTargetRef": {"name": launch.request.runtime_name}},
    }
    collection = namespaced(namespace, "scaledobjects", api="apis/keda.sh/v1alpha1")
    made = launch.api.create(collection, body)
    owner = {
        "apiVersion": "keda.sh/v1alpha1",
        "kind": "ScaledObject",
        "name": "nightly",
        "uid": made["metadata"]["uid"],
        "controller": True,
    }
    add_autoscaler(launch, "keda-hpa-nightly", ownerReferences=[owner])
    launch.request = launch.rescaled(**AUTOSCALED)

    message = conflict(launch).message

    assert message.startswith("ScaledObject nightly acts on Deployment")
    assert "keda-hpa-nightly" not in message
