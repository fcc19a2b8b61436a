"""Questions to the catalogue: which models, which templates, which of them is the latest.

Reads only. What is not there raises one of the `Missing` errors.
"""

from collections.abc import Mapping
from uuid import UUID

from django.db.models import Count, Q

from templates_app.exceptions import Invalid, ModelMissing, TemplateMissing, VersionMissing
from templates_app.models import Model, ModelDeploymentTemplate, ModelQuerySet, ModelVersion
from templates_app.names import name_key

Status = ModelDeploymentTemplate.Status


def models_for(*, search: str = "", category: str = "") -> ModelQuerySet:
    """Return models by name; every word of `search` must be found somewhere in them."""
    found = Model.objects.all()
    if search:
        found = found.matching(search)
    if category:
        found = found.in_category(category)
    return found


def find_model(model_id: str) -> Model:
    """Return the model of an id."""
    model = Model.objects.filter(pk=model_id).first()
    if model is None:
        raise ModelMissing(model_id)
    return model


def find_base_model(text: str) -> Model:
    """Return the model that people call so: by id, else by name, else by serving name."""
    key = name_key(text)
    wanted = Q(pk=key) | Q(name_key=key) | Q(serving_name=text)
    candidates = list(Model.objects.filter(wanted))
    candidates.sort(key=lambda model: (model.pk != key, model.name_key != key))
    if not candidates:
        raise ModelMissing(text)
    return candidates[0]


def find_version(model: Model, label: str) -> ModelVersion:
    """Return the version of a model under a label, whatever its case."""
    version = model.versions.filter(label_key=name_key(label)).first()
    if version is None:
        raise VersionMissing(label)
    return version


def templates_of(
    model: Model, *, status: str = "", name: str = ""
) -> list[ModelDeploymentTemplate]:
    """Return a model's templates by name, the newest version of each name first."""
    found = model.templates.select_related("model")
    if status:
        found = found.filter(status=_known_status(status))
    if name:
        found = found.named(name)
    # Twice, because a sort keeps the order of equals: the version falls, the name rises.
    newest_first = sorted(found, key=lambda template: template.order, reverse=True)
    return sorted(newest_first, key=lambda template: template.name)


def active_templates(model: Model, *, name: str = "") -> list[ModelDeploymentTemplate]:
    """Return what may be launched of a model, the newest version first whatever its name."""
    found = model.templates.active().select_related("model")
    if name:
        found = found.named(name)
    return sorted(found, key=lambda template: (template.order, template.created_at), reverse=True)


def latest_active(model: Model, *, name: str = "") -> ModelDeploymentTemplate:
    """Return the newest active version, of one name where it is given."""
    found = active_templates(model, name=name)
    if not found:
        raise TemplateMissing(f"{name or model.pk}, active")
    return found[0]


def versions_up_to(template: ModelDeploymentTemplate) -> list[ModelDeploymentTemplate]:
    """Return this version of a template and the older ones, whatever their status, newest first."""
    same = template.model.templates.select_related("model").named(template.name)
    found = [one for one in same if one.order <= template.order]
    return sorted(found, key=lambda one: one.order, reverse=True)


def newer_active(template: ModelDeploymentTemplate) -> ModelDeploymentTemplate | None:
    """Return the newest active version of a template, without its spec; None if none is newer."""
    same = ModelDeploymentTemplate.objects.active().filter(model_id=template.model_id)
    found = same.named(template.name).defer("spec")
    newest = max(found, key=lambda one: one.order, default=template)
    return newest if newest.order > template.order else None


def count_active_templates() -> Mapping[str, int]:
    """Return how many templates can be launched, and of how many models."""
    return ModelDeploymentTemplate.objects.active().aggregate(
        templates=Count("pk"), models=Count("model", distinct=True)
    )


def easiest_template() -> ModelDeploymentTemplate | None:
    """Return an active template that needs no accelerator, one without weights before others."""
    found = ModelDeploymentTemplate.objects.active().select_related("model")
    # What the demo shows fails on purpose.
    found = found.exclude(model__category_keys__contains="|demo|")
    on_cpu = found.filter(spec__accelerator__type__iexact="cpu").order_by("model_id", "created_at")
    light = on_cpu.filter(spec__engine__type="mock").first()
    return light or on_cpu.first()


def find_template(model_id: str, template_id: str | UUID) -> ModelDeploymentTemplate:
    """Return a template of this very model; another model's is as good as none."""
    template = None
    if _is_uuid(template_id):
        templates = ModelDeploymentTemplate.objects.select_related("model")
        template = templates.filter(pk=template_id, model_id=model_id).first()
    if template is None:
        raise TemplateMissing(str(template_id))
    return template


def find_template_by_name(model: Model, name: str, *, version: str = "") -> ModelDeploymentTemplate:
    """Return one version of a name, in any spelling and status; none given: the latest active."""
    if not version:
        return latest_active(model, name=name)
    template = model.templates.named(name).at_version(version).select_related("model").first()
    if template is None:
        raise TemplateMissing(f"{name} {version}")
    return template


def categories() -> list[str]:
    """Return every category in use, each once, sorted without case."""
    spelt: dict[str, str] = {}
    for words in Model.objects.values_list("categories", flat=True):
        for word in words:
            spelt.setdefault(name_key(word), word)
    return [spelt[key] for key in sorted(spelt)]


def _known_status(status: str) -> Status:
    try:
        return Status(status)
    except ValueError:
        raise Invalid.of({"status": (f"must be one of {', '.join(Status.values)}",)}) from None


def _is_uuid(text: str | UUID) -> bool:
    try:
        UUID(str(text))
    except ValueError:
        return False
    return True
