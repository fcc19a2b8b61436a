"""Tells of every change to the catalogue, inside the transaction that makes it.

Who keeps a record of changes listens here; this room does not know who that is. A listener that
fails undoes the change: nothing is done that is not also told.
"""

from dataclasses import dataclass

from django.contrib.auth.models import User
from django.dispatch import Signal

from templates_app.documents import (
    Document,
    document_of_model,
    document_of_template,
    document_of_version,
)
from templates_app.models import Model, ModelDeploymentTemplate, ModelVersion

Subject = Model | ModelVersion | ModelDeploymentTemplate


@dataclass(frozen=True, kw_only=True, slots=True)
class Change:
    """One change: `action` like `template.activate`; `before` or `after` is None at either end.

    `by` is None where a command of the operator made it.
    """

    action: str
    object_id: str
    object_name: str
    by: User | None
    before: Document | None = None
    after: Document | None = None


# Sent with `change=Change(...)`.
catalogue_changed = Signal()


def tell(
    action: str,
    subject: Subject,
    *,
    by: User | None,
    before: Document | None = None,
    after: Document | None = None,
) -> None:
    """Send a change of a subject that has its key."""
    change = Change(
        action=action,
        object_id=str(subject.pk),
        object_name=str(subject),
        by=by,
        before=before,
        after=after,
    )
    catalogue_changed.send(sender=type(subject), change=change)


def document_of(subject: Subject) -> Document:
    """Return the subject as a document of its own, to be kept as before or after."""
    if isinstance(subject, Model):
        return document_of_model(subject)
    if isinstance(subject, ModelVersion):
        return document_of_version(subject)
    return document_of_template(subject)
