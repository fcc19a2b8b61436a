"""What is wrong with a form, as the banner above it tells: every fault, under its field's label."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from console.web.launch.fields import FormField, label_of


@dataclass(frozen=True, kw_only=True, slots=True)
class ToldFault:
    """One fault; `anchor` is the id of its input, empty where the form has no such field."""

    label: str
    text: str
    anchor: str = ""


def tell_faults(
    faults: Mapping[str, str], fields: Iterable[FormField | None]
) -> tuple[ToldFault, ...]:
    """Return the faults in the order of the form, then those of fields that it has not."""
    shown = {field.name: field for field in fields if field is not None}
    return (*_of_form(faults, shown), *_of_none(faults, shown))


def _of_form(faults: Mapping[str, str], shown: Mapping[str, FormField]) -> Iterator[ToldFault]:
    for name, field in shown.items():
        if name in faults:
            yield ToldFault(label=field.label, text=faults[name], anchor=field.id)


def _of_none(faults: Mapping[str, str], shown: Mapping[str, FormField]) -> Iterator[ToldFault]:
    for name, text in faults.items():
        if name not in shown:
            yield ToldFault(label=label_of(name), text=text)
