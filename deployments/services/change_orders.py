"""What a person asks for when they change what runs: the body of a request, read strictly.

A change names only what shall be otherwise. Null takes an override back, so that the template's own
value counts again; an empty text is "not given", as everywhere.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from deployments.exceptions import InvalidOrder
from deployments.services.orders import TemplateChoice, given_value, refuse_unstorable
from providers.contract.errors import InvalidRequest
from providers.contract.fields import ShortText
from providers.contract.overrides import Overrides, parse_overrides
from providers.contract.pydantic_errors import fields_of

OVERRIDES = "overrides"
_ARGS = "engine_args"

_Token = Annotated[str, Field(max_length=400_000)]
_Reason = Annotated[ShortText, Field(max_length=2000)]
_Number = Annotated[int, Field(ge=1, le=1_000_000_000)]


@dataclass(frozen=True, kw_only=True, slots=True)
class ChangeOrder:
    """What shall be otherwise; None and empty leave as it is.

    `taken_back` are paths of overrides that shall count no more, `engine_args` for all of them.
    `change` is the token of a review, `expected` the revision that the person has seen.
    """

    overrides: Overrides = field(default_factory=Overrides)
    taken_back: frozenset[str] = frozenset()
    template: TemplateChoice | None = None
    stopped: bool | None = None
    redeploy: bool = False
    reason: str = ""
    change: str = ""
    expected: int | None = None

    @property
    def touches_overrides(self) -> bool:
        """Tell whether any override shall be otherwise."""
        return bool(self.overrides.given() or self.taken_back)

    def merged_into(self, current: Overrides) -> Overrides:
        """Return the overrides as they are after this change."""
        document = current.as_document()
        args = {} if _ARGS in self.taken_back else {**current.engine_args}
        document = {key: value for key, value in document.items() if key not in self.taken_back}
        kept = {key: text for key, text in args.items() if f"{_ARGS}.{key}" not in self.taken_back}
        given = self.overrides.as_document()
        merged = {**kept, **self.overrides.engine_args}
        return parse_overrides({**document, **given, _ARGS: merged})


@dataclass(frozen=True, kw_only=True, slots=True)
class RollbackOrder:
    """An earlier revision that shall be what runs again, by its number."""

    revision: int
    reason: str = ""
    change: str = ""
    expected: int | None = None


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    reason: _Reason = ""
    change: _Token = ""


class _ChangeBody(_Body):
    overrides: Overrides = Field(default_factory=Overrides)
    template: TemplateChoice | None = None
    stopped: bool | None = None
    redeploy: bool = False


class _RollbackBody(_Body):
    revision: _Number


def read_change(document: object, *, expected: int | None = None) -> ChangeOrder:
    """Read a change from JSON-like values; raises InvalidOrder with every faulty field."""
    given = _given(document)
    faults: dict[str, tuple[str, ...]] = {}
    overrides = given.pop(OVERRIDES, {})
    taken_back = frozenset(_taken_back(overrides))
    try:
        given[OVERRIDES] = parse_overrides(overrides)
    except InvalidRequest as refusal:
        faults |= refusal.fields
    faults |= _unknown(taken_back)
    try:
        body = _ChangeBody.model_validate(given)
    except ValidationError as error:
        raise InvalidOrder.about({**fields_of(error), **faults}) from error
    if faults:
        raise InvalidOrder.about(faults)
    return ChangeOrder(
        overrides=body.overrides,
        taken_back=taken_back,
        template=body.template,
        stopped=body.stopped,
        redeploy=body.redeploy,
        reason=body.reason,
        change=body.change,
        expected=expected,
    )


def read_rollback(document: object, *, expected: int | None = None) -> RollbackOrder:
    """Read a rollback from JSON-like values; raises InvalidOrder with every faulty field."""
    try:
        body = _RollbackBody.model_validate(_given(document))
    except ValidationError as error:
        raise InvalidOrder.about(fields_of(error)) from error
    return RollbackOrder(
        revision=body.revision, reason=body.reason, change=body.change, expected=expected
    )


def _given(document: object) -> dict[str, object]:
    if not isinstance(document, Mapping):
        raise InvalidOrder.of("", "the body must be an object with what shall be otherwise")
    refuse_unstorable(document)
    # The nulls among overrides say something; elsewhere they are as good as absent.
    given = {
        str(key): value if key == OVERRIDES else given_value(value)
        for key, value in document.items()
    }
    return {key: value for key, value in given.items() if value not in (None, "", {})}


def _taken_back(overrides: object) -> Iterator[str]:
    if not isinstance(overrides, Mapping):
        return
    yield from (str(key) for key, value in overrides.items() if value is None)
    args = overrides.get(_ARGS)
    if isinstance(args, Mapping):
        yield from (f"{_ARGS}.{key}" for key, value in args.items() if value is None)


def _unknown(taken_back: frozenset[str]) -> dict[str, tuple[str, ...]]:
    """Refuse to take back what never can be given; of engine arguments any name can."""
    known = Overrides.model_fields
    names = sorted(path for path in taken_back if path.partition(".")[0] not in known)
    text = f"is not an override; there are {', '.join(known)}"
    return {f"{OVERRIDES}.{name}": (text,) for name in names}
