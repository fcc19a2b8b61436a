"""The catalogue in the admin: a curator works, a viewer finds nothing, refusals are told."""

from collections.abc import Callable
from html import unescape
from typing import TYPE_CHECKING

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from templates_app import services
from templates_app.entries import parse_model, parse_template
from templates_app.models import Model, ModelDeploymentTemplate, ModelVersion

if TYPE_CHECKING:
    # Only the stubs know the name of what a test client answers.
    from django.test.client import _MonkeyPatchedWSGIResponse as Answer

MODELS = "/admin/templates_app/model/"
VERSIONS = "/admin/templates_app/modelversion/"
TEMPLATES = "/admin/templates_app/modeldeploymenttemplate/"
SPEC = """\
engine: {type: mock, image: docker.io/aibrix/vllm-mock:nightly}
model_source: {type: huggingface, uri: mock/mock}
accelerator: {type: cpu}
"""
FILE = "model: qwen\nname: imported\nversion: 1.0.0\nstatus: active\nspec:\n" + "".join(
    f"  {line}\n" for line in SPEC.splitlines()
)


def text_of(answer: "Answer") -> str:
    return unescape(answer.content.decode())


def a_document(**fields: str) -> dict[str, str]:
    return {"model": "qwen", "name": "mock", "version": "1.0.0", "spec_text": SPEC} | fields


@pytest.fixture
def model(db: None) -> Model:
    return services.create_model(parse_model({"id": "qwen", "name": "Qwen"}), by=None)


@pytest.fixture
def draft(model: Model) -> ModelDeploymentTemplate:
    spec = {
        "engine": {"type": "mock", "image": "docker.io/aibrix/vllm-mock:nightly"},
        "model_source": {"type": "huggingface", "uri": "mock/mock"},
        "accelerator": {"type": "cpu"},
    }
    entry = parse_template(name="mock", version="1.0.0", spec=spec)
    return services.create_template(model, entry, by=None)


@pytest.fixture
def active(draft: ModelDeploymentTemplate) -> ModelDeploymentTemplate:
    return services.activate_template(draft, by=None)


def change_page(template: ModelDeploymentTemplate) -> str:
    return f"{TEMPLATES}{template.pk}/change/"


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
    changed = curator.post(f"{VERSIONS}{version.pk}/change/", fields | {"uri": "s3://c"})
    assert changed.status_code == 403
    assert curator.post(f"{VERSIONS}{version.pk}/delete/", {"post": "yes"}).status_code == 302
    assert not ModelVersion.objects.exists()


@pytest.mark.usefixtures("model")
def test_a_draft_is_written_in_yaml(curator: Client) -> None:
    assert curator.post(f"{TEMPLATES}add/", a_document()).status_code == 302
    template = ModelDeploymentTemplate.objects.get()
    assert (template.status, template.spec["accelerator"]) == ("draft", {"type": "cpu"})
    assert template.created_by
    assert template.created_by.username == "kurt"


def test_a_draft_is_edited_and_its_warnings_are_shown(
    curator: Client, draft: ModelDeploymentTemplate
) -> None:
    page = change_page(draft)
    assert "docker.io/aibrix/vllm-mock:nightly" in text_of(curator.get(page))
    spec = SPEC.replace(", image: docker.io/aibrix/vllm-mock:nightly", "")
    answer = curator.post(page, a_document(version="2.0", spec_text=spec), follow=True)
    draft.refresh_from_db()
    assert (draft.version, draft.spec["engine"]) == ("2.0", {"type": "mock"})
    assert "spec.engine.image: is missing" in text_of(answer)


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"spec_text": SPEC.replace("type: cpu", "type: cpu, count: 2")}, "spec.accelerator.count"),
        ({"spec_text": SPEC.replace("type: cpu", "type: cpu, count: 2")}, "(line 3)"),
        ({"spec_text": f"{SPEC}colour: blue\n"}, "spec.colour: is not a field"),
        ({"spec_text": f"{SPEC}engine: {{}}\n"}, "line 4"),
        ({"spec_text": "a: ["}, "line 1"),
        ({"spec_text": "# nothing"}, "spec.engine: is required"),
        ({"version": "one"}, "is not a version"),
        ({"version": "v1"}, "already has this version"),
        ({"name": "Mock CPU"}, "slug"),
    ],
)
def test_a_template_that_cannot_be_is_shown_again_as_typed_with_the_reason(
    curator: Client, draft: ModelDeploymentTemplate, fields: dict[str, str], told: str
) -> None:
    given = a_document(**fields)
    answer = curator.post(f"{TEMPLATES}add/", given)
    assert answer.status_code == 200
    assert told in text_of(answer)
    assert given["spec_text"].strip() in text_of(answer)
    assert list(ModelDeploymentTemplate.objects.all()) == [draft]


def test_a_frozen_template_is_shown_and_cannot_be_posted(
    curator: Client, active: ModelDeploymentTemplate
) -> None:
    shown = text_of(curator.get(change_page(active)))
    assert "<textarea" not in shown
    assert "uri: mock/mock" in shown
    assert curator.post(change_page(active), a_document(version="9")).status_code == 403
    active.refresh_from_db()
    assert active.version == "1.0.0"


