"""What a person asks for when they launch: the body of a request, read once and strictly.

Only the form is judged here, by path. Whether such a template, cluster or bound exists is told
where they are looked up.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from deployments.exceptions import InvalidOrder
from providers.contract.errors import InvalidRequest
from providers.contract.fields import ReplicaCount, ShortText
from providers.contract.overrides import Overrides, parse_overrides
from providers.contract.pydantic_errors import fields_of
from templates_app.names import NAME_LENGTH, Name

# Flat fields of older clients that fill in absent overrides.
FLAT_OVERRIDES = (
    "region",
    "min_replicas",
    "max_replicas",
    "enable_auto_scaling",
    "enable_multi_lora",
)
MAX_DEPTH = 20

_Word = Annotated[ShortText, Field(max_length=200)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class TemplateChoice(_Part):
    """A template by its ids; the model's may be left out, a wrong one is refused."""

    model_id: _Word = ""
    template_id: _Word


class ImplementationChoice(_Part):
    """The kind of runtime object; empty means the default one."""

    kind: _Word = ""


class TargetChoice(_Part):
    """Where to; what is empty is chosen."""

    cluster: _Word = ""
    namespace: _Word = ""


class LaunchOrder(_Part):
    """One launch as it was asked for; the flat fields at the end are those of older clients."""

    name: Name
    template: TemplateChoice | None = None
    implementation: ImplementationChoice = Field(default_factory=ImplementationChoice)
    overrides: Overrides = Field(default_factory=Overrides)
    target: TargetChoice = Field(default_factory=TargetChoice)
    launch: Annotated[str, Field(max_length=200_000)] = ""
    reason: Annotated[ShortText, Field(max_length=2000)] = ""
    base_model: _Word = ""
    accelerator_type: _Word = ""
    accelerator_count: Annotated[int, Field(ge=0, le=1024)] | None = None
    quantization: _Word = ""
    region: _Word | None = None
    min_replicas: ReplicaCount | None = None
    max_replicas: ReplicaCount | None = None
    enable_auto_scaling: bool | None = None
    enable_multi_lora: bool | None = None

    @field_validator("name", mode="before")
    @classmethod
    def _name_is_not_too_long(cls, value: object) -> object:
        if isinstance(value, str) and len(value) > NAME_LENGTH:
            raise ValueError(f"is too long ({len(value)} characters); use at most {NAME_LENGTH}")
        return value

    def resolved_overrides(self) -> Overrides:
        """Return the overrides with the flat fields filled in where an override is absent."""
        return self.overrides.model_copy(update=dict(self._filled_in()))

    def path_of(self, path: str) -> str:
        """Return a path as the caller wrote it: that of the flat field an override came from."""
        name = path.removeprefix("overrides.")
        return name if path != name and name in dict(self._filled_in()) else path

    def _filled_in(self) -> Iterator[tuple[str, str | int | bool]]:
        for name in FLAT_OVERRIDES:
            value = getattr(self, name)
            if value is not None and getattr(self.overrides, name) is None:
                yield name, value


def read_order(document: object) -> LaunchOrder:
    """Read an order from JSON-like values; raises InvalidOrder with every faulty field."""
    if not isinstance(document, Mapping):
        raise InvalidOrder.of("", "the body must be an object with name, template and so on")
    refuse_unstorable(document)
    given = {str(key): given_value(value) for key, value in document.items()}
    # An empty object names nothing, and so is as good as absent.
    given = {key: value for key, value in given.items() if value is not None and value != {}}
    faults: dict[str, tuple[str, ...]] = {}
    try:
        given["overrides"] = parse_overrides(given.get("overrides", {}))
    except InvalidRequest as refusal:
        faults |= refusal.fields
        del given["overrides"]
    return _validated(given, faults)


def _validated(given: Mapping[str, object], faults: dict[str, tuple[str, ...]]) -> LaunchOrder:
    try:
        order = LaunchOrder.model_validate(given)
    except ValidationError as error:
        raise InvalidOrder.about({**fields_of(error), **faults}) from error
    if faults:
        raise InvalidOrder.about(faults)
    return order


def given_value(value: object) -> object:
    """Return a value without members that were not given: null and the empty text are absent."""
    if isinstance(value, Mapping):
        return {key: item for key, item in value.items() if item is not None and item != ""}
    return None if value == "" else value


def refuse_unstorable(document: Mapping[object, object]) -> None:
    """Raise InvalidOrder for every value that no database keeps."""
    faults = {path: (text,) for path, text in _unstorable(document, "", 0)}
    if faults:
        raise InvalidOrder.about(faults)


def _unstorable(value: object, at: str, depth: int) -> Iterator[tuple[str, str]]:
    """Yield what no database keeps: NUL, half surrogate pairs, and nesting without end."""
    if depth > MAX_DEPTH:
        yield at, "is nested too deeply"
    elif isinstance(value, str):
        if any(char == "\0" or "\ud800" <= char <= "\udfff" for char in value):
            yield at, "holds a character that cannot be stored (NUL or half a surrogate pair)"
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _unstorable(item, f"{at}.{key}".lstrip("."), depth + 1)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _unstorable(item, f"{at}.{index}", depth + 1)
