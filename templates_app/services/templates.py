"""What may be done with templates: draft, activate, deprecate, and so on.

Each verb reads its row anew under a lock, so that two people at once cannot both be right.
"""

from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction

from templates_app.entries import TemplateEntry
from templates_app.exceptions import (
    IllegalMove,
    NameTaken,
    TemplateFrozen,
    TemplateInUse,
    TemplateMissing,
)
from templates_app.models import Model, ModelDeploymentTemplate
from templates_app.names import next_version
from templates_app.services.review import refuse_unless_activable
from templates_app.services.stored import storing
from templates_app.signals import document_of, tell

Status = ModelDeploymentTemplate.Status


@transaction.atomic
def create_template(
    model: Model, entry: TemplateEntry, *, by: User | None
) -> ModelDeploymentTemplate:
    """Store a draft; raises NameTaken where name and version exist for this model."""
    template = ModelDeploymentTemplate(model=model, created_by=by, **_columns(entry))
    with storing(lambda: _version_is_taken(template)):
        template.save(force_insert=True)
    tell("template.create", template, by=by, after=document_of(template))
    return template


def update_template(
    template: ModelDeploymentTemplate, entry: TemplateEntry, *, by: User | None
) -> ModelDeploymentTemplate:
    """Replace a draft; raises TemplateFrozen for a change to anything else."""
    with transaction.atomic():
        stored = _locked(template.pk)
        if _is_same(stored, entry):
            return stored
        if stored.is_frozen:
            raise _frozen(stored)
        return _replace(stored, entry, by=by)


def replace_template(
    template: ModelDeploymentTemplate,
    entry: TemplateEntry,
    *,
    status: str,
    by: User | None,
) -> ModelDeploymentTemplate:
    """Replace a template and move it to a status, both or neither."""
    with transaction.atomic():
        return move_template(update_template(template, entry, by=by), status=status, by=by)


def move_template(
    template: ModelDeploymentTemplate, *, status: str, by: User | None
) -> ModelDeploymentTemplate:
    """Bring a template to a status by the verb that leads there; nothing leads back to draft."""
    if status == Status.ACTIVE:
        return activate_template(template, by=by)
    if status == Status.DEPRECATED:
        return deprecate_template(template, by=by)
    if template.is_frozen:
        raise IllegalMove(
            f"{template} has been active and cannot be a draft again; make a new version"
        )
    return template


def activate_template(
    template: ModelDeploymentTemplate, *, by: User | None
) -> ModelDeploymentTemplate:
    """Offer a draft or a deprecated template; raises NotActivable with every refusal by path."""
    with transaction.atomic():
        stored = _locked(template.pk)
        if stored.status == Status.ACTIVE:
            return stored
        refuse_unless_activable(stored, by=by)
        return _move(stored, Status.ACTIVE, by=by, action="template.activate")


def deprecate_template(
    template: ModelDeploymentTemplate, *, by: User | None
) -> ModelDeploymentTemplate:
    """Offer an active template no longer; what runs with it goes on."""
    with transaction.atomic():
        stored = _locked(template.pk)
        if stored.status == Status.DEPRECATED:
            return stored
        if stored.status == Status.DRAFT:
            raise IllegalMove(f"{stored} is a draft, which nobody is offered; delete it instead")
        return _move(stored, Status.DEPRECATED, by=by, action="template.deprecate")


def delete_template(template: ModelDeploymentTemplate, *, by: User | None) -> None:
    """Delete a template that was never launched; raises TemplateInUse for any other."""
    with storing(lambda: _template_is_used(template)):
        stored = _locked(template.pk)
        tell("template.delete", stored, by=by, before=document_of(stored))
        stored.delete()


@transaction.atomic
def new_version_from(
    template: ModelDeploymentTemplate, *, by: User | None
) -> ModelDeploymentTemplate:
    """Make a draft of the same name and spec, one version above all that exist."""
    siblings = template.model.templates.named(template.name)
    newest = max(siblings, key=lambda sibling: sibling.order, default=template)
    draft = ModelDeploymentTemplate(
        model=template.model,
        name=template.name,
        version=next_version(newest.version),
        spec=template.spec,
        created_by=by,
    )
    with storing(lambda: _version_is_taken(draft)):
        draft.save(force_insert=True)
    tell("template.create", draft, by=by, after=document_of(draft))
    return draft


def _columns(entry: TemplateEntry) -> dict[str, object]:
    return {"name": entry.name, "version": entry.version, "spec": entry.spec.as_document()}


def _is_same(template: ModelDeploymentTemplate, entry: TemplateEntry) -> bool:
    return all(getattr(template, field) == value for field, value in _columns(entry).items())


def _replace(
    stored: ModelDeploymentTemplate, entry: TemplateEntry, *, by: User | None
) -> ModelDeploymentTemplate:
    before = document_of(stored)
    for field, value in _columns(entry).items():
        setattr(stored, field, value)
    with storing(lambda: _version_is_taken(stored)):
        stored.save()
    tell("template.update", stored, by=by, before=before, after=document_of(stored))
    return stored


def _move(
    stored: ModelDeploymentTemplate, status: Status, *, by: User | None, action: str
) -> ModelDeploymentTemplate:
    before = document_of(stored)
    stored.status = status
    stored.save(update_fields=["status", "updated_at"])
    tell(action, stored, by=by, before=before, after=document_of(stored))
    return stored


def _locked(template_id: UUID) -> ModelDeploymentTemplate:
    # `of`: the model's row stays free for others.
    rows = ModelDeploymentTemplate.objects.select_for_update(of=("self",)).select_related("model")
    template = rows.filter(pk=template_id).first()
    if template is None:
        raise TemplateMissing(str(template_id))
    return template


def _frozen(template: ModelDeploymentTemplate) -> TemplateFrozen:
    return TemplateFrozen(
        f"{template} is {template.status}, so only its status may change; make a new version of it"
    )


def _version_is_taken(template: ModelDeploymentTemplate) -> NameTaken:
    return NameTaken(
        "version",
        f"{template.model_id} already has a template {template.name} {template.version}; "
        "choose another version",
    )


def _template_is_used(template: ModelDeploymentTemplate) -> TemplateInUse:
    return TemplateInUse(
        f"{template} has been launched and stays for the history of its deployments; "
        "deprecate it instead"
    )
