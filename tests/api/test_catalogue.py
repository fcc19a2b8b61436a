"""Models, versions and templates over the API."""

from collections.abc import Callable
from typing import Any

import pytest

from deployments.models import Deployment, LoadTime
from providers.testing.samples import MOCK_SPEC, spec_with
from templates_app.models import Model, ModelDeploymentTemplate
from tests.api.conftest import Person

MODEL = {"name": "Llama 3.2 3B", "categories": ["chat"], "context_length": 131072}


def test_a_curator_adds_reads_replaces_and_deletes_a_model(curator: Person) -> None:
    status, made = curator.post("models", MODEL)
    assert (status, made["id"], made["serving_name"]) == (201, "llama-3-2-3b", "llama-3-2-3b")
    assert (made["metadata"], made["pricing"], made["licence"]) == ({}, {}, "")
    read = curator.get("models/llama-3-2-3b")
    assert read == (200, made)
    status, replaced = curator.put("models/llama-3-2-3b", {**made, "description": "small"})
    assert (status, replaced["description"]) == (200, "small")
    assert curator.delete("models/llama-3-2-3b") == (204, None)
    assert curator.get("models/llama-3-2-3b")[0] == 404


def test_what_get_answers_put_takes_for_a_template(
    curator: Person, template: ModelDeploymentTemplate
) -> None:
    path = f"models/{template.model_id}/deployment-templates/{template.pk}"
    _, read = curator.get(path)
    assert curator.put(path, read) == (200, read)


def test_models_are_found_by_words_and_category(curator: Person, viewer: Person) -> None:
    curator.post("models", MODEL)
    curator.post("models", {"name": "BGE M3", "categories": ["embedding"]})
    assert [m["name"] for m in viewer.get("models")[1]["models"]] == ["BGE M3", "Llama 3.2 3B"]
    assert viewer.get("models", search="LLAMA 3b")[1]["count"] == 1
    assert viewer.get("models", category="Embedding")[1]["models"][0]["name"] == "BGE M3"


def test_lists_come_in_pages(curator: Person, viewer: Person) -> None:
    for number in range(5):
        curator.post("models", {"name": f"Model {number}"})
    _, first = viewer.get("models", page_size=2)
    assert (len(first["models"]), first["count"], first["previous"]) == (2, 5, "")
    cursor = first["next"].split("cursor=")[1].split("&")[0]
    _, second = viewer.get("models", page_size=2, cursor=cursor.replace("%3D", "="))
    assert [m["name"] for m in second["models"]] == ["Model 2", "Model 3"]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"page_size": "0"}, "page_size"),
        ({"page_size": "201"}, "page_size"),
        ({"page_size": "x"}, "page_size"),
        ({"page_size": "\u0663"}, "page_size"),
        ({"page_size": "0000019999"}, "page_size"),
        ({"cursor": "nonsense"}, "cursor"),
        ({"cursor": "cD3%00"}, "cursor"),
    ],
)
def test_a_wrong_page_is_named(viewer: Person, query: dict[str, str], field: str) -> None:
    status, answer = viewer.get("models", **query)
    assert (status, list(answer["fields"])) == (400, [field])


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "name"),
        ({"name": ""}, "name"),
        ({"name": "x", "context_length": -1}, "context_length"),
        ({"name": "x", "context_length": "8k"}, "context_length"),
        ({"name": "x", "colour": "red"}, "colour"),
        ({"name": "x", "id": "Not A Slug"}, "id"),
        ({"name": "x\x00"}, "name"),
        ({"name": "x", "categories": "chat"}, "categories"),
    ],
)
def test_a_bad_model_is_refused_by_field(curator: Person, body: Any, field: str) -> None:
    status, answer = curator.post("models", body)
    assert (status, answer["code"], list(answer["fields"])) == (400, "invalid", [field])
    assert field in answer["message"]
    assert not Model.objects.exists()


def test_a_taken_name_is_a_conflict(curator: Person) -> None:
    curator.post("models", MODEL)
    status, answer = curator.post("models", {**MODEL, "id": "other"})
    assert (status, answer["code"]) == (409, "name_taken")


def test_versions_of_a_model(curator: Person, model: Model) -> None:
    body = {"label": "v2", "source_type": "huggingface", "uri": "Qwen/Qwen3-0.6B", "revision": "a1"}
    status, made = curator.post(f"models/{model.pk}/versions", body)
    assert (status, made["label"]) == (201, "v2")
    assert curator.get(f"models/{model.pk}/versions")[1]["count"] == 1
    assert curator.post(f"models/{model.pk}/versions", body)[0] == 409


