"""The first step: models that can be launched, and the versions that a template would take."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.db.models import Exists, OuterRef, Prefetch
from django.http import QueryDict

from console.web.launch.state import LaunchState
from console.web.launch.steps import StepFault
from templates_app import selectors as catalogue
from templates_app.exceptions import Missing
from templates_app.models import Model, ModelDeploymentTemplate, ModelVersion

PAGE_SIZE = 12
SHOWN_VERSIONS = 4
ALL_VERSIONS = 100

NO_TEMPLATE = "No template of it is active yet; a curator activates one in the catalogue."


@dataclass(frozen=True, kw_only=True, slots=True)
class VersionOffer:
    """One registered version; `value` is what the form sends for it."""

    label: str
    source: str
    value: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelOffer:
    """One model; with a `reason` it cannot be chosen. `more` versions are not shown."""

    model: Model
    templates: int
    versions: tuple[VersionOffer, ...]
    more: int
    needs_version: bool
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelSearch:
    """What the catalogue is narrowed to; `only` is the id of the one model to show in full."""

    search: str = ""
    category: str = ""
    only: str = ""
    page: str = ""

    @classmethod
    def names(cls) -> tuple[str, ...]:
        return ("search", "category", "only", "page")

    @property
    def is_narrow(self) -> bool:
        return bool(self.search or self.category or self.only)


def read_search(given: QueryDict) -> ModelSearch:
    """Read what to narrow the catalogue to."""
    words = {name: given.get(name, "")[:200].replace("\0", "") for name in ModelSearch.names()}
    return ModelSearch(**words)


def find_models(wanted: ModelSearch) -> Page[Model]:
    """Return a page of models, those that can be launched first; for no such page the nearest."""
    active = ModelDeploymentTemplate.objects.active().filter(model=OuterRef("pk"))
    found = catalogue.models_for(search=wanted.search, category=wanted.category)
    found = found.alias(has_active=Exists(active)).order_by("-has_active", "name_key")
    if wanted.only:
        found = found.filter(pk=wanted.only)
    versions = Prefetch("versions", ModelVersion.objects.order_by("-created_at", "-pk"))
    return Paginator(found.prefetch_related(versions), PAGE_SIZE).get_page(wanted.page)


def offer_models(models: Iterable[Model]) -> tuple[ModelOffer, ...]:
    """Return the models of a page with what may be launched of each."""
    shown = list(models)
    active = ModelDeploymentTemplate.objects.active().filter(model__in=shown)
    counts: dict[str, list[Mapping[str, object]]] = {model.pk: [] for model in shown}
    for model_id, spec in active.values_list("model_id", "spec"):
        counts[model_id].append(spec if isinstance(spec, Mapping) else {})
    limit = ALL_VERSIONS if len(shown) == 1 else SHOWN_VERSIONS
    return tuple(_offer(model, counts[model.pk], limit) for model in shown)


def with_chosen(page: Page[Model], state: LaunchState, fault: StepFault | None) -> list[Model]:
    """Return the models of a page, led by the chosen one, so that going on keeps it."""
    shown = list(page)
    if state.model_id and not fault and all(model.pk != state.model_id for model in shown):
        versions = Prefetch("versions", ModelVersion.objects.order_by("-created_at", "-pk"))
        shown[:0] = Model.objects.filter(pk=state.model_id).prefetch_related(versions)
    return shown


def choose_model(state: LaunchState) -> Model:
    """Return the chosen model; raises StepFault when it, or its version, is not there."""
    if not state.model_id:
        raise StepFault("model", "Choose a model first.")
    try:
        model = catalogue.find_model(state.model_id)
        if state.version:
            catalogue.find_version(model, state.version)
    except Missing as error:
        wanted = f"version {state.version} of {state.model_id}" if state.version else state.model_id
        text = f"There is no {wanted} in the catalogue any more; choose another."
        raise StepFault("model", text) from error
    return model


def _offer(model: Model, specs: list[Mapping[str, object]], limit: int) -> ModelOffer:
    takes = any(_opens_version(spec) for spec in specs)
    versions = list(model.versions.all()) if takes else []
    return ModelOffer(
        model=model,
        templates=len(specs),
        versions=tuple(_version(model, version) for version in versions[:limit]),
        more=max(0, len(versions) - limit),
        needs_version=bool(versions) and not any(spec.get("model_source") for spec in specs),
        reason="" if specs else NO_TEMPLATE,
    )


def _version(model: Model, version: ModelVersion) -> VersionOffer:
    at = f" at {version.revision}" if version.revision else ""
    return VersionOffer(
        label=version.label,
        source=f"{version.source_type} {version.uri}{at}",
        value=f"{model.pk}@{version.label}",
    )


def _opens_version(spec: Mapping[str, object]) -> bool:
    overridable = spec.get("overridable")
    return isinstance(overridable, Mapping) and "model_version" in overridable
