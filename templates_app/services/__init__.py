"""The verbs of the catalogue: every change to it goes through here, whatever face asked for it."""

from templates_app.services.models import (
    add_version,
    create_model,
    delete_model,
    delete_version,
    update_model,
)
from templates_app.services.review import Notice, review_template, warnings_of
from templates_app.services.templates import (
    activate_template,
    create_template,
    delete_template,
    deprecate_template,
    move_template,
    new_version_from,
    replace_template,
    update_template,
)

__all__ = [
    "Notice",
    "activate_template",
    "add_version",
    "create_model",
    "create_template",
    "delete_model",
    "delete_template",
    "delete_version",
    "deprecate_template",
    "move_template",
    "new_version_from",
    "replace_template",
    "review_template",
    "update_model",
    "update_template",
    "warnings_of",
]
