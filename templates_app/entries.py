"""What may be written into the catalogue: every field of a model, a version and a template.

Input is read once, here, whatever face it came through; errors name the field by its path. Stored
records and their states are not known here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeVar

from django.utils.text import slugify
from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from providers.contract.errors import InvalidRequest
from providers.contract.pydantic_errors import fields_of
from providers.contract.template import TemplateSpec, parse_spec
from templates_app.exceptions import Invalid
from templates_app.names import (
    SLUG_LENGTH,
    Line,
    Name,
    ServingName,
    Slug,
    SourceRevision,
    SourceUri,
    Version,
    Word,
    version_slug,
)

_E = TypeVar("_E", bound="Entry")

# What slugify would drop without a trace: 3.2 is not 32.
_BETWEEN_WORDS = re.compile("[._/:+]+")
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")

JsonObject = dict[str, JsonValue]
WordList = Annotated[tuple[Word, ...], Field(max_length=50)]


class Entry(BaseModel):
    """Strict and closed; lists may come as JSON gives them."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


class ModelEntry(Entry):
    """A model as it is written; without an id one is made from the name."""

    id: Slug | None = None
    name: Name
    serving_name: ServingName = ""
    categories: WordList = ()
    description: Annotated[str, Field(max_length=5000)] = ""
    context_length: Annotated[int, Field(ge=1, le=2**31 - 1)] | None = None
    parameters: Annotated[int, Field(ge=1, le=10**15)] | None = None
    licence: Annotated[Line, Field(max_length=200)] = ""
    tags: WordList = ()
    metadata: JsonObject = Field(default_factory=dict)
    specification: JsonObject = Field(default_factory=dict)
    pricing: JsonObject = Field(default_factory=dict)

    def columns(self, model_id: str) -> dict[str, Any]:
        """Return the values to store under an id, absent ones filled in."""
        values = self.model_dump(mode="json")
        return {**values, "id": model_id, "serving_name": self.serving_name or model_id}


class VersionEntry(Entry):
    """A version of a model as it is written."""

    label: Name
    source_type: Literal["huggingface", "s3", "local"]
    uri: SourceUri
    revision: SourceRevision = ""


class _TemplateHead(Entry):
    name: Slug
    version: Version


@dataclass(frozen=True, kw_only=True, slots=True)
class TemplateEntry:
    """A template as it is written, without model and status; `spec` has passed the schema."""

    name: str
    version: str
    spec: TemplateSpec


class _TemplateFields(Entry):
    """The outer form of a file; name, version and spec are read in their turn."""

    model: Annotated[str, Field(max_length=SLUG_LENGTH)]
    name: Any = None
    version: Any = None
    status: Literal["draft", "active", "deprecated"] = "draft"
    spec: Any = None


@dataclass(frozen=True, kw_only=True, slots=True)
class TemplateFile:
    """A template as a file holds it; whether its status is honoured is the importer's matter."""

    model: str
    status: str
    entry: TemplateEntry

    @property
    def key(self) -> tuple[str, str, str]:
        """Return what no two templates share."""
        return self.model, self.entry.name, version_slug(self.entry.version)


def parse_model(document: object) -> ModelEntry:
    """Read a model from JSON-like values; raises Invalid by path."""
    return _parse(ModelEntry, document)


def parse_version(document: object) -> VersionEntry:
    """Read a version of a model from JSON-like values; raises Invalid by path."""
    return _parse(VersionEntry, document)


def parse_template(*, name: object, version: object, spec: object) -> TemplateEntry:
    """Read a template; raises Invalid with the faults of name, version and spec together."""
    faults: dict[str, tuple[str, ...]] = {}
    head = parsed = None
    try:
        given = {"name": name, "version": version}
        head = _parse(_TemplateHead, {key: text for key, text in given.items() if text is not None})
    except Invalid as refusal:
        faults |= refusal.fields
    try:
        parsed = parse_spec_document({} if spec is None else spec)
    except Invalid as refusal:
        faults |= refusal.fields
    if head is None or parsed is None:
        raise Invalid.of(faults)
    return TemplateEntry(name=head.name, version=head.version, spec=parsed)


def parse_template_file(document: object) -> TemplateFile:
    """Read the file form of a template; raises Invalid with the faults of all parts together."""
    given = _object(document)
    faults: dict[str, tuple[str, ...]] = {}
    fields = entry = None
    try:
        fields = _parse(_TemplateFields, given)
    except Invalid as refusal:
        faults |= refusal.fields
    try:
        entry = parse_template(
            name=given.get("name"), version=given.get("version"), spec=given.get("spec")
        )
    except Invalid as refusal:
        faults |= refusal.fields
    if fields is None or entry is None:
        raise Invalid.of(faults)
    return TemplateFile(model=fields.model, status=fields.status, entry=entry)


def model_id_from(name: str) -> str:
    """Return an id made from a name; raises Invalid where the name has nothing for one."""
    slug = slugify(_BETWEEN_WORDS.sub("-", name)).strip("-")[:SLUG_LENGTH].strip("-")
    if not slug:
        raise Invalid.of({"id": ("is required, because none can be made from the name",)})
    return slug


def _object(document: object) -> Mapping[Any, object]:
    if not isinstance(document, Mapping):
        raise Invalid.of({"": ("the document must be an object",)})
    return document


def _parse(kind: type[_E], document: object) -> _E:
    given = _object(document)
    _refuse_unstorable(given, "")
    try:
        return kind.model_validate({key: _frozen(value) for key, value in given.items()})
    except ValidationError as error:
        raise Invalid.of(fields_of(error)) from error


def parse_spec_document(document: object) -> TemplateSpec:
    """Read a spec alone, stored ones among them; raises Invalid by path below `spec`."""
    _refuse_unstorable(document, "spec")
    try:
        return parse_spec(document)
    except InvalidRequest as refusal:
        raise Invalid(refusal.message, fields=refusal.fields) from refusal


def _frozen(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


def _refuse_unstorable(document: object, at: str) -> None:
    faults = {path: (text,) for path, text in _unstorable(document, at)}
    if faults:
        raise Invalid.of(faults)


def _unstorable(value: object, at: str) -> Iterator[tuple[str, str]]:
    """Yield what PostgreSQL cannot keep in text: NUL and half surrogate pairs, keys included."""
    if isinstance(value, str) and any(
        char == "\0" or "\ud800" <= char <= "\udfff" for char in value
    ):
        yield at, "holds a character that cannot be stored (NUL or half a surrogate pair)"
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _unstorable(key, at)
            yield from _unstorable(item, f"{at}.{key}".lstrip("."))
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from _unstorable(item, f"{at}.{index}".lstrip("."))
