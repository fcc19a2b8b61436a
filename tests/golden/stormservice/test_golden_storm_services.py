"""Every case of `cases/` as a StormService, against the manifests of the same name in `expected/`.

After a change that is meant: pytest tests/golden --update-golden, and read the diff.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from providers.contract.checks import Result
from providers.contract.manifest import Manifest
from providers.contract.request import DeployRequest
from providers.contract.yaml_text import load_all, load_yaml, to_yaml
from providers.stormservice.provider import provider
from tests.golden.build import ID, NAMESPACE, request_of, target_of

HERE = Path(__file__).parent
CASES = sorted(path.stem for path in (HERE / "cases").glob("*.yaml"))
# Name, dash and six digits of a revision make a label's value.
LONGEST_NAME, LONGEST_WITH_ROLE = 56, 27

Case = Mapping[str, Any]


def load_case(name: str) -> Case:
    text = (HERE / "cases" / f"{name}.yaml").read_text(encoding="utf-8")
    return cast("Case", load_yaml(text, at=name))


def asked(case: Case) -> DeployRequest:
    """Return the request of a case, named as this kind names its objects."""
    request = request_of(case)
    name = provider.runtime_name(
        request.name, deployment_id=ID, namespace=NAMESPACE, spec=request.spec
    )
    return replace(request, runtime_name=name)


def rendered(case: Case) -> tuple[Manifest, ...]:
    return provider.render(asked(case), target_of(case))


def roles_of(manifests: tuple[Manifest, ...]) -> list[Manifest]:
    return cast("list[Manifest]", manifests[0]["spec"]["template"]["spec"]["roles"])


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest) -> Case:
    return {**load_case(request.param), "file": f"{request.param}.yaml"}


@pytest.fixture
def manifests(case: Case) -> tuple[Manifest, ...]:
    return rendered(case)


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


def test_a_case_is_valid(case: Case) -> None:
    checks = provider.validate(asked(case), target_of(case))
    assert [check.code for check in checks if check.result is Result.FAIL] == []


def test_every_role_has_its_number_and_the_whole_too_unless_an_autoscaler_holds_it(
    manifests: tuple[Manifest, ...],
) -> None:
    assert all(isinstance(role["replicas"], int) for role in roles_of(manifests))
    assert ("replicas" not in manifests[0]["spec"]) is (len(manifests) == 3)


def test_only_the_id_selects_and_every_role_bears_it(manifests: tuple[Manifest, ...]) -> None:
    spec = manifests[0]["spec"]
    assert spec["selector"] == {"matchLabels": {"slipway.dev/id": ID}}
    assert spec["template"]["metadata"]["labels"]["slipway.dev/id"] == ID
    for role in roles_of(manifests):
        assert role["template"]["metadata"]["labels"]["slipway.dev/id"] == ID


def test_role_sets_are_found_by_the_labels_of_all_our_objects(
    manifests: tuple[Manifest, ...],
) -> None:
    ours = {
        key: text for key, text in manifests[0]["metadata"]["labels"].items() if "ai/" not in key
    }
    assert manifests[0]["spec"]["template"]["metadata"]["labels"] == ours


def test_a_gateway_finds_the_pods_of_every_role(manifests: tuple[Manifest, ...]) -> None:
    for role in roles_of(manifests):
        labels = role["template"]["metadata"]["labels"]
        assert labels["model.aibrix.ai/name"] == "qwen3-8b"
        assert {"model.aibrix.ai/port", "model.aibrix.ai/engine"} <= labels.keys()


def test_the_service_leaves_the_name_to_the_controllers_own(
    manifests: tuple[Manifest, ...],
) -> None:
    assert manifests[1]["metadata"]["name"] == f"{manifests[0]['metadata']['name']}-api"


def test_names_stay_within_what_the_controller_and_its_webhook_take(
    manifests: tuple[Manifest, ...],
) -> None:
    name = manifests[0]["metadata"]["name"]
    assert len(name) <= LONGEST_NAME
    grouped = [role["name"] for role in roles_of(manifests) if "podGroupSize" in role]
    assert all(len(name) + len(role) <= LONGEST_WITH_ROLE for role in grouped)


def test_scaling_and_a_new_revision_leave_every_role_as_it_is(
    case: Case, manifests: tuple[Manifest, ...]
) -> None:
    later = {**case, "revision": 7, "rollout": "replace"}
    later["overrides"] = {**case.get("overrides", {}), "min_replicas": 3, "max_replicas": 4}
    later["overrides"].pop("enable_auto_scaling", None)
    assert rendered(later)[0]["spec"]["template"] == manifests[0]["spec"]["template"]


def test_more_replicas_of_a_role_change_no_digest_of_its_pods() -> None:
    case = load_case("disaggregated")
    more = {**case, "spec": {**case["spec"], "topology": _with_decode(case, replicas=5)}}
    digests = [_digest(role) for role in roles_of(rendered(case))]
    assert [_digest(role) for role in roles_of(rendered(more))] == digests
    assert len(set(digests)) == 2


def test_another_argument_of_a_role_changes_the_digest_of_its_pods_alone() -> None:
    case = load_case("disaggregated")
    args = {"max_running_requests": "8"}
    other = {**case, "spec": {**case["spec"], "topology": _with_decode(case, engine_args=args)}}
    before, after = ([_digest(role) for role in roles_of(rendered(one))] for one in (case, other))
    assert before[0] == after[0]
    assert before[1] != after[1]


def _digest(role: Manifest) -> str:
    return str(role["template"]["metadata"]["labels"]["slipway.dev/pod-digest"])


def _with_decode(case: Case, **changed: object) -> Case:
    topology = case["spec"]["topology"]
    prefill, decode = topology["roles"]
    return {**topology, "roles": [prefill, {**decode, **changed}]}