def test_a_template_is_moved_from_its_own_page(
    curator: Client, draft: ModelDeploymentTemplate
) -> None:
    statuses = []
    for verb in ("deprecate", "activate", "deprecate", "activate"):
        curator.post(f"{TEMPLATES}{draft.pk}/move/{verb}/")
        draft.refresh_from_db()
        statuses.append(draft.status)
    assert statuses == ["draft", "active", "deprecated", "active"]


def test_a_move_is_a_post_of_a_known_verb_by_a_curator(
    curator: Client, viewer: Client, draft: ModelDeploymentTemplate
) -> None:
    move = f"{TEMPLATES}{draft.pk}/move/activate/"
    assert curator.get(move).status_code == 403
    assert curator.post(f"{TEMPLATES}{draft.pk}/move/destroy/").status_code == 404
    assert viewer.post(move, follow=True).status_code == 404
    draft.refresh_from_db()
    assert draft.status == "draft"


def test_a_new_version_opens_for_editing(curator: Client, active: ModelDeploymentTemplate) -> None:
    answer = curator.post(f"{TEMPLATES}{active.pk}/move/new-version/")
    made = ModelDeploymentTemplate.objects.get(status="draft")
    assert made.version == "1.0.1"
    assert answer.headers["Location"] == change_page(made)


def do(client: Client, action: str, *chosen: ModelDeploymentTemplate, **more: str) -> "Answer":
    keys = [str(template.pk) for template in chosen]
    fields = {"action": action, "_selected_action": keys, **more}
    return client.post(TEMPLATES, fields, follow=True)


def test_actions_act_on_each_and_tell_what_was_refused(
    curator: Client, draft: ModelDeploymentTemplate
) -> None:
    spec = draft.spec | {"quantization": {"weight": "no-such-name"}}
    entry = parse_template(name="wrong", version="1", spec=spec)
    wrong = services.create_template(draft.model, entry, by=None)
    answer = do(curator, "activate", draft, wrong)
    draft.refresh_from_db()
    wrong.refresh_from_db()
    assert (draft.status, wrong.status) == ("active", "draft")
    assert "spec.quantization.weight" in text_of(answer)


def test_what_was_never_launched_is_deleted_from_the_list(
    curator: Client, active: ModelDeploymentTemplate
) -> None:
    do(curator, "delete_selected", active, post="yes")
    assert not ModelDeploymentTemplate.objects.exists()


def test_an_export_is_a_file_that_an_import_takes(
    curator: Client, active: ModelDeploymentTemplate
) -> None:
    exported = do(curator, "export", active)
    assert "attachment" in exported.headers["Content-Disposition"]
    services.delete_template(active, by=None)
    file = SimpleUploadedFile("templates.yaml", exported.content)
    answer = curator.post(f"{TEMPLATES}import/", {"file": file, "activate": "on"})
    assert answer.status_code == 302
    assert ModelDeploymentTemplate.objects.get().status == "active"


@pytest.mark.usefixtures("model")
def test_an_import_without_the_box_makes_drafts(curator: Client) -> None:
    answer = curator.post(f"{TEMPLATES}import/", {"text": FILE}, follow=True)
    assert "1 created" in text_of(answer)
    assert ModelDeploymentTemplate.objects.get().status == "draft"


@pytest.mark.usefixtures("model")
@pytest.mark.parametrize(
    ("fields", "told"),
    [
        (
            {"text": FILE.replace("type: cpu", "type: cpu, count: 1")},
            "spec.accelerator.count: line 8",
        ),
        ({"text": f"{FILE}---\n{FILE.replace('qwen', 'other')}"}, "document 2: model: line 10"),
        ({"text": ""}, "holds no document"),
        ({"file": SimpleUploadedFile("x.yaml", b"\xff\xfe")}, "not UTF-8"),
    ],
)
def test_a_refused_import_says_where_and_stores_nothing(
    curator: Client, fields: dict[str, object], told: str
) -> None:
    answer = curator.post(f"{TEMPLATES}import/", fields)
    assert answer.status_code == 422
    assert told in text_of(answer)
    assert not ModelDeploymentTemplate.objects.exists()


def test_what_only_an_admin_may_activate_is_refused_to_a_curator(
    curator: Client, person: Callable[..., User], draft: ModelDeploymentTemplate
) -> None:
    engine = {"type": "vllm", "version": "0.11.0", "image": "x:1", "allow_remote_code": True}
    spec = draft.spec | {"engine": engine, "accelerator": {"type": "L4", "count": 1}}
    entry = parse_template(name="remote", version="1", spec=spec)
    remote = services.create_template(draft.model, entry, by=None)
    answer = curator.post(f"{TEMPLATES}{remote.pk}/move/activate/", follow=True)
    assert "only an admin may activate it" in text_of(answer)
    ada = Client()
    ada.force_login(person("ada", "admin"))
    ada.post(f"{TEMPLATES}{remote.pk}/move/activate/")
    remote.refresh_from_db()
    assert remote.status == "active"


def test_a_name_taken_a_moment_ago_is_told_not_an_error(
    curator: Client, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("templates_app.admin.forms.name_key", lambda _: "")
    answer = curator.post(f"{MODELS}add/", {"name": "QWEN", "id": "other"}, follow=True)
    assert "there is already a model called QWEN" in text_of(answer)
    assert list(Model.objects.all()) == [model]
