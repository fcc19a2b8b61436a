"""The fourth step's fields: what a template opens, prefilled with its own values, bounds beside.

A field left at the template's value is no override. What a field may hold is not judged here.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from console.web.launch.state import ARGUMENT, LaunchState
from deployments.models import Cluster
from providers.contract.bounds import Bound
from providers.contract.protocols import Capabilities
from providers.contract.template import TemplateSpec
from templates_app.names import NAME_LENGTH

ON, OFF = "true", "false"
SWITCH = ((ON, "On"), (OFF, "Off"))
AUTO = "auto"
ROLLOUTS = (
    (AUTO, "Automatic"),
    ("surge", "Surge: new before old"),
    ("replace", "Replace: old before new"),
    ("recreate", "Recreate: all old first"),
)
ANYWHERE = "GLOBAL"
LONGEST_NUMBER = 40
LABELS: Mapping[str, str] = {
    "name": "Name",
    "min_replicas": "Replicas, at least",
    "max_replicas": "Replicas, at most",
    "enable_auto_scaling": "Autoscaling",
    "enable_multi_lora": "Several LoRA adapters",
    "rollout": "Rollout",
    "region": "Region",
    "template": "Template",
    "model_version": "Model version",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class FormField:
    """One field: `default` is the template's own value, `options` make it a choice.

    `kind` is text, number or choice; `hint` says bounds and default, `error` what is wrong.
    """

    name: str
    label: str
    value: str
    default: str = ""
    kind: str = "text"
    options: tuple[tuple[str, str], ...] = ()
    hint: str = ""
    error: str = ""
    low: str = ""
    high: str = ""

    @property
    def id(self) -> str:
        """Return the id of the input, so that a link can lead to it."""
        return f"field-{self.name.replace('.', '-')}"

    @property
    def longest(self) -> int:
        """Return how many characters a browser takes: the address of the next step holds all."""
        return LONGEST_NUMBER if self.kind == "number" else NAME_LENGTH

    @property
    def is_changed(self) -> bool:
        return self.value != self.default


@dataclass(frozen=True, kw_only=True, slots=True)
class FieldGroup:
    """Fields under one heading."""

    key: str
    title: str
    text: str
    fields: tuple[FormField, ...]


def field_groups(
    spec: TemplateSpec,
    cluster: Cluster,
    state: LaunchState,
    errors: Mapping[str, str],
    able: Capabilities,
) -> tuple[FieldGroup, ...]:
    """Return the form: every field with what was entered, else with the template's value.

    What the kind cannot do is not offered.
    """
    scaling = tuple(_scaling(spec, state, errors, able))
    more = (
        _region(spec, cluster, state, errors),
        _switch(spec, "enable_multi_lora", state, errors),
        _rollout(spec, state, errors, able),
    )
    arguments = tuple(_arguments(spec, state, errors))
    groups = [
        FieldGroup(key="scaling", title="Replicas", text="How many copies run.", fields=scaling),
        FieldGroup(
            key="arguments",
            title="Engine",
            text="The arguments that this template opens; all others stay as they were tested.",
            fields=arguments,
        ),
        FieldGroup(key="more", title="More", text="Rarely changed.", fields=more),
    ]
    return tuple(group for group in groups if group.fields)


def fields_of(groups: Iterable[FieldGroup]) -> tuple[FormField, ...]:
    """Return all fields of a form in their order."""
    return tuple(field for group in groups for field in group.fields)


def name_field(state: LaunchState, proposal: str, errors: Mapping[str, str]) -> FormField:
    """Return the field of the name, which every launch needs."""
    value = state.entered.get("name", proposal)
    return FormField(
        name="name",
        label=LABELS["name"],
        value=value,
        default=value,
        hint="As people will look for it; unique in its namespace.",
        error=errors.get("name", ""),
    )


def label_of(name: str) -> str:
    """Return what a form field is called on the page: an argument bears its own name."""
    return LABELS.get(name, name.removeprefix(ARGUMENT))


def changed_values(spec: TemplateSpec, state: LaunchState) -> Mapping[str, str]:
    """Return what was entered and differs from the template, by form field; the name aside."""
    return {
        name: text
        for name, text in state.entered.items()
        if name != "name" and text and text != template_value(spec, name)
    }


def said_values(spec: TemplateSpec, state: LaunchState) -> Mapping[str, str]:
    """Return what differs from the template as a page says it."""
    words = dict(SWITCH)
    return {
        label_of(name).lower() if name in LABELS else name.removeprefix(ARGUMENT): (
            words[text].lower() if text in words and name in LABELS else text
        )
        for name, text in changed_values(spec, state).items()
    }


def template_value(spec: TemplateSpec, name: str) -> str:
    """Return the template's own value of a form field as text, empty where it has none."""
    if name.startswith(ARGUMENT):
        return spec.engine_args.get(name.removeprefix(ARGUMENT), "")
    if name == "enable_multi_lora":
        return OFF
    if name == "rollout":
        return spec.rollout.strategy
    value = getattr(spec.scaling_defaults, name, None)
    if isinstance(value, bool):
        return ON if value else OFF
    return "" if value is None else str(value)


