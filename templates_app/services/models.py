"""What may be done with models and their registered versions."""

from django.contrib.auth.models import User
from django.db import transaction

from templates_app.entries import ModelEntry, VersionEntry, model_id_from
from templates_app.exceptions import Invalid, ModelInUse, ModelMissing, NameTaken
from templates_app.models import Model, ModelVersion
from templates_app.services.stored import storing
from templates_app.signals import document_of, tell


@transaction.atomic
def create_model(entry: ModelEntry, *, by: User | None) -> Model:
    """Store a new model; raises NameTaken for its id or name."""
    model = Model(**entry.columns(entry.id or model_id_from(entry.name)))
    with storing(lambda: _what_is_taken(model)):
        model.save(force_insert=True)
    tell("model.create", model, by=by, after=document_of(model))
    return model


@transaction.atomic
def update_model(model: Model, entry: ModelEntry, *, by: User | None) -> Model:
    """Replace all fields of a model but its id; what already runs keeps what it was given."""
    if entry.id not in {None, model.pk}:
        raise Invalid.of({"id": (f"cannot be changed; this model is {model.pk}",)})
    stored = _locked(model.pk)
    before = document_of(stored)
    for field, value in entry.columns(model.pk).items():
        setattr(stored, field, value)
    with storing(lambda: _name_is_taken(stored)):
        stored.save()
    tell("model.update", stored, by=by, before=before, after=document_of(stored))
    return stored


def delete_model(model: Model, *, by: User | None) -> None:
    """Delete a model with its templates and versions; raises ModelInUse where one was launched."""
    with storing(lambda: _model_is_used(model)):
        stored = _locked(model.pk)
        for template in stored.templates.all():
            tell("template.delete", template, by=by, before=document_of(template))
            template.delete()
        tell("model.delete", stored, by=by, before=document_of(stored))
        stored.delete()


@transaction.atomic
def add_version(model: Model, entry: VersionEntry, *, by: User | None) -> ModelVersion:
    """Register a version of a model; raises NameTaken for its label."""
    version = ModelVersion(model=model, **entry.model_dump())
    _locked(model.pk)
    with storing(lambda: _label_is_taken(version)):
        version.save(force_insert=True)
    tell("model_version.create", version, by=by, after=document_of(version))
    return version


@transaction.atomic
def delete_version(version: ModelVersion, *, by: User | None) -> None:
    """Forget a version; deployments keep the source that they were launched with."""
    tell("model_version.delete", version, by=by, before=document_of(version))
    version.delete()


def _locked(model_id: str) -> Model:
    model = Model.objects.select_for_update().filter(pk=model_id).first()
    if model is None:
        raise ModelMissing(model_id)
    return model


def _what_is_taken(model: Model) -> NameTaken:
    if Model.objects.filter(pk=model.pk).exists():
        return NameTaken("id", f"there is already a model with the id {model.pk}; choose another")
    return _name_is_taken(model)


def _name_is_taken(model: Model) -> NameTaken:
    return NameTaken("name", f"there is already a model called {model.name}; choose another name")


def _label_is_taken(version: ModelVersion) -> NameTaken:
    return NameTaken("label", f"this model already has a version {version.label}; choose another")


def _model_is_used(model: Model) -> ModelInUse:
    return ModelInUse(
        f"{model.name} has been launched and stays for the history of its deployments; "
        "deprecate its templates instead"
    )
