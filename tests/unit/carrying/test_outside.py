import json

import msgspec
import pytest

from providers.carrying.outside import changed_outside, without_own_fields
from providers.contract.manifest import Manifest
from providers.kubernetes.carrier import OwnedDeployment


def deployment(*entries: object) -> OwnedDeployment:
    body = json.dumps({"metadata": {"name": "web", "managedFields": entries}})
    return msgspec.json.decode(body, type=OwnedDeployment)


def entry(manager: str, fields: object, **more: object) -> dict[str, object]:
    return {"manager": manager, "fieldsV1": fields, **more}


ENGINE = 'k:{"name":"engine"}'
IMAGE: Manifest = {
    "f:spec": {"f:template": {"f:spec": {"f:containers": {ENGINE: {"f:image": {}}}}}}
}
REPLICAS: Manifest = {"f:spec": {"f:replicas": {}}}
IMAGE_PATH = "spec.template.spec.containers[name=engine].image"


@pytest.mark.parametrize(
    ("entries", "paths"),
    [
        ([], ()),
        ([entry("slipway", IMAGE), entry("slipway-scale", REPLICAS)], ()),
        ([entry("kube-controller-manager", REPLICAS, subresource="scale")], ()),
        ([entry("kubectl-edit", IMAGE)], (IMAGE_PATH,)),
        ([entry("kubectl", REPLICAS, subresource="scale")], ("spec.replicas",)),
        ([entry("kubectl-edit", {"f:metadata": {"f:labels": {}}})], ()),
        ([entry("kubelet", {"f:spec": {"f:x": {}}}, subresource="status")], ()),
        ([entry("slipway", IMAGE), entry("kubectl-edit", IMAGE)], ()),
        ([None, entry("kubectl-edit", 7), {"manager": None}], ()),
        ([{"manager": None, "fieldsV1": REPLICAS}], ("spec.replicas",)),
        ([entry("x", {"f:spec": {"f:list": {".": {}, "v:7": {}}}})], ("spec.list[7]",)),
    ],
)
def test_what_others_hold_without_us_was_changed_outside(
    entries: list[object], paths: tuple[str, ...]
) -> None:
    assert changed_outside(deployment(*entries)) == paths
    assert changed_outside(without_own_fields(deployment(*entries))) == paths


def test_managers_are_kept_only_where_one_of_them_is_foreign() -> None:
    ours = without_own_fields(deployment(entry("slipway", IMAGE)))
    theirs = without_own_fields(deployment(entry("slipway", IMAGE), entry("kubectl-edit", IMAGE)))

    assert ours.metadata is not None
    assert ours.metadata.managed_fields is None
    assert theirs.metadata is not None
    assert len(theirs.metadata.managed_fields or ()) == 2


def test_nothing_was_changed_on_what_is_not_there() -> None:
    assert changed_outside(None) == ()


def test_ten_paths_are_enough() -> None:
    many: Manifest = {"f:spec": {f"f:a{number}": {} for number in range(30)}}

    assert len(changed_outside(deployment(entry("x", many)))) == 10
