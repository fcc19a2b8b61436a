"""What a workload says of its launch is read as input is: in order, or not at all."""

import json
from collections.abc import Mapping
from dataclasses import replace

import pytest

from providers.contract.manifest import ObjectKey
from providers.contract.protocols import ManagedObject
from providers.contract.request import Provenance, Rollout
from providers.workload.labels import ANNOTATION_LAUNCH
from providers.workload.provenance import launch_annotations, managed_object
from tests.golden.build import request_of

TOLD = Provenance(
    model="qwen3-8b",
    template="vllm-h100",
    template_version="1.2.0",
    overrides={"min_replicas": 2, "engine_args": {"max_model_len": "8192"}},
    created_by="olga",
)
WRITTEN = {
    "model": "qwen3-8b",
    "template": "vllm-h100",
    "template_version": "1.2.0",
    "rollout": "replace",
    "overrides": {},
}


@pytest.mark.parametrize("told", [TOLD, replace(TOLD, stopped=True, restart="3")])
def test_what_a_workload_says_of_its_launch_is_read_back_as_it_was(told: Provenance) -> None:
    request = replace(request_of({}), provenance=told, rollout=Rollout.REPLACE)
    found = found_with(launch_annotations(request))
    assert (found.provenance, found.rollout) == (told, Rollout.REPLACE)


def test_an_example_that_nobody_launches_says_nothing() -> None:
    assert launch_annotations(request_of({})) == {}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "not json",
        "[]",
        "null",
        "[" * 10_000,
        json.dumps(WRITTEN | {"model": ""}),
        json.dumps(WRITTEN | {"model": 7}),
        json.dumps(WRITTEN | {"overrides": None}),
        json.dumps(WRITTEN | {"template": "nul \0"}),
        json.dumps(WRITTEN | {"template": "half \ud800"}),
        json.dumps(WRITTEN | {"overrides": {"a": "x" * 20_000}}),
        json.dumps({name: WRITTEN[name] for name in ("model", "template", "rollout")}),
    ],
)
def test_what_is_not_as_we_write_it_counts_as_not_there(text: str) -> None:
    assert found_with({ANNOTATION_LAUNCH: text}).provenance is None


@pytest.mark.parametrize("rollout", ["sideways", ["surge"], None, "auto"])
def test_a_rollout_that_is_none_of_ours_counts_as_not_told(rollout: object) -> None:
    found = found_with({ANNOTATION_LAUNCH: json.dumps(WRITTEN | {"rollout": rollout})})
    assert (found.provenance is not None, found.rollout) == (True, None)


@pytest.mark.parametrize(
    ("text", "revision"),
    [("3", 3), ("", 0), ("-1", 0), ("three", 0), ("\u0663", 0), ("9" * 12, 0)],
)
def test_a_revision_is_a_number_or_none(text: str, revision: int) -> None:
    found = found_with({"slipway.dev/revision": text, "slipway.dev/display-name": None})
    assert (found.revision, found.deployment_id, found.display_name) == (revision, "", "")


def found_with(annotations: Mapping[str, str | None]) -> ManagedObject:
    key = ObjectKey(api_version="apps/v1", kind="Deployment", name="demo", namespace="models")
    labels = {"slipway.dev/id": None}
    return managed_object(key, "uid", labels=labels, annotations=annotations, is_workload=True)
