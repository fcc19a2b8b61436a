"""Every case of `cases/` as an InferenceService, against the manifest of that name in `expected/`.

After a change that is meant: pytest tests/golden --update-golden, and read the diff.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from providers.contract.checks import Result
from providers.contract.manifest import Manifest
from providers.contract.request import DeployRequest, Provenance
from providers.contract.yaml_text import load_all, load_yaml, to_yaml
from providers.kserve.provider import provider
from tests.golden.build import ID, NAMESPACE, request_of, target_of

HERE = Path(__file__).parent
CASES = sorted(path.stem for path in (HERE / "cases").glob("*.yaml"))
LONGEST_NAME, LONGEST_HOST = 48, 63

Case = Mapping[str, Any]


def load_case(name: str) -> Case:
    text = (HERE / "cases" / f"{name}.yaml").read_text(encoding="utf-8")
    return cast("Case", load_yaml(text, at=name))


def asked(case: Case) -> DeployRequest:
    """Return the request of a case, named as this kind names its object."""
    request = request_of(case)
    name = provider.runtime_name(
        request.name, deployment_id=ID, namespace=NAMESPACE, spec=request.spec
    )
    return replace(request, runtime_name=name)


def rendered(case: Case) -> Manifest:
    [service] = provider.render(asked(case), target_of(case))
    return service


def template_of(service: Manifest) -> Manifest:
    [template] = provider.carrier.templates_of(service)
    return template


def container_of(service: Manifest) -> Manifest:
    [container] = template_of(service)["spec"]["containers"]
    return cast("Manifest", container)


def digest_of(service: Manifest) -> str:
    return str(service["spec"]["predictor"]["annotations"]["slipway.dev/pod-digest"])


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest) -> Case:
    return {**load_case(request.param), "file": f"{request.param}.yaml"}


@pytest.fixture
def service(case: Case) -> Manifest:
    return rendered(case)


def test_a_case_renders_what_is_expected(
    case: Case, service: Manifest, *, update_golden: bool
) -> None:
    expected = HERE / "expected" / case["file"]
    written = to_yaml([service])
    if update_golden:
        expected.write_text(written, encoding="utf-8")
    assert written == expected.read_text(encoding="utf-8")


def test_no_expected_file_is_without_its_case() -> None:
    assert sorted(path.stem for path in (HERE / "expected").glob("*.yaml")) == CASES


def test_what_is_written_reads_back_as_the_same_object(service: Manifest) -> None:
    assert load_all(to_yaml([service])) == (service,)


def test_a_case_is_valid(case: Case) -> None:
    checks = provider.validate(asked(case), target_of(case))
    assert [check.code for check in checks if check.result is Result.FAIL] == []


def test_the_controller_finds_its_container_with_all_four_values(service: Manifest) -> None:
    resources = container_of(service)["resources"]
    assert container_of(service)["name"] == "kserve-container"
    assert resources["limits"].keys() >= {"cpu", "memory"}
    assert {name: resources["requests"][name] for name in resources["limits"]} == (
        resources["limits"]
    )


def test_the_word_for_raw_mode_is_the_one_that_every_version_takes(service: Manifest) -> None:
    annotations = service["metadata"]["annotations"]
    assert annotations["serving.kserve.io/deploymentMode"] == "RawDeployment"
    assert annotations["serving.kserve.io/autoscalerClass"] == "hpa"


def test_what_a_revision_changes_by_itself_stands_nowhere_on_it(case: Case) -> None:
    request, target = asked(case), target_of(case)
    told = Provenance(model="qwen", template="chat", template_version="2")
    later = replace(request, revision=7, name="Another name", provenance=told)
    assert provider.render(later, target) == provider.render(request, target)


def test_scaling_and_stopping_change_nothing_that_pods_are_made_from(
    case: Case, service: Manifest
) -> None:
    for overrides in (
        {"min_replicas": 5},
        {"min_replicas": 0},
        {"min_replicas": 1, "max_replicas": 9, "enable_auto_scaling": True},
    ):
        other = rendered({**case, "overrides": overrides})
        assert template_of(other) == template_of(service)
        assert digest_of(other) == digest_of(service)


def test_another_rollout_changes_no_pod(case: Case, service: Manifest) -> None:
    other = rendered({**case, "rollout": "replace"})
    assert digest_of(other) == digest_of(service)


def test_another_variable_changes_the_digest(case: Case, service: Manifest) -> None:
    spec = {**case["spec"], "engine": {**case["spec"]["engine"], "env": {"LEVEL": "debug"}}}
    assert digest_of(rendered({**case, "spec": spec})) != digest_of(service)


def test_bounds_are_above_zero_and_in_order(service: Manifest) -> None:
    predictor = service["spec"]["predictor"]
    assert 1 <= predictor["minReplicas"] <= predictor["maxReplicas"]
    assert ("scaleMetric" in predictor) is ("scaleTarget" in predictor)


def test_the_name_fits_into_label_and_host(service: Manifest) -> None:
    name = service["metadata"]["name"]
    assert len(name) <= LONGEST_NAME
    assert len(f"{name}-predictor-{NAMESPACE}") <= LONGEST_HOST
