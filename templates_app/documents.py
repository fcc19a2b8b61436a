"""Records as plain documents: what an export writes, and what a change is told with.

A template's document is the file form that an import takes.
"""

from templates_app.models import Model, ModelDeploymentTemplate, ModelVersion

Document = dict[str, object]

_MODEL_FIELDS = (
    "id",
    "name",
    "serving_name",
    "categories",
    "description",
    "context_length",
    "parameters",
    "licence",
    "tags",
    "metadata",
    "specification",
    "pricing",
)


def document_of_model(model: Model) -> Document:
    """Return the document of a model, as `entries.parse_model` reads it."""
    return {field: getattr(model, field) for field in _MODEL_FIELDS}


def document_of_version(version: ModelVersion) -> Document:
    """Return the document of a model's version."""
    return {
        "model": version.model_id,
        "label": version.label,
        "source_type": version.source_type,
        "uri": version.uri,
        "revision": version.revision,
    }


def document_of_template(template: ModelDeploymentTemplate) -> Document:
    """Return the document of a template in the order in which people write it."""
    return {
        "model": template.model_id,
        "name": template.name,
        "version": template.version,
        "status": template.status,
        "spec": template.spec,
    }
