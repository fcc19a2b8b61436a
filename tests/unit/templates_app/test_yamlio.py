from textwrap import dedent

import pytest
from django.contrib.auth.models import User

from templates_app import services
from templates_app.entries import parse_model
from templates_app.exceptions import ImportRefused
from templates_app.models import Model, ModelDeploymentTemplate
from templates_app.yamlio import (
    export_models,
    export_templates,
    import_and_activate,
    import_templates,
    read_models,
    read_templates,
)

from .conftest import a_spec, an_entry

MOCK = dedent("""\
    model: qwen3-8b
    name: mock-cpu
    version: 1.0.0
    status: active
    spec:
      engine: {type: mock, image: docker.io/aibrix/vllm-mock:nightly}
      model_source: {type: huggingface, uri: mock/mock}
      accelerator: {type: cpu}
    """)


def faults_of(text: str) -> dict[str, tuple[str, ...]]:
    with pytest.raises(ImportRefused) as caught:
        import_templates(text, by=None)
    assert not ModelDeploymentTemplate.objects.exists()
    return caught.value.fields


@pytest.mark.usefixtures("model")
def test_an_import_makes_drafts_whatever_status_the_file_names(curator: User) -> None:
    report = import_templates(MOCK, by=curator)
    template = ModelDeploymentTemplate.objects.get()
    assert report.created == (template,)
    assert (template.status, template.spec, template.created_by) == ("draft", a_spec(), curator)


@pytest.mark.usefixtures("model")
@pytest.mark.parametrize("status", ["draft", "active", "deprecated"])
def test_an_activating_import_brings_a_template_to_its_status(status: str) -> None:
    import_and_activate(MOCK.replace("active", status), by=None)
    assert ModelDeploymentTemplate.objects.get().status == status


@pytest.mark.usefixtures("model")
def test_an_activating_import_meets_the_same_check_as_the_button() -> None:
    text = MOCK.replace("{type: mock,", "{type: vllm, version: 0.33.0,").replace(
        "cpu}", "L4, count: 1}\n  quantization: {weight: int4}"
    )
    with pytest.raises(ImportRefused) as caught:
        import_and_activate(text, by=None)
    assert caught.value.fields["spec.quantization.weight"][0].startswith("line 9: ")
    assert not ModelDeploymentTemplate.objects.exists()


@pytest.mark.parametrize("status", ["draft", "active", "deprecated"])
def test_what_is_exported_comes_back_the_same(model: Model, status: str) -> None:
    specs = [
        a_spec(engine_args={"max_model_len": "8192", "on": "true"}),
        a_spec(engine={"type": "mock", "version": "1.0", "env": {"A": "no", "B": "1e3"}}),
        a_spec(accelerator={"type": "L4", "vram_gb": 24.5}, overridable={"max_replicas": {}}),
    ]
    for number, spec in enumerate(specs, start=1):
        entry = an_entry(version=f"{number}.0", spec=spec)
        services.create_template(model, entry, by=None)
    ModelDeploymentTemplate.objects.update(status=status)
    before = list(ModelDeploymentTemplate.objects.values("name", "version", "status", "spec"))
    text = export_templates(ModelDeploymentTemplate.objects.all())
    ModelDeploymentTemplate.objects.all().delete()
    import_and_activate(text, by=None)
    after = list(ModelDeploymentTemplate.objects.values("name", "version", "status", "spec"))
    assert after == before
    assert export_templates(ModelDeploymentTemplate.objects.all()) == text


def test_models_come_back_the_same(model: Model) -> None:
    services.update_model(
        model,
        parse_model({"name": "yes: no", "tags": ["1.0"], "pricing": {"in": 0.5}, "licence": "on"}),
        by=None,
    )
    model.refresh_from_db()
    [entry] = read_models(export_models([model]))
    again = Model(**entry.columns(model.pk))
    assert export_models([again]) == export_models([model])


