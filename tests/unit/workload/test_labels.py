"""Labels and annotations: what finds an object, and what leaves its digest alone."""

from typing import Any

import pytest

from providers.contract.manifest import Manifest
from providers.workload.labels import (
    ANNOTATION_DIGEST,
    annotations_for,
    labels_for,
    model_annotations,
    model_labels,
    selector_for,
    with_digest,
)
from providers.workload.naming import label_value
from tests.golden.build import ID, request_of


def digest_of_object(**annotations: str) -> str:
    made: Manifest = {
        "metadata": {"name": "a", "annotations": annotations},
        "spec": {"replicas": 1},
    }
    return str(with_digest(made)["metadata"]["annotations"][ANNOTATION_DIGEST])


def test_every_object_is_labelled_as_ours() -> None:
    assert labels_for(request_of({}), "k8s-deployment") == {
        "app.kubernetes.io/managed-by": "slipway",
        "app.kubernetes.io/instance": "qwen-chat-1a2b3c4d",
        "slipway.dev/id": ID,
        "slipway.dev/implementation": "k8s-deployment",
    }


def test_names_as_people_gave_them_are_annotations() -> None:
    request = request_of({"name": "模型 / 7", "serving_name": "a/b", "revision": 3})
    assert annotations_for(request) == {
        "slipway.dev/display-name": "模型 / 7",
        "slipway.dev/serving-name": "a/b",
        "slipway.dev/revision": "3",
    }


def test_a_gateway_finds_the_model_by_its_label() -> None:
    request = request_of({"serving_name": "qwen2.5_x"})
    assert model_labels(request, port=8000) == {
        "model.aibrix.ai/name": "qwen2.5_x",
        "model.aibrix.ai/port": "8000",
        "model.aibrix.ai/engine": "vllm",
    }
    assert model_annotations(request, service="s") == {"model.aibrix.ai/service-name": "s"}


@pytest.mark.parametrize("name", ["meta-llama/Llama-3.2-3B", "qwen2.5:32b", "模型", "a" * 64])
def test_a_serving_name_that_no_label_can_hold_is_an_annotation(name: str) -> None:
    request = request_of({"serving_name": name})
    assert "model.aibrix.ai/name" not in model_labels(request, port=8000)
    assert model_annotations(request, service="s")["model.aibrix.ai/name"] == name


@pytest.mark.parametrize("case", [{}, {"name": "x" * 200}, {"name": "模型", "serving_name": "/"}])
def test_every_label_has_a_legal_value(case: dict[str, Any]) -> None:
    request = request_of(case)
    labels = {**labels_for(request, "k8s-deployment"), **model_labels(request, port=1)}
    assert [value for value in labels.values() if label_value(value) is None] == []


def test_pods_are_selected_by_the_id_alone() -> None:
    assert selector_for(request_of({})) == {"slipway.dev/id": ID}


def test_the_revision_does_not_count_in_the_digest() -> None:
    first = digest_of_object(**{"slipway.dev/revision": "1", "slipway.dev/display-name": "a"})
    second = digest_of_object(**{"slipway.dev/revision": "2", "slipway.dev/display-name": "a"})
    renamed = digest_of_object(**{"slipway.dev/revision": "1", "slipway.dev/display-name": "b"})
    assert first == second
    assert first != renamed


def test_a_digest_is_the_same_when_it_is_made_again() -> None:
    made = with_digest({"metadata": {"name": "a"}, "spec": {"replicas": 1}})
    assert with_digest(made) == made


def test_the_body_counts_in_the_digest() -> None:
    one = with_digest({"metadata": {"name": "a"}, "spec": {"replicas": 1}})
    two = with_digest({"metadata": {"name": "a"}, "spec": {"replicas": 2}})
    assert one["metadata"] != two["metadata"]
