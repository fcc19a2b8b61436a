"""The part of the template that a deployer may meet: scaling defaults, rollout, and the bounds."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field, model_validator

from providers.contract.fields import Number, OneWord, ReplicaCount, Scalar
from providers.contract.part import Part
from providers.contract.pydantic_errors import FieldFault


class Metric(Part):
    """What the autoscaler looks at; `target` is a percentage for cpu and memory."""

    type: Literal["cpu", "memory", "pods"] = "cpu"
    target: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    name: OneWord = ""

    @model_validator(mode="after")
    def _pods_metric_is_whole(self) -> "Metric":
        if self.type == "pods" and not self.name:
            raise FieldFault("name", "is required for a pods metric")
        if self.type == "pods" and self.target is None:
            raise FieldFault("target", "is required for a pods metric")
        if self.type != "pods" and self.name:
            raise FieldFault("name", "belongs to a pods metric only")
        return self


class ScalingDefaults(Part):
    """Replicas when nobody overrides them; `max_replicas` counts only with autoscaling."""

    min_replicas: ReplicaCount = 1
    max_replicas: ReplicaCount | None = None
    enable_auto_scaling: bool = False
    metric: Metric = Field(default_factory=Metric)


Strategy = Literal["auto", "surge", "replace", "recreate"]


class RolloutDefaults(Part):
    """How a change replaces pods; auto is resolved once per revision."""

    strategy: Strategy = "auto"


class Bound(Part):
    """What an override may be: `min` and `max` for numbers, or one of `values`."""

    min: Number | None = None
    max: Number | None = None
    values: Annotated[tuple[Scalar, ...], Field(min_length=1)] | None = None

    @model_validator(mode="after")
    def _range_is_one(self) -> "Bound":
        if self.min is not None and self.max is not None and self.min > self.max:
            raise FieldFault("min", f"must not be above max ({self.max})")
        return self


OPEN_OVERRIDES = (
    "region",
    "min_replicas",
    "max_replicas",
    "enable_auto_scaling",
    "enable_multi_lora",
    "rollout",
)
"""What a deployer may override unless the template bounds it: the RFC's five, and how to roll out,
without which a rollout that waits for a spare accelerator could not be ended."""


def check_overridable(bounds: Mapping[str, Bound]) -> Mapping[str, Bound]:
    for path in bounds:
        if path not in (*OPEN_OVERRIDES, "model_version") and not path.startswith("engine_args."):
            raise FieldFault(
                path,
                f"cannot be overridden; allowed are {', '.join(OPEN_OVERRIDES)}, "
                "model_version and engine_args.NAME",
            )
    return bounds
