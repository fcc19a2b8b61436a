import pytest

from templates_app.entries import (
    parse_model,
    parse_template,
    parse_template_file,
    parse_version,
)
from templates_app.exceptions import Invalid

from .conftest import a_spec


def faults_of(document: object) -> dict[str, tuple[str, ...]]:
    with pytest.raises(Invalid) as caught:
        parse_model(document)
    return caught.value.fields


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", ""),
        ("name", 5),
        ("name", None),
        ("id", "Not A Slug"),
        ("serving_name", "two words"),
        ("categories", "chat"),
        ("categories", ["a|b"]),
        ("context_length", "8192"),
        ("context_length", 0),
        ("context_length", 2**31),
        ("context_length", 8192.5),
        ("context_length", True),
        ("parameters", -1),
        ("metadata", []),
        ("metadata", {"at": {"a", "set"}}),
        ("pricing", {"input": float("nan")}),
        ("pricing", {"input": float("inf")}),
        ("description", "NUL \0"),
        ("description", "half \ud800"),
        ("colour", "blue"),
    ],
)
def test_a_wrong_field_is_named(field: str, value: object) -> None:
    faults = faults_of({"name": "Qwen3 8B"} | {field: value})
    assert all(path == field or path.startswith(f"{field}.") for path in faults), faults
    assert all(texts for texts in faults.values())


def test_every_wrong_field_is_named_at_once() -> None:
    assert set(faults_of({"name": "", "context_length": 0, "colour": 1})) == {
        "name",
        "context_length",
        "colour",
    }


@pytest.mark.parametrize("document", [None, [], "text", 5])
def test_what_is_no_object_is_refused(document: object) -> None:
    assert faults_of(document) == {"": ("the document must be an object",)}


def test_what_a_key_may_not_hold_is_named_by_its_path() -> None:
    assert list(faults_of({"name": "x", "metadata": {"a": {"b\0": 1}}})) == ["metadata.a"]


def test_a_version_needs_a_source() -> None:
    with pytest.raises(Invalid) as caught:
        parse_version({"label": "1", "source_type": "ftp", "uri": ""})
    assert set(caught.value.fields) == {"source_type", "uri"}


@pytest.mark.parametrize("field", ["uri", "revision"])
@pytest.mark.parametrize("text", ["s3://a b", "main\n", "a\u00a0b"])
def test_a_space_in_a_source_is_told_in_words(field: str, text: str) -> None:
    with pytest.raises(Invalid) as caught:
        parse_version({"label": "1", "source_type": "s3", "uri": "s3://a"} | {field: text})
    assert caught.value.fields == {field: ("must hold no space",)}


@pytest.mark.parametrize("document", [None, [], "text", 5])
def test_what_is_no_template_file_is_told_by_that_alone(document: object) -> None:
    with pytest.raises(Invalid) as caught:
        parse_template_file(document)
    assert caught.value.fields == {"": ("the document must be an object",)}


def test_a_template_s_faults_are_told_together() -> None:
    with pytest.raises(Invalid) as caught:
        parse_template(
            name="Mock", version="one", spec=a_spec(accelerator={"type": "cpu", "count": 1.5})
        )
    assert set(caught.value.fields) == {"name", "version", "spec.accelerator.count"}


def test_a_file_s_own_fields_are_told_with_those_of_its_spec() -> None:
    document = {"name": "mock", "version": 1.0, "status": "on", "kind": "x", "spec": {}}
    with pytest.raises(Invalid) as caught:
        parse_template_file(document)
    wanted = {"model", "version", "status", "kind", "spec.engine", "spec.accelerator"}
    assert set(caught.value.fields) == wanted


def test_a_spec_that_cannot_be_stored_is_refused_by_path() -> None:
    spec = a_spec(model_source={"type": "huggingface", "uri": "a\0b"})
    with pytest.raises(Invalid) as caught:
        parse_template(name="mock", version="1", spec=spec)
    assert list(caught.value.fields) == ["spec.model_source.uri"]
