"""The catalogue as YAML text: templates in and out, models in and out.

A file is taken whole or not at all; its errors name document, path and line. What may be stored,
and when a template may be offered, is decided by the services, as for every other face.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from django.contrib.auth.models import User
from django.db import transaction
from ruamel.yaml.nodes import Node

from providers.contract.errors import InvalidRequest
from providers.contract.yaml_text import load_all, to_yaml
from templates_app.documents import document_of_model, document_of_template
from templates_app.entries import ModelEntry, TemplateFile, parse_model, parse_template_file
from templates_app.exceptions import (
    CatalogueError,
    ImportRefused,
    ModelMissing,
    NameTaken,
    TemplateFrozen,
)
from templates_app.models import Model, ModelDeploymentTemplate
from templates_app.selectors import find_model
from templates_app.services import create_template, move_template, update_template
from templates_app.yaml_lines import documents_in, line_of

_T = TypeVar("_T")
_R = TypeVar("_R")

Status = ModelDeploymentTemplate.Status


@dataclass(frozen=True, kw_only=True, slots=True)
class Read(Generic[_T]):
    """One document of a file: its place in the file from 1, its tree, what it says."""

    number: int
    root: Node
    content: _T


@dataclass(frozen=True, kw_only=True, slots=True)
class ImportReport:
    """What an import did, in templates; `activated` ones are counted beside how they came."""

    created: tuple[ModelDeploymentTemplate, ...] = ()
    updated: tuple[ModelDeploymentTemplate, ...] = ()
    unchanged: tuple[ModelDeploymentTemplate, ...] = ()


def export_templates(templates: Iterable[ModelDeploymentTemplate]) -> str:
    """Return one document per template, in the form that an import takes."""
    return to_yaml([document_of_template(template) for template in templates])


def export_models(models: Iterable[Model]) -> str:
    """Return one document per model, in the form that `read_models` takes."""
    return to_yaml([document_of_model(model) for model in models])


def read_models(text: str) -> list[ModelEntry]:
    """Return the models of a file; raises ImportRefused with every fault."""
    return [read.content for read in _read_all(text, parse_model)]


def read_templates(text: str) -> list[TemplateFile]:
    """Return the templates of a file; raises ImportRefused with every fault."""
    return [read.content for read in _read_all(text, parse_template_file)]


def import_templates(text: str, *, by: User | None) -> ImportReport:
    """Store every template of a file as a draft, whatever status it names.

    A draft of the same name and version is replaced, what has been active is refused unless it is
    the same. Raises ImportRefused with every fault, and then nothing was stored.
    """
    return _import(text, lambda template, _: template, by=by)


def import_and_activate(text: str, *, by: User | None) -> ImportReport:
    """Store every template of a file and bring it to the status that the file names."""

    def move(template: ModelDeploymentTemplate, file: TemplateFile) -> ModelDeploymentTemplate:
        return _move(template, file.status, by=by)

    return _import(text, move, by=by)


def _import(
    text: str,
    afterwards: Callable[[ModelDeploymentTemplate, TemplateFile], ModelDeploymentTemplate],
    *,
    by: User | None,
) -> ImportReport:
    reads = _read_all(text, parse_template_file)
    seen: set[tuple[str, str, str]] = set()
    stored: dict[str, list[ModelDeploymentTemplate]] = {}

    def store(file: TemplateFile) -> None:
        if file.key in seen:
            raise NameTaken("version", "stands twice in this file; remove one of the two")
        seen.add(file.key)
        outcome, template = _store(file, by=by)
        stored.setdefault(outcome, []).append(afterwards(template, file))

    with transaction.atomic():
        _each(reads, store)
    return ImportReport(**{outcome: tuple(templates) for outcome, templates in stored.items()})


def _store(file: TemplateFile, *, by: User | None) -> tuple[str, ModelDeploymentTemplate]:
    model = find_model(file.model)
    existing = model.templates.named(file.entry.name).at_version(file.entry.version).first()
    if existing is None:
        return "created", create_template(model, file.entry, by=by)
    before = document_of_template(existing)
    template = update_template(existing, file.entry, by=by)
    return "unchanged" if document_of_template(template) == before else "updated", template


def _move(
    template: ModelDeploymentTemplate, status: str, *, by: User | None
) -> ModelDeploymentTemplate:
    if status == Status.DEPRECATED and not template.is_frozen:
        template = move_template(template, status=Status.ACTIVE, by=by)
    return move_template(template, status=status, by=by)


def _read_all(text: str, parse: Callable[[object], _T]) -> list[Read[_T]]:
    try:
        documents = load_all(text)
    except InvalidRequest as refusal:
        raise ImportRefused(refusal.message, fields=refusal.fields) from refusal
    roots = documents_in(text)
    numbered = [
        Read(number=number, root=root, content=document)
        for number, (root, document) in enumerate(zip(roots, documents, strict=True), start=1)
    ]
    if not numbered:
        raise ImportRefused.of({"yaml": ("holds no document",)})
    contents = _each(numbered, parse)
    return [
        Read(number=read.number, root=read.root, content=content)
        for read, content in zip(numbered, contents, strict=True)
    ]


def _each(reads: list[Read[_T]], act: Callable[[_T], _R]) -> list[_R]:
    """Act on every document, then raise the faults of all of them together."""
    done: list[_R] = []
    faults: dict[str, tuple[str, ...]] = {}
    for read in reads:
        try:
            done.append(act(read.content))
        except CatalogueError as refusal:
            faults |= _located(read, refusal, alone=len(reads) == 1)
    if faults:
        raise ImportRefused.of(faults)
    return done


def _located(
    read: Read[_T], refusal: CatalogueError, *, alone: bool
) -> Mapping[str, tuple[str, ...]]:
    fields = refusal.fields or {_path_of(refusal): (refusal.message,)}
    place = "" if alone else f"document {read.number}"
    return {
        _joined(place, path): tuple(f"line {line_of(read.root, path)}: {text}" for text in texts)
        for path, texts in fields.items()
    }


def _joined(*places: str) -> str:
    return ": ".join(filter(None, places))


def _path_of(refusal: CatalogueError) -> str:
    """Return the field that a refusal of what is stored is about."""
    if isinstance(refusal, ModelMissing):
        return "model"
    return "version" if isinstance(refusal, TemplateFrozen) else "status"
