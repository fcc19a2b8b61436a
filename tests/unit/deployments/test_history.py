"""History is only ever added to, and tells of the catalogue as well."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User

from deployments.models import AuditEntry, Deployment, LoadTime, Revision, StatusChange
from deployments.models.appended import AppendOnlyError
from templates_app.entries import parse_model
from templates_app.exceptions import ModelInUse, TemplateInUse
from templates_app.services import create_model, delete_model, delete_template

Launch = Callable[..., Deployment]


@pytest.mark.parametrize("kind", [AuditEntry, Revision, StatusChange, LoadTime])
def test_history_cannot_be_changed_or_removed(
    launch: Launch, kind: type[AuditEntry | Revision | StatusChange | LoadTime]
) -> None:
    made = launch()
    LoadTime.objects.create(
        template=made.template, deployment=made, pod_uid="a", seconds=1, at=made.created_at
    )
    row = kind.objects.all()[0]

    with pytest.raises(AppendOnlyError):
        row.save()
    with pytest.raises(AppendOnlyError):
        row.delete()
    with pytest.raises(AppendOnlyError):
        kind.objects.all().delete()
    with pytest.raises(AppendOnlyError):
        kind.objects.all().update(id=7)


def test_a_change_to_the_catalogue_is_in_the_trail(admin: User) -> None:
    create_model(parse_model({"id": "llama", "name": "Llama"}), by=admin)

    entry = AuditEntry.objects.get()
    assert (entry.action, entry.object_type, entry.object_id) == ("model.create", "model", "llama")
    assert (entry.actor, entry.outcome) == (admin, "succeeded")
    assert entry.after is not None
    assert entry.after["name"] == "Llama"


def test_the_trail_keeps_the_name_of_a_person_who_is_gone(launch: Launch, owner: User) -> None:
    deployment = launch()
    owner.delete()

    deployment.refresh_from_db()
    assert deployment.created_by is None
    assert deployment.created_by_name == "olga"
    assert AuditEntry.objects.filter(actor_name="olga", actor=None).exists()


def test_what_was_launched_keeps_its_template_and_model(launch: Launch) -> None:
    deployment = launch()
    Deployment.objects.update(closed_at=deployment.created_at)

    with pytest.raises(TemplateInUse):
        delete_template(deployment.template, by=None)
    with pytest.raises(ModelInUse):
        delete_model(deployment.model, by=None)