def _scaling(
    spec: TemplateSpec, state: LaunchState, errors: Mapping[str, str], able: Capabilities
) -> Iterator[FormField]:
    yield _number(spec, "min_replicas", state, errors)
    switch = _switch(spec, "enable_auto_scaling", state, errors)
    if not able.autoscaling and switch.value in {"", OFF}:
        return
    yield switch
    most = _number(spec, "max_replicas", state, errors)
    yield replace(most, hint=f"{most.hint} Counts with autoscaling only.".strip())


def _arguments(
    spec: TemplateSpec, state: LaunchState, errors: Mapping[str, str]
) -> Iterator[FormField]:
    for path, bound in spec.overridable.items():
        if not path.startswith("engine_args."):
            continue
        argument = path.removeprefix("engine_args.")
        name = ARGUMENT + argument
        if bound.values is not None:
            own = template_value(spec, name)
            given = tuple((_plain(value), _plain(value)) for value in bound.values)
            options = given if own in dict(given) else ((own, own or "As the engine does"), *given)
            yield _choice(spec, name, options, state, errors)
        else:
            yield _number(spec, name, state, errors)


def _region(
    spec: TemplateSpec, cluster: Cluster, state: LaunchState, errors: Mapping[str, str]
) -> FormField:
    regions = [region for region in (cluster.region, ANYWHERE) if region]
    entered = state.entered.get("region", "")
    known = tuple((region, region) for region in dict.fromkeys((*regions, entered)) if region)
    options = (("", "Any"), *known)
    field = _choice(spec, "region", options, state, errors)
    return replace(field, hint="Any leaves it to the place you chose.")


def _rollout(
    spec: TemplateSpec, state: LaunchState, errors: Mapping[str, str], able: Capabilities
) -> FormField:
    field = _choice(spec, "rollout", _allowed(spec, "rollout", ROLLOUTS), state, errors)
    known = {AUTO, field.value, *able.rollouts}
    options = tuple(option for option in field.options if option[0] in known)
    hint = f"How a change replaces pods. {field.hint}"
    return replace(field, options=options, hint=hint)


def _switch(
    spec: TemplateSpec, name: str, state: LaunchState, errors: Mapping[str, str]
) -> FormField:
    return _choice(spec, name, _allowed(spec, name, SWITCH), state, errors)


def _number(
    spec: TemplateSpec, name: str, state: LaunchState, errors: Mapping[str, str]
) -> FormField:
    bound, own = spec.overridable.get(_path(name)), template_value(spec, name)
    is_count = bound is None or bound.min is not None or bound.max is not None
    low = "0" if not name.startswith(ARGUMENT) else ""
    return FormField(
        name=name,
        label=label_of(name),
        value=state.entered.get(name, own),
        default=own,
        kind="number" if is_count else "text",
        hint=_hint(bound, own),
        error=errors.get(name, ""),
        low=_plain(bound.min) if bound and bound.min is not None else low,
        high=_plain(bound.max) if bound and bound.max is not None else "",
    )


def _choice(
    spec: TemplateSpec,
    name: str,
    options: Sequence[tuple[str, str]],
    state: LaunchState,
    errors: Mapping[str, str],
) -> FormField:
    own = template_value(spec, name)
    return FormField(
        name=name,
        label=label_of(name),
        value=state.entered.get(name, own),
        default=own,
        kind="choice",
        options=tuple(options),
        hint=_hint(None, dict(options).get(own, own).lower() if own else ""),
        error=errors.get(name, ""),
    )


def _allowed(
    spec: TemplateSpec, name: str, options: tuple[tuple[str, str], ...]
) -> tuple[tuple[str, str], ...]:
    """Return the options less what a bound forbids; the template's own value always stands."""
    bound = spec.overridable.get(name)
    if bound is None or bound.values is None:
        return options
    open_values = {_plain(value) for value in bound.values} | {template_value(spec, name)}
    return tuple(option for option in options if option[0] in open_values)


def _path(name: str) -> str:
    return name.replace(ARGUMENT, "engine_args.", 1) if name.startswith(ARGUMENT) else name


def _hint(bound: Bound | None, own: str) -> str:
    parts = [_range(bound) if bound else "", f"the template has {own}" if own else ""]
    text = "; ".join(part for part in parts if part)
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _range(bound: Bound) -> str:
    low, high = bound.min, bound.max
    if low is not None and high is not None:
        return f"from {_plain(low)} to {_plain(high)}"
    if high is not None:
        return f"at most {_plain(high)}"
    return f"at least {_plain(low)}" if low is not None else ""


def _plain(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
