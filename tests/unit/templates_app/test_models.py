import pytest
from django.contrib.auth.models import User

from templates_app import selectors, services
from templates_app.entries import parse_model, parse_version
from templates_app.exceptions import Invalid, ModelMissing, NameTaken, VersionMissing
from templates_app.models import Model, ModelDeploymentTemplate
from templates_app.signals import Change, catalogue_changed


@pytest.mark.django_db
def test_a_model_without_an_id_gets_one_from_its_name_and_serves_under_it() -> None:
    model = services.create_model(parse_model({"name": "Llama 3.2 (3B)"}), by=None)
    assert (model.pk, model.serving_name) == ("llama-3-2-3b", "llama-3-2-3b")


@pytest.mark.django_db
def test_a_name_without_a_letter_for_an_id_asks_for_one() -> None:
    with pytest.raises(Invalid) as caught:
        services.create_model(parse_model({"name": "模型"}), by=None)
    assert list(caught.value.fields) == ["id"]


@pytest.mark.parametrize(
    ("document", "field"),
    [
        ({"id": "qwen3-8b", "name": "Another"}, "id"),
        ({"id": "another", "name": "QWEN3  8b"}, "name"),
    ],
)
def test_a_taken_id_or_name_is_a_conflict_that_names_it(
    model: Model, document: dict[str, object], field: str
) -> None:
    with pytest.raises(NameTaken) as caught:
        services.create_model(parse_model(document), by=None)
    assert list(caught.value.fields) == [field]
    assert list(Model.objects.all()) == [model]


def test_an_update_replaces_everything_but_the_id(model: Model, curator: User) -> None:
    entry = parse_model({"name": "Renamed", "serving_name": "other", "tags": ["x"]})
    services.update_model(model, entry, by=curator)
    model.refresh_from_db()
    assert (model.name, model.serving_name, model.tags, model.pk) == (
        "Renamed",
        "other",
        ["x"],
        "qwen3-8b",
    )


def test_the_id_of_a_model_cannot_be_changed(model: Model) -> None:
    with pytest.raises(Invalid) as caught:
        services.update_model(model, parse_model({"id": "other", "name": "x"}), by=None)
    assert list(caught.value.fields) == ["id"]


def test_a_model_cannot_take_the_name_of_another(model: Model) -> None:
    other = services.create_model(parse_model({"name": "Other"}), by=None)
    with pytest.raises(NameTaken):
        services.update_model(other, parse_model({"name": model.name.upper()}), by=None)


def test_a_model_may_change_the_case_of_its_own_name(model: Model) -> None:
    services.update_model(model, parse_model({"name": "QWEN3 8B"}), by=None)
    assert Model.objects.get().name == "QWEN3 8B"


def test_a_model_is_deleted_with_its_templates(draft: ModelDeploymentTemplate) -> None:
    services.delete_model(draft.model, by=None)
    assert not Model.objects.exists()
    assert not ModelDeploymentTemplate.objects.exists()


def test_what_is_gone_is_missing_not_an_error_of_ours(model: Model) -> None:
    services.delete_model(Model.objects.get(), by=None)
    with pytest.raises(ModelMissing):
        services.update_model(model, parse_model({"name": "x"}), by=None)


def test_a_label_is_unique_within_its_model_whatever_its_case(model: Model) -> None:
    entry = parse_version({"label": "V1", "source_type": "s3", "uri": "s3://weights/1"})
    services.add_version(model, entry, by=None)
    with pytest.raises(NameTaken) as caught:
        services.add_version(model, entry.model_copy(update={"label": "v1"}), by=None)
    assert list(caught.value.fields) == ["label"]
    assert selectors.find_version(model, "v1").uri == "s3://weights/1"


def test_a_deleted_version_is_missing(model: Model) -> None:
    entry = parse_version({"label": "1", "source_type": "local", "uri": "/models/1"})
    services.delete_version(services.add_version(model, entry, by=None), by=None)
    with pytest.raises(VersionMissing):
        selectors.find_version(model, "1")


def test_every_change_is_told_with_who_made_it(curator: User, changes: list[Change]) -> None:
    model = services.create_model(parse_model({"name": "One"}), by=curator)
    services.update_model(model, parse_model({"name": "Two"}), by=curator)
    services.delete_model(model, by=curator)
    assert [change.action for change in changes] == [
        "model.create",
        "model.update",
        "model.delete",
    ]
    assert {change.by for change in changes} == {curator}
    created, updated, deleted = changes
    assert (created.before, deleted.after) == (None, None)
    assert updated.before
    assert updated.after
    assert (updated.before["name"], updated.after["name"]) == ("One", "Two")


def test_a_change_that_cannot_be_told_is_not_made(model: Model) -> None:
    def refuse(**_: object) -> None:
        raise RuntimeError("the record is full")

    catalogue_changed.connect(refuse)
    try:
        with pytest.raises(RuntimeError):
            services.update_model(model, parse_model({"name": "Other"}), by=None)
    finally:
        catalogue_changed.disconnect(refuse)
    assert Model.objects.get().name == "Qwen3 8B"