@pytest.mark.usefixtures("model")
def test_a_fault_names_document_path_and_line() -> None:
    wrong = MOCK.replace("1.0.0", "2.0.0").replace("uri: mock/mock", "url: mock/mock")
    assert faults_of(f"{MOCK}---\n{wrong}") == {
        "document 2: spec.model_source.uri": ("line 16: is required",),
        "document 2: spec.model_source.url": (
            "line 16: is not a field of this object; remove it or check its spelling",
        ),
    }


@pytest.mark.usefixtures("model")
def test_a_document_that_is_no_object_is_told_by_its_number() -> None:
    assert faults_of(f"{MOCK}---\n- a\n") == {
        "document 2": ("line 10: the document must be an object",)
    }


@pytest.mark.usefixtures("model")
def test_a_key_with_dots_in_it_is_found() -> None:
    text = f"{MOCK}  overridable:\n    max_replicas: {{max: 2}}\n    engine_args.a: {{max: x}}\n"
    assert all(text.startswith("line 11: ") for [text] in faults_of(text).values())


@pytest.mark.usefixtures("model")
def test_faults_of_all_documents_are_told_and_nothing_is_stored() -> None:
    second = MOCK.replace("mock-cpu", "Mock CPU")
    third = MOCK.replace("1.0.0", "3").replace("cpu}", "cpu, count: 2}")
    faults = faults_of(f"{MOCK}---\n{second}---\n{third}")
    assert {path.split(":")[0] for path in faults} == {"document 2", "document 3"}


@pytest.mark.usefixtures("model")
@pytest.mark.parametrize(
    ("text", "path", "line"),
    [
        (MOCK.replace("qwen3-8b", "unknown"), "model", 1),
        (f"{MOCK}---\n{MOCK}", "document 2: version", 12),
        (f"{MOCK}---\n{MOCK.replace('1.0.0', 'v1')}", "document 2: version", 12),
        (f"{MOCK}owner: me\n", "owner", 9),
        (MOCK.replace("1.0.0", "1.0"), "version", 3),
        (MOCK.replace("version: 1.0.0\n", ""), "version", 1),
        (MOCK.replace("active", "live"), "status", 4),
        (f"{MOCK}name: again\n", "yaml", 9),
        (MOCK.replace("uri: mock/mock", "uri: &a x, tokenizer_path: *a"), "yaml", 7),
    ],
)
def test_a_refused_file_says_where_and_stores_nothing(text: str, path: str, line: int) -> None:
    [(found, [message])] = faults_of(text).items()
    assert found == path
    assert f"line {line}:" in message


@pytest.mark.django_db
@pytest.mark.parametrize("text", ["", "---\n", "# nothing\n", "a: [", "\0"])
def test_what_is_no_document_is_refused(text: str) -> None:
    assert list(faults_of(text)) == ["yaml"]


@pytest.mark.django_db
@pytest.mark.parametrize("text", ["[]", "text", "5"])
def test_a_document_that_is_no_object_is_refused(text: str) -> None:
    assert "" in faults_of(text)


@pytest.mark.usefixtures("model")
def test_an_import_replaces_a_draft_and_leaves_what_is_the_same() -> None:
    changed = MOCK.replace("type: cpu", "type: L4")
    import_templates(MOCK, by=None)
    assert len(import_templates(MOCK, by=None).unchanged) == 1
    assert len(import_templates(changed, by=None).updated) == 1
    assert ModelDeploymentTemplate.objects.get().spec["accelerator"] == {"type": "L4"}


def test_an_import_cannot_change_what_has_been_active(active: ModelDeploymentTemplate) -> None:
    with pytest.raises(ImportRefused) as caught:
        import_templates(MOCK.replace("type: cpu", "type: L4"), by=None)
    assert "new version" in caught.value.fields["version"][0]
    assert len(import_templates(MOCK, by=None).unchanged) == 1
    active.refresh_from_db()
    assert active.status == "active"


def test_reading_needs_no_database() -> None:
    [file] = read_templates(MOCK)
    assert file.key == ("qwen3-8b", "mock-cpu", "1")
