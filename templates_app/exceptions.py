"""What can go wrong in the catalogue: one class per cause, a sentence that says what to do.

Three families (`Invalid`, `Conflict`, `Missing`) let the faces of the console answer alike
without knowing each cause.
"""

from collections.abc import Iterable, Mapping

from providers.contract.errors import InvalidRequest


class CatalogueError(Exception):
    """Any refusal of the catalogue: `code` is stable, `message` for people, `fields` by path."""

    code = "catalogue_error"

    def __init__(self, message: str, *, fields: Mapping[str, Iterable[str]] | None = None) -> None:
        """Keep the sentence, and where input is at fault what to do about each field."""
        super().__init__(message)
        self.message = message
        self.fields = {path: tuple(texts) for path, texts in (fields or {}).items()}


class Invalid(CatalogueError):
    """The input cannot be taken as it is; `fields` says why."""

    code = "invalid"

    @classmethod
    def of(cls, fields: Mapping[str, Iterable[str]]) -> "Invalid":
        """Return the error about these fields; its message is the first of them."""
        refusal = InvalidRequest(fields)
        return cls(refusal.message, fields=refusal.fields)


class NotActivable(Invalid):
    """The template cannot be offered: its engine, or the schema, refuses it."""

    code = "not_activable"


class ImportRefused(Invalid):
    """A file was not taken, nothing of it; `fields` names document, path and line."""

    code = "import_refused"


class Conflict(CatalogueError):
    """The input is fine, but what is stored stands against it."""

    code = "conflict"


class NameTaken(Conflict):
    """Another record bears this id, name, label or version."""

    code = "name_taken"

    def __init__(self, field: str, message: str) -> None:
        """Take the field whose value is taken."""
        super().__init__(message, fields={field: (message,)})


class TemplateFrozen(Conflict):
    """A template that has been active may change its status only."""

    code = "template_frozen"


class IllegalMove(Conflict):
    """There is no way from this status to that one."""

    code = "illegal_move"


class TemplateInUse(Conflict):
    """A deployment, open or closed, refers to the template."""

    code = "template_in_use"


class ModelInUse(Conflict):
    """A deployment, open or closed, refers to the model or to one of its templates."""

    code = "model_in_use"


class Missing(CatalogueError):
    """There is no such record."""

    code = "not_found"


class ModelMissing(Missing):
    def __init__(self, model_id: str) -> None:
        """Take the id that was asked for."""
        super().__init__(f"there is no model {model_id!r}")


class VersionMissing(Missing):
    def __init__(self, label: str) -> None:
        """Take the label that was asked for."""
        super().__init__(f"this model has no version {label!r}")


class TemplateMissing(Missing):
    def __init__(self, template: str) -> None:
        """Take the id, or name and version, that was asked for."""
        super().__init__(f"this model has no template {template!r}")