def test_a_template_is_a_draft_until_it_is_activated_and_frozen_afterwards(
    curator: Person, model: Model
) -> None:
    path = f"models/{model.pk}/deployment-templates"
    status, draft = curator.post(path, {"name": "mock", "version": "1.0", "spec": MOCK_SPEC})
    assert (status, draft["status"]) == (201, "draft")
    one = f"{path}/{draft['id']}"
    assert curator.put(one, {**draft, "status": "active"})[1]["status"] == "active"
    changed = {**draft, "status": "active", "spec": spec_with(resources={"cpu": "2"})}
    status, answer = curator.put(one, changed)
    assert (status, answer["code"]) == (409, "template_frozen")
    assert curator.put(one, {**draft, "status": "deprecated"})[1]["status"] == "deprecated"
    status, answer = curator.put(one, {**draft, "status": "draft"})
    assert status == 409


def test_an_active_template_may_be_made_at_once_or_not_at_all(
    curator: Person, model: Model
) -> None:
    path = f"models/{model.pk}/deployment-templates"
    bad = spec_with(engine={"type": "vllm", "version": "0.11.0"}, engine_args={"swap-space": 1})
    status, answer = curator.post(
        path, {"name": "a", "version": "1", "status": "active", "spec": bad}
    )
    assert status == 400
    assert "spec.engine_args.swap-space" in answer["fields"]
    refused = spec_with(
        engine={"type": "vllm", "version": "0.11.0"}, quantization={"weight": "int4"}
    )
    status, answer = curator.post(
        path, {"name": "a", "version": "1", "status": "active", "spec": refused}
    )
    assert (status, answer["code"]) == (400, "not_activable")
    assert list(answer["fields"]) == ["spec.quantization.weight"]
    assert not ModelDeploymentTemplate.objects.exists()


def test_the_latest_active_version_is_by_version_order(
    viewer: Person, model: Model, make_template: Callable[..., ModelDeploymentTemplate]
) -> None:
    for version in ("1.9.0", "1.10.0", "1.10.0-rc1"):
        make_template(version=version)
    make_template(version="2.0.0", active=False)
    by_name = f"models/{model.pk}/deployment-templates/by-name/mock"
    assert viewer.get(by_name)[1]["version"] == "1.10.0"
    assert viewer.get(by_name, version="v2.0.0")[1]["status"] == "draft"
    assert viewer.get(by_name, version="9")[0] == 404
    listed = viewer.get(f"models/{model.pk}/deployment-templates", status="active")[1]
    assert [t["version"] for t in listed["templates"]] == ["1.10.0", "1.10.0-rc1", "1.9.0"]


def test_an_unknown_status_is_named(viewer: Person, model: Model) -> None:
    status, answer = viewer.get(f"models/{model.pk}/deployment-templates", status="hot")
    assert (status, list(answer["fields"])) == (400, ["status"])


def test_another_models_template_is_not_found(
    curator: Person, viewer: Person, template: ModelDeploymentTemplate
) -> None:
    curator.post("models", MODEL)
    path = f"models/llama-3-2-3b/deployment-templates/{template.pk}"
    assert viewer.get(path)[0] == 404
    assert viewer.get("models/llama-3-2-3b/deployment-templates/not-a-uuid")[0] == 404


def test_the_engines_warnings_are_shown_while_a_draft_is_saved(
    curator: Person, model: Model
) -> None:
    spec = spec_with(engine={"type": "vllm", "version": "0.11.0", "image": ""})
    _, draft = curator.post(
        f"models/{model.pk}/deployment-templates", {"name": "a", "version": "1", "spec": spec}
    )
    assert "spec.engine.image" in [warning["path"] for warning in draft["warnings"]]


def test_a_name_that_is_too_long_is_told_in_characters(curator: Person) -> None:
    status, answer = curator.post("models", {"name": "x" * 201})
    assert status == 400
    assert answer["fields"]["name"] == ["must have at most 200 characters"]


def test_a_template_says_how_long_it_took_to_load_so_far(
    viewer: Person,
    owner: Person,
    curator: Person,
    order: dict[str, Any],
    template: ModelDeploymentTemplate,
) -> None:
    path = f"models/{template.model_id}/deployment-templates"
    one = f"{path}/{template.pk}"
    nothing = {"starts": 0, "low_seconds": None, "high_seconds": None}
    assert viewer.get(one)[1]["load_time"] == nothing
    owner.post("deployments", order)
    deployment = Deployment.objects.get()
    for number, seconds in enumerate((300, 400, 500)):
        LoadTime.objects.create(
            template=template,
            deployment=deployment,
            pod_uid=f"pod-{number}",
            seconds=seconds,
            at=deployment.created_at,
        )
    answer = viewer.get(one)[1]
    assert answer["load_time"] == {"starts": 3, "low_seconds": 320, "high_seconds": 480}
    assert viewer.get(path)[1]["templates"] == [answer]
    assert curator.put(one, answer)[0] == 200
