"""The five steps in their order, and which of them cures what is wrong with a field."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.urls import reverse

from console.web.launch.state import ARGUMENT, LaunchState


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """One page of the flow; `cure` is the link that leads back to it."""

    key: str
    url_name: str
    label: str
    cure: str


STEPS = (
    Step(key="model", url_name="launch", label="Model", cure="Choose another model or version"),
    Step(
        key="template",
        url_name="launch-template",
        label="Template",
        cure="Choose another template",
    ),
    Step(key="place", url_name="launch-place", label="Place", cure="Choose another place"),
    Step(key="overrides", url_name="launch-overrides", label="Overrides", cure="Change it"),
    Step(key="review", url_name="launch-review", label="Review", cure="Review again"),
)

_BY_KEY: Mapping[str, Step] = {step.key: step for step in STEPS}
# The longest path that begins a field decides.
_CURED_BY: Mapping[str, str] = {
    "template": "template",
    "base_model": "model",
    "spec": "template",
    "spec.topology": "place",
    "spec.model_source": "model",
    "implementation": "place",
    "target": "place",
    "overrides": "overrides",
    "overrides.model_version": "model",
    "name": "overrides",
    "launch": "review",
    "reason": "review",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Progress:
    """One step as the bar above the page shows it: done, current or to come."""

    label: str
    status: str
    url: str
    note: str


class StepFault(Exception):
    """What was chosen in a step cannot be taken; `fields` say what is wrong by form field."""

    def __init__(self, step: str, message: str, fields: Mapping[str, str] | None = None) -> None:
        """Keep the step that cures it and the sentence to show there."""
        super().__init__(message)
        self.step = step
        self.message = message
        self.fields = fields or {}


def step(key: str) -> Step:
    return _BY_KEY[key]


def url_of(key: str, state: LaunchState) -> str:
    """Return the address of a step with everything entered so far."""
    return f"{reverse(_BY_KEY[key].url_name)}?{state.query}"


def step_of(path: str) -> str:
    """Return the step that cures a field; what the cluster says of no field, another place may."""
    parts = path.split(".")
    for length in range(len(parts), 0, -1):
        found = _CURED_BY.get(".".join(parts[:length]))
        if found:
            return found
    return "place"


def form_field(path: str) -> str:
    """Return the name of the form's field for a path of the order, empty where it has none."""
    name = path.removeprefix("overrides.")
    if name.startswith("engine_args."):
        return ARGUMENT + name.removeprefix("engine_args.")
    return name if step_of(path) == "overrides" else ""


def progress(current: str, state: LaunchState, notes: Mapping[str, str]) -> tuple[Progress, ...]:
    """Return the bar of steps; those before the current one are links back."""
    keys = [one.key for one in STEPS]
    here = keys.index(current)
    return tuple(
        Progress(
            label=one.label,
            status="done" if place < here else "current" if place == here else "",
            url=url_of(one.key, state) if place < here else "",
            note=f"Step {here + 1} of {len(keys)}" if place == here else notes.get(one.key, ""),
        )
        for place, one in enumerate(STEPS)
    )
