"""Many templates at once in the admin: actions on the list, export and import."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from templates_app import services
from templates_app.entries import parse_template
from templates_app.models import ModelDeploymentTemplate
from tests.web.curation.desk import SPEC, TEMPLATES, do, text_of

FILE = "model: qwen\nname: imported\nversion: 1.0.0\nstatus: active\nspec:\n" + "".join(
    f"  {line}\n" for line in SPEC.splitlines()
)


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
        ({"text": " \n"}, "Paste a text, or choose a file."),
        ({"text": "# nothing"}, "yaml: holds no document"),
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


@pytest.mark.usefixtures("model")
def test_a_list_is_told_as_no_template_and_not_by_what_it_lacks(curator: Client) -> None:
    answer = curator.post(f"{TEMPLATES}import/", {"text": "- a\n- b\n"})
    faults = answer.context["form"].errors
    assert faults == {"text": ["line 1: the document must be an object"]}


def test_an_empty_file_is_told_by_itself(curator: Client) -> None:
    file = SimpleUploadedFile("x.yaml", b"")
    answer = curator.post(f"{TEMPLATES}import/", {"file": file})
    assert answer.context["form"].errors == {"file": ["The submitted file is empty."]}
