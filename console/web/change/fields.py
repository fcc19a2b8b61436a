"""The form of a change: what the template opens, prefilled with what is wanted now."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from console.web.change.seen import Seen
from console.web.change.state import VERSION
from console.web.launch.fields import FieldGroup, FormField, field_groups, fields_of
from console.web.launch.orders import sentences
from console.web.launch.state import LaunchState
from console.web.launch.telling import tell_faults
from console.web.shown.able import able_of
from templates_app.selectors import active_templates

TEMPLATE = "template"
# A deployment stays where it is.
_FIXED = frozenset({"region"})


def form_context(seen: Seen, faults: Mapping[str, str]) -> Mapping[str, object]:
    """Return what the form shows: its fields, and every fault of them."""
    errors = sentences(faults)
    template, version = template_field(seen, errors), version_field(seen, errors)
    groups = change_groups(seen, errors)
    return {
        "template": template,
        "version": version,
        "groups": groups,
        "told": tell_faults(faults, (template, version, *fields_of(groups))),
    }


def change_groups(seen: Seen, errors: Mapping[str, str]) -> tuple[FieldGroup, ...]:
    """Return the fields of a change under their headings; the hints say what the template has."""
    values = {name: seen.value_of(name) for name in seen.names()}
    entered, able = LaunchState(entered=values), able_of(seen.deployment)
    groups = field_groups(seen.spec, seen.deployment.cluster, entered, errors, able)
    return tuple(_without_fixed(group) for group in groups)


def template_field(seen: Seen, errors: Mapping[str, str]) -> FormField:
    """Return the choice of a template: the active ones of the model, and the one that runs."""
    runs = seen.revision.template
    found = {str(one.pk): one for one in active_templates(seen.deployment.model)}
    found.setdefault(str(runs.pk), runs)
    options = tuple(
        (key, f"{one.name} {one.version}{', as now' if one.pk == runs.pk else ''}")
        for key, one in found.items()
    )
    return FormField(
        name=TEMPLATE,
        label="Template",
        value=str(seen.template.pk),
        default=str(runs.pk),
        kind="choice",
        options=options,
        hint="What is overridden below stays so; all else is the template's.",
        error=errors.get(TEMPLATE, ""),
    )


def version_field(seen: Seen, errors: Mapping[str, str]) -> FormField | None:
    """Return the choice of a model version; None where the template does not open it."""
    if VERSION not in seen.spec.overridable:
        return None
    return FormField(
        name=VERSION,
        label="Model version",
        value=seen.value_of(VERSION),
        kind="choice",
        options=(("", "The template's own source"), *_versions(seen)),
        hint="Which registered weights it serves.",
        error=errors.get(VERSION, ""),
    )


def _versions(seen: Seen) -> Iterator[tuple[str, str]]:
    labels = list(seen.deployment.model.versions.values_list("label", flat=True))
    now = seen.value_of(VERSION)
    for label in dict.fromkeys((*labels, *([now] if now else []))):
        yield label, label


def _without_fixed(group: FieldGroup) -> FieldGroup:
    return replace(group, fields=tuple(one for one in group.fields if one.name not in _FIXED))
