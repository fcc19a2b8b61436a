"""What is wrong with what was entered, beside the field of the form that it concerns."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from console.web.change.fields import TEMPLATE
from console.web.change.orders import judge_seen
from console.web.change.seen import Seen
from console.web.launch.orders import phrase, sentence
from console.web.launch.state import ARGUMENT
from deployments.exceptions import SlipwayError


@dataclass(frozen=True, kw_only=True, slots=True)
class Fault:
    """A sentence for the whole form, and what is wrong with each field, by the field's name."""

    message: str
    fields: Mapping[str, str] = field(default_factory=dict)


_GONE = "the chosen one is there no more; choose another"


def fault_of(seen: Seen) -> Fault | None:
    """Judge what was entered as far as no cluster is needed; None where nothing is wrong."""
    if seen.lacks_template:
        return Fault(message=f"Template: {_GONE}.", fields={TEMPLATE: _GONE})
    try:
        judge_seen(seen)
    except SlipwayError as error:
        told = {form_name(path): phrase(texts) for path, texts in error.fields.items()}
        return Fault(message=sentence(error.message), fields=told)
    return None


def form_name(path: str) -> str:
    """Return what the form calls a path of the order."""
    name = path.removeprefix("overrides.")
    if name.startswith("engine_args."):
        return ARGUMENT + name.removeprefix("engine_args.")
    return TEMPLATE if name.startswith("template") else name
