"""The admin of the catalogue: whom it is for, its models and their versions; refusals are told."""

import pytest
from django.test import Client

from templates_app.models import Model, ModelDeploymentTemplate, ModelVersion
from tests.web.curation.desk import MODELS, TEMPLATES, VERSIONS, change_page, text_of


def pages(template: ModelDeploymentTemplate) -> list[str]:
    return [
        "/admin/",
        MODELS,
        f"{MODELS}add/",
        f"{MODELS}qwen/change/",
        f"{MODELS}qwen/delete/",
        f"{MODELS}qwen/history/",
        VERSIONS,
        f"{VERSIONS}add/",
        TEMPLATES,
        f"{TEMPLATES}?q=qwen&status__exact=draft",
        f"{TEMPLATES}add/",
        f"{TEMPLATES}import/",
        change_page(template),
        f"{TEMPLATES}{template.pk}/delete/",
    ]


def test_every_page_opens_for_a_curator_and_none_for_a_viewer(
    curator: Client, viewer: Client, draft: ModelDeploymentTemplate
) -> None:
    opened = {page: curator.get(page).status_code for page in pages(draft)}
    assert opened == dict.fromkeys(opened, 200)
    hidden = {page: viewer.get(page, follow=True).status_code for page in pages(draft)}
    assert hidden == dict.fromkeys(hidden, 404)


def test_no_page_has_an_inline_script_or_handler(
    curator: Client, draft: ModelDeploymentTemplate, active: ModelDeploymentTemplate
) -> None:
    for page in (*pages(draft), change_page(active)):
        text = curator.get(page).content.decode()
        scripts = [part.partition(">")[0] for part in text.split("<script")[1:]]
        assert all("src=" in tag or "application/json" in tag for tag in scripts), page
        assert " onclick=" not in text
        assert " style=" not in text.partition("<main")[2], page


def test_a_model_is_made_changed_and_deleted(curator: Client) -> None:
    made = {
        "name": "Qwen3 8B",
        "categories": "chat, tools,",
        "tags": "",
        "metadata": "card: https://example.com\n",
        "context_length": "32768",
    }
    assert curator.post(f"{MODELS}add/", made).status_code == 302
    model = Model.objects.get()
    assert (model.pk, model.serving_name, model.categories) == (
        "qwen3-8b",
        "qwen3-8b",
        ["chat", "tools"],
    )
    assert model.metadata == {"card": "https://example.com"}
    page = f"{MODELS}qwen3-8b/change/"
    assert "chat, tools" in text_of(curator.get(page))
    assert curator.post(page, made | {"name": "Renamed"}).status_code == 302
    assert Model.objects.get().name == "Renamed"
    assert curator.post(f"{MODELS}qwen3-8b/delete/", {"post": "yes"}).status_code == 302
    assert not Model.objects.exists()


@pytest.mark.usefixtures("model")
@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"name": "QWEN", "id": "other"}, "There is already a model of this name."),
        ({"name": "Other", "id": "qwen"}, "There is already a model of this id."),
        ({"name": "Other", "id": "No Slug"}, "lower-case letters"),
        ({"name": "Other", "metadata": "a: 1\na: 2"}, "line 2"),
        ({"name": "Other", "pricing": "[1]"}, "must be an object"),
        ({"name": "Other", "serving_name": "two words"}, "must be one word"),
        ({"name": ""}, "required"),
    ],
)
def test_a_model_that_cannot_be_is_shown_again_with_the_reason(
    curator: Client, fields: dict[str, str], told: str
) -> None:
    answer = curator.post(f"{MODELS}add/", fields)
    assert told in text_of(answer)
    assert Model.objects.count() == 1


def test_a_version_is_registered_once_and_never_changed(curator: Client, model: Model) -> None:
    fields = {"model": "qwen", "label": "V1", "source_type": "s3", "uri": "s3://b/k"}
    assert curator.post(f"{VERSIONS}add/", fields).status_code == 302
    version = ModelVersion.objects.get()
    assert version.model == model
    again = curator.post(f"{VERSIONS}add/", fields | {"label": "v1"})
    assert "already has a version" in text_of(again)
    spaced = curator.post(f"{VERSIONS}add/", fields | {"label": "v2", "uri": "s3://b/a k"})
    assert "must hold no space" in text_of(spaced)
    changed = curator.post(f"{VERSIONS}{version.pk}/change/", fields | {"uri": "s3://c"})
    assert changed.status_code == 403
    assert curator.post(f"{VERSIONS}{version.pk}/delete/", {"post": "yes"}).status_code == 302
    assert not ModelVersion.objects.exists()


def test_a_name_taken_a_moment_ago_is_told_not_an_error(
    curator: Client, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("templates_app.admin.forms.name_key", lambda _: "")
    answer = curator.post(f"{MODELS}add/", {"name": "QWEN", "id": "other"}, follow=True)
    assert "there is already a model called QWEN" in text_of(answer)
    assert list(Model.objects.all()) == [model]
