from copy import deepcopy

from providers.carrying.parts import (
    at_replicas,
    is_current,
    owned_by,
    parts_of,
    replicas_of,
    scale_stub,
)
from providers.carrying.rehearsing import pod_of
from providers.contract.manifest import Manifest
from providers.kube.apply import managers_of
from providers.kubernetes.carrier import CARRIER
from providers.kubernetes.provider import provider
from providers.testing.samples import make_request, make_target

TARGET = make_target()
PARTS = parts_of(CARRIER, provider.render(make_request(provider), TARGET))
SERVICE = PARTS.companions[0]
TEMPLATE = PARTS.workload["spec"]["template"]
AUTOSCALED = parts_of(
    CARRIER,
    provider.render(
        make_request(
            provider,
            overrides={"enable_auto_scaling": True, "min_replicas": 1, "max_replicas": 3},
        ),
        TARGET,
    ),
)


def live(manifest: Manifest, **metadata: object) -> Manifest:
    found = deepcopy(manifest)
    found["metadata"] |= {"uid": "u-1", **metadata}
    return found


def test_parts_are_told_apart_whatever_there_is() -> None:
    assert [key.kind for key in PARTS.keys] == ["Deployment", "Service"]
    assert [key.kind for key in AUTOSCALED.keys][-1] == "HorizontalPodAutoscaler"
    assert "replicas" not in AUTOSCALED.workload["spec"]


def test_what_was_written_from_this_body_is_current() -> None:
    assert is_current(live(SERVICE), SERVICE)
    assert not is_current(None, SERVICE)
    assert not is_current(live(SERVICE, annotations={}), SERVICE)
    assert not is_current(live(SERVICE, deletionTimestamp="now"), SERVICE)


def test_what_belongs_to_an_earlier_deployment_is_written_again() -> None:
    owned = owned_by(SERVICE, live(PARTS.workload))

    assert is_current(live(owned), owned)
    assert not is_current(live(SERVICE), owned)


def test_an_owner_is_named_but_does_not_control() -> None:
    (owner,) = owned_by(SERVICE, live(PARTS.workload))["metadata"]["ownerReferences"]

    assert (owner["kind"], owner["uid"]) == ("Deployment", "u-1")
    assert "controller" not in owner
    assert "ownerReferences" not in SERVICE["metadata"]


def test_a_step_on_the_way_is_never_taken_for_the_end() -> None:
    step = at_replicas(PARTS.workload, 7)

    assert replicas_of(step) == 7
    assert not is_current(live(step), PARTS.workload)
    assert replicas_of(PARTS.workload) == 1


def test_a_number_that_is_missing_is_one_and_zero_is_zero() -> None:
    assert replicas_of({"spec": {}}) == 1
    assert replicas_of({"spec": {"replicas": 0}}) == 0


def test_the_second_manager_names_nothing_but_the_number() -> None:
    assert scale_stub(PARTS.workload, 3)["spec"] == {"replicas": 3}
    assert scale_stub(PARTS.workload, 0)["spec"] == {"replicas": 0}
    assert scale_stub(PARTS.workload, None)["spec"] == {}


def test_the_pod_that_is_tried_is_the_templates_own() -> None:
    pod = pod_of(PARTS.workload, TEMPLATE)

    assert pod["spec"] == PARTS.workload["spec"]["template"]["spec"]
    assert pod["metadata"]["namespace"] == "models"
    assert "name" not in PARTS.workload["spec"]["template"]["metadata"]


def test_the_pod_that_is_tried_has_a_name_that_any_cluster_takes_without_a_warning() -> None:
    long_name = "a" * 54 + "-" + "b" * 8
    named = {**PARTS.workload, "metadata": {**PARTS.workload["metadata"], "name": long_name}}

    assert pod_of(named, TEMPLATE)["metadata"]["name"] == "a" * 54 + "-dry-run"


def test_managers_of_a_field_are_read_from_any_shape() -> None:
    held: Manifest = {"f:spec": {"f:replicas": {}}}
    entries = [
        {"manager": "a", "fieldsV1": held},
        {"manager": "b", "fieldsV1": {"f:spec": {}}},
        {"manager": "c"},
        {"manager": "d", "fieldsV1": {"f:spec": 7}},
    ]

    assert managers_of({"metadata": {"managedFields": entries}}, "spec", "replicas") == {"a"}
    assert managers_of({}, "spec", "replicas") == frozenset()
