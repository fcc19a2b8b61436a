"""What is said of one object: a word, its tone, a sentence and facts to compare."""

from collections.abc import Mapping
from dataclasses import dataclass, field

# The tones of the phases; a reader sees an icon and a colour for each.
OK, PROGRESS, WARN, FAIL, IDLE = "ok", "progress", "warn", "fail", "idle"


@dataclass(frozen=True, kw_only=True, slots=True)
class Said:
    """`state` is a word or two, `message` one sentence without its full stop, or empty."""

    state: str
    tone: str
    message: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)


def facts_of(**facts: object) -> Mapping[str, str]:
    """Return facts by name, in the order in which they are given, without those that are empty.

    An underscore in a name stands for a blank.
    """
    return {
        name.replace("_", " "): str(value)
        for name, value in facts.items()
        if value not in {None, ""}
    }


def leaving(finalizers: tuple[str, ...]) -> Said:
    """Return what is said of any object that is being deleted."""
    held = f"held by {', '.join(finalizers)}" if finalizers else ""
    return Said(state="Being deleted", tone=PROGRESS, message=held)
