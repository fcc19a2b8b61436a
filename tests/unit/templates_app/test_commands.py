from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from templates_app.models import Model, ModelDeploymentTemplate
from templates_app.seeding import CATALOG


def run(*words: str) -> str:
    out = StringIO()
    call_command(*words, stdout=out)
    return out.getvalue()


@pytest.mark.django_db
def test_the_catalogue_is_loaded_with_counts() -> None:
    count = len(list((CATALOG / "templates").glob("*.yaml")))
    assert f"{count} templates created" in run("load_catalog", "--activate")
    assert f"{count} templates there already" in run("load_catalog", "--activate")


def test_what_is_exported_can_be_imported(active: ModelDeploymentTemplate, tmp_path: Path) -> None:
    text = run("export_templates", "--model", "qwen3-8b", "--status", "active")
    path = tmp_path / "templates.yaml"
    path.write_text(text, encoding="utf-8")
    assert "0 created, 0 updated, 1 unchanged" in run("import_templates", str(path))
    active.delete()
    assert "1 created" in run("import_templates", "--activate", str(path))
    assert run("export_templates") == text


@pytest.mark.usefixtures("model")
def test_a_refused_file_is_told_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text("model: nobody\nname: x\nversion: 1.0.0\nspec: {}\n", encoding="utf-8")
    with pytest.raises(CommandError, match=r"spec\.engine: line 4: is required"):
        run("import_templates", str(path))


@pytest.mark.django_db
def test_a_file_that_is_no_template_is_told_by_that_alone(tmp_path: Path) -> None:
    path = tmp_path / "list.yaml"
    path.write_text("- a\n", encoding="utf-8")
    with pytest.raises(CommandError) as refused:
        run("import_templates", str(path))
    assert str(refused.value).splitlines()[1:] == ["  line 1: the document must be an object"]


@pytest.mark.parametrize("content", [None, b"\xff\xfe"])
def test_a_file_that_cannot_be_read_is_told(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "file.yaml"
    if content:
        path.write_bytes(content)
    with pytest.raises(CommandError, match="cannot be read"):
        run("import_templates", str(path))


@pytest.mark.django_db
@pytest.mark.parametrize("words", [("--model", "nobody"), ("--status", "gone")])
def test_an_export_of_what_is_not_there_is_told(words: tuple[str, str]) -> None:
    Model.objects.create(id="m", name="M")
    with pytest.raises(CommandError):
        run("export_templates", *words)
