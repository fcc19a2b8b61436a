"""Where the weights of a launch come from: the template's source, or a version of the model."""

from deployments.exceptions import InvalidOrder
from providers.contract.overrides import Overrides
from providers.contract.template import ModelSource, TemplateSpec
from templates_app import selectors as catalogue
from templates_app.exceptions import Missing
from templates_app.models import Model, ModelVersion

FIELD = "overrides.model_version"


def resolve_source(model: Model, spec: TemplateSpec, overrides: Overrides) -> ModelSource | None:
    """Return the source to serve; a model version replaces type, uri and revision only."""
    if overrides.model_version is None:
        return _own_source(model, spec)
    version = _version(model, overrides.model_version)
    named = {"type": version.source_type, "uri": version.uri, "revision": version.revision}
    if spec.model_source is None:
        return ModelSource.model_validate(named)
    return spec.model_source.model_copy(update=named)


def _own_source(model: Model, spec: TemplateSpec) -> ModelSource | None:
    if spec.model_source is None and spec.needs_source:
        labels = ", ".join(model.versions.values_list("label", flat=True)[:20]) or "none yet"
        raise InvalidOrder.of(
            FIELD, f"is required, because the template names no source; {model.pk} has: {labels}"
        )
    return spec.model_source


def _version(model: Model, label: str) -> ModelVersion:
    try:
        return catalogue.find_version(model, label)
    except Missing as error:
        labels = ", ".join(model.versions.values_list("label", flat=True)[:20]) or "none yet"
        raise InvalidOrder.of(
            FIELD, f"{model.pk} has no version {label}; it has: {labels}"
        ) from error
