"""Every case of `cases/` against the manifests of the same name in `expected/`.

After a change that is meant: pytest tests/golden --update-golden, and read the diff.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import pytest

from providers.contract.checks import Result
from providers.contract.manifest import Manifest
from providers.contract.yaml_text import load_all, load_yaml, to_yaml
from providers.kubernetes.render import render
from providers.kubernetes.validate import validate
from tests.golden.build import ID, NAMESPACE, request_of, target_of

HERE = Path(__file__).parent
CASES = sorted(path.stem for path in (HERE / "cases").glob("*.yaml"))
SECRET_WORDS = ("TOKEN", "SECRET", "PASSWORD", "ACCESS_KEY", "API_KEY")

Case = Mapping[str, Any]


def load_case(name: str) -> Case:
    text = (HERE / "cases" / f"{name}.yaml").read_text(encoding="utf-8")
    return cast("Case", load_yaml(text, at=name))


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest) -> Case:
    return {**load_case(request.param), "file": f"{request.param}.yaml"}


@pytest.fixture
def manifests(case: Case) -> tuple[Manifest, ...]:
    return render(request_of(case), target_of(case))


def container_of(workload: Manifest) -> Manifest:
    return cast("Manifest", workload["spec"]["template"]["spec"]["containers"][0])


def test_a_case_renders_what_is_expected(
    case: Case, manifests: tuple[Manifest, ...], *, update_golden: bool
) -> None:
    expected = HERE / "expected" / case["file"]
    written = to_yaml(manifests)
    if update_golden:
        expected.write_text(written, encoding="utf-8")
    assert written == expected.read_text(encoding="utf-8")


def test_no_expected_file_is_without_its_case() -> None:
    assert sorted(path.stem for path in (HERE / "expected").glob("*.yaml")) == CASES


def test_what_is_written_reads_back_as_the_same_objects(manifests: tuple[Manifest, ...]) -> None:
    assert load_all(to_yaml(manifests)) == manifests


def test_rendering_twice_gives_the_same(case: Case, manifests: tuple[Manifest, ...]) -> None:
    assert render(request_of(case), target_of(case)) == manifests


def test_a_case_is_valid(case: Case) -> None:
    checks = validate(request_of(case), target_of(case))
    assert [check.code for check in checks if check.result is Result.FAIL] == []


def test_every_object_is_complete_and_ours(manifests: tuple[Manifest, ...]) -> None:
    for manifest in manifests:
        labels = manifest["metadata"]["labels"]
        assert manifest["metadata"]["namespace"] == NAMESPACE
        assert labels["app.kubernetes.io/managed-by"] == "slipway"
        assert labels["app.kubernetes.io/instance"] == manifest["metadata"]["name"]
        assert labels["slipway.dev/id"] == ID
        assert labels["slipway.dev/implementation"] == "k8s-deployment"
        assert "ownerReferences" not in manifest["metadata"]


def test_both_selectors_select_the_pods(manifests: tuple[Manifest, ...]) -> None:
    workload, service = manifests[:2]
    labels = workload["spec"]["template"]["metadata"]["labels"].items()
    assert workload["spec"]["selector"]["matchLabels"].items() <= labels
    assert service["spec"]["selector"].items() <= labels


def test_the_service_reaches_the_port_that_the_container_opens(
    manifests: tuple[Manifest, ...],
) -> None:
    workload, service = manifests[:2]
    ports = container_of(workload)["ports"]
    assert service["spec"]["ports"][0]["targetPort"] == ports[0]["containerPort"]


def test_accelerators_are_whole_and_equal_in_requests_and_limits(
    case: Case, manifests: tuple[Manifest, ...]
) -> None:
    accelerator = request_of(case).spec.accelerator
    resources = container_of(manifests[0]).get("resources", {})
    limits = resources.get("limits", {})
    assert [int(count) for count in limits.values()] == [accelerator.per_pod] * len(limits)
    assert bool(limits) is not accelerator.is_cpu
    assert limits.items() <= resources.get("requests", {}).items()


def test_no_variable_stands_twice_and_no_secret_stands_in_clear(
    manifests: tuple[Manifest, ...],
) -> None:
    env = container_of(manifests[0]).get("env", [])
    names = [variable["name"] for variable in env]
    secret = [v for v in env if any(word in v["name"].upper() for word in SECRET_WORDS)]
    assert len(names) == len(set(names))
    assert [v["name"] for v in secret if "secretKeyRef" not in v.get("valueFrom", {})] == []


def test_every_mount_has_its_volume_and_no_path_is_mounted_twice(
    manifests: tuple[Manifest, ...],
) -> None:
    pod = manifests[0]["spec"]["template"]["spec"]
    mounts = container_of(manifests[0])["volumeMounts"]
    paths = [mount["mountPath"] for mount in mounts]
    volumes = [volume["name"] for volume in pod["volumes"]]
    assert sorted(mount["name"] for mount in mounts) == sorted(volumes)
    assert len(paths) == len(set(paths))
    assert len(volumes) == len(set(volumes))


def test_scaling_and_a_new_revision_leave_the_pods_alone(
    case: Case, manifests: tuple[Manifest, ...]
) -> None:
    later = {**case, "revision": 7, "rollout": "replace"}
    later["overrides"] = {**case.get("overrides", {}), "min_replicas": 3, "max_replicas": 4}
    later["overrides"].pop("enable_auto_scaling", None)
    again = render(request_of(later), target_of(later))
    assert again[0]["spec"]["template"] == manifests[0]["spec"]["template"]
    assert again[0]["metadata"]["annotations"]["slipway.dev/revision"] == "7"


def test_a_new_revision_alone_changes_no_digest(
    case: Case, manifests: tuple[Manifest, ...]
) -> None:
    later = {**case, "revision": 7}
    digests = [m["metadata"]["annotations"]["slipway.dev/digest"] for m in manifests]
    again = render(request_of(later), target_of(later))
    assert [m["metadata"]["annotations"]["slipway.dev/digest"] for m in again] == digests


def test_with_an_autoscaler_nobody_else_names_a_number_of_replicas(
    manifests: tuple[Manifest, ...],
) -> None:
    has_autoscaler = len(manifests) == 3
    assert ("replicas" not in manifests[0]["spec"]) is has_autoscaler
