"""Loads the seed catalogue: creates what is missing and never touches what is there.

Whoever changed a seeded model or template keeps the change; loading again is harmless.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from templates_app.entries import ModelEntry, TemplateFile, model_id_from
from templates_app.exceptions import NameTaken
from templates_app.models import Model, ModelDeploymentTemplate
from templates_app.services import create_model, create_template, move_template
from templates_app.yamlio import read_models, read_templates

CATALOG = Path(__file__).parent / "catalog"

Counts = Mapping[str, int]
_After = Callable[[ModelDeploymentTemplate, TemplateFile], object]


def load_catalog(folder: Path = CATALOG) -> Counts:
    """Create missing models, and missing templates as drafts; return how many of what."""
    return _load(folder, lambda _template, _file: None)


def load_and_activate_catalog(folder: Path = CATALOG) -> Counts:
    """Create missing models and templates; what is created gets the status of its file."""
    return _load(folder, lambda made, file: move_template(made, status=file.status, by=None))


def seed_models(folder: Path = CATALOG) -> list[ModelEntry]:
    """Return the models of a catalogue folder."""
    return read_models((folder / "models.yaml").read_text(encoding="utf-8"))


def seed_templates(folder: Path = CATALOG) -> Iterator[TemplateFile]:
    """Yield the templates of a catalogue folder, in the order of its file names."""
    for path in sorted((folder / "templates").glob("*.yaml")):
        yield from read_templates(path.read_text(encoding="utf-8"))


def _load(folder: Path, afterwards: _After) -> Counts:
    counts: Counter[str] = Counter()
    for entry in seed_models(folder):
        counts["models created" if _make_model(entry) else "models there already"] += 1
    for file in seed_templates(folder):
        counts[_make_template(file, afterwards)] += 1
    return counts


def _make_model(entry: ModelEntry) -> Model | None:
    if Model.objects.filter(pk=entry.id or model_id_from(entry.name)).exists():
        return None
    try:
        return create_model(entry, by=None)
    except NameTaken:  # somebody has a model of this name under an id of their own
        return None


def _make_template(file: TemplateFile, afterwards: _After) -> str:
    model = Model.objects.filter(pk=file.model).first()
    if model is None:
        return "templates without their model"
    if model.templates.named(file.entry.name).at_version(file.entry.version).exists():
        return "templates there already"
    afterwards(create_template(model, file.entry, by=None), file)
    return "templates created"
