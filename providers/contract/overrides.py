"""What a deployer may change of a template, checked against its bounds and resolved.

Knows the template's words only; what a cluster or an engine makes of the result is not its matter.
An explicit 0 is 0, an empty string is "not given".
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from providers.contract.bounds import OPEN_OVERRIDES, Bound, Metric, Strategy
from providers.contract.errors import InvalidRequest
from providers.contract.fields import EngineArgs, ReplicaCount, ShortText
from providers.contract.pydantic_errors import fields_of
from providers.contract.template import TemplateSpec

_T = TypeVar("_T")

OverrideValue = str | int | bool


class Overrides(BaseModel):
    """The overrides of one deployment; None means that the template's own value counts."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    region: ShortText | None = None
    min_replicas: ReplicaCount | None = None
    max_replicas: ReplicaCount | None = None
    enable_auto_scaling: bool | None = None
    enable_multi_lora: bool | None = None
    rollout: Strategy | None = None
    engine_args: EngineArgs = Field(default_factory=dict)
    model_version: Annotated[str, Field(max_length=200)] | None = None

    def given(self) -> Mapping[str, OverrideValue]:
        """Return what was given, by the path that `overridable` uses for it."""
        return dict(self._pairs())

    def as_document(self) -> dict[str, object]:
        """Return plain JSON values, absent ones left out."""
        document = self.model_dump(mode="json", exclude_none=True)
        if not document.get("engine_args"):
            document.pop("engine_args", None)
        return document

    def _pairs(self) -> Iterator[tuple[str, OverrideValue]]:
        for path in (*OPEN_OVERRIDES, "model_version"):
            value = getattr(self, path)
            if value is not None:
                yield path, value
        for name, value in self.engine_args.items():
            yield f"engine_args.{name}", value


@dataclass(frozen=True, kw_only=True, slots=True)
class Scaling:
    """Replicas as wanted: `max_replicas` equals `min_replicas` unless `autoscaled`."""

    min_replicas: int
    max_replicas: int
    autoscaled: bool
    metric: Metric

    @property
    def has_autoscaler(self) -> bool:
        """Tell whether an autoscaler is rendered: only where it has room to move."""
        return self.autoscaled and self.max_replicas > self.min_replicas


def parse_overrides(document: object, *, at: str = "overrides") -> Overrides:
    """Read overrides from JSON-like values; raises InvalidRequest by path below `at`."""
    if not isinstance(document, Mapping):
        raise InvalidRequest.of(at, "must be an object")
    given = {key: value for key, value in document.items() if value is not None and value != ""}
    args = given.get("engine_args")
    if isinstance(args, Mapping):
        given["engine_args"] = {k: v for k, v in args.items() if v is not None and v != ""}
    try:
        return Overrides.model_validate(given)
    except ValidationError as error:
        raise InvalidRequest(fields_of(error, at=at)) from error


def check_overrides(overrides: Overrides, spec: TemplateSpec, *, at: str = "overrides") -> None:
    """Hold overrides against what the template allows; raises InvalidRequest with every fault."""
    faults: dict[str, tuple[str, ...]] = {}
    for path, value in overrides.given().items():
        fault = _fault_of(path, value, spec.overridable.get(path))
        if fault:
            faults[f"{at}.{path}"] = (fault,)
    if faults:
        raise InvalidRequest(faults)


def resolve_scaling(spec: TemplateSpec, overrides: Overrides, *, at: str = "overrides") -> Scaling:
    """Return the replicas that are wanted; raises InvalidRequest where they make no sense."""
    defaults = spec.scaling_defaults
    low = _first(overrides.min_replicas, defaults.min_replicas)
    autoscaled = _first(overrides.enable_auto_scaling, defaults.enable_auto_scaling)
    if not autoscaled:
        _check_order(overrides, at)
        return Scaling(min_replicas=low, max_replicas=low, autoscaled=False, metric=defaults.metric)
    high = overrides.max_replicas if overrides.max_replicas is not None else defaults.max_replicas
    _check_range(low, high, at)
    return Scaling(
        min_replicas=low, max_replicas=high or low, autoscaled=True, metric=defaults.metric
    )


def chosen_strategy(spec: TemplateSpec, overrides: Overrides) -> str:
    """Return how pods are to be replaced: the deployer's word, else the template's."""
    return overrides.rollout or spec.rollout.strategy


def merged_engine_args(spec: TemplateSpec, overrides: Overrides) -> Mapping[str, str]:
    """Return the template's engine arguments with the deployer's on top."""
    return {**spec.engine_args, **overrides.engine_args}


def _check_range(low: int, high: int | None, at: str) -> None:
    if high is None:
        raise InvalidRequest.of(f"{at}.max_replicas", "is required when autoscaling is on")
    if low < 1:
        raise InvalidRequest.of(
            f"{at}.min_replicas", "must be at least 1 when autoscaling is on; 0 stops the model"
        )
    if high < low:
        raise InvalidRequest.of(f"{at}.max_replicas", _upside_down(low, high))


def _check_order(overrides: Overrides, at: str) -> None:
    """Refuse a range upside down even where nobody scales: one of the two is a mistake."""
    low, high = overrides.min_replicas, overrides.max_replicas
    if low is not None and high is not None and high < low:
        raise InvalidRequest.of(f"{at}.max_replicas", _upside_down(low, high))


def _upside_down(low: int, high: int) -> str:
    return f"must be at least min_replicas ({low}); {high} was given"


def _fault_of(path: str, value: OverrideValue, bound: Bound | None) -> str:
    if bound is None:
        return "" if path in OPEN_OVERRIDES else "the template does not allow to override this"
    if bound.values is not None and not _is_among(value, bound):
        return f"must be one of {', '.join(_plain(item) for item in bound.values)}"
    if bound.min is None and bound.max is None:
        return ""
    return _range_fault(value, bound)


def _is_among(value: OverrideValue, bound: Bound) -> bool:
    return _plain(value) in {_plain(item) for item in bound.values or ()}


def _plain(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _range_fault(value: OverrideValue, bound: Bound) -> str:
    number = _number(value)
    if number is None:
        return "must be a number, because the template bounds it"
    if bound.min is not None and number < bound.min:
        return f"must be at least {bound.min}; {value} was given"
    if bound.max is not None and number > bound.max:
        return f"must be at most {bound.max}; {value} was given"
    return ""


def _number(value: OverrideValue) -> float | None:
    try:
        number = float(value)
    except ValueError:
        return None
    return number if number == number and abs(number) != float("inf") else None  # noqa: PLR0124


def _first(given: _T | None, default: _T) -> _T:
    return default if given is None else given
