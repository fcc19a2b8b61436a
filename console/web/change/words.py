"""What each kind of change is called on its pages."""

from collections.abc import Mapping
from dataclasses import dataclass

from console.web.change.state import Deed


@dataclass(frozen=True, kw_only=True, slots=True)
class DeedWords:
    """The heading, with `{}` for the name; the button that does it, its icon, and its tone.

    `verb` ends "I have read this and … anyway", `undone` says that nothing happened.
    """

    heading: str
    button: str
    icon: str
    verb: str
    undone: str
    kind: str = "primary"


DEEDS: Mapping[Deed, DeedWords] = {
    Deed.CHANGE: DeedWords(
        heading="Change {}?",
        button="Change it",
        icon="pencil",
        verb="change it",
        undone="Nothing was changed.",
    ),
    Deed.ROLLBACK: DeedWords(
        heading="Roll {} back?",
        button="Roll back",
        icon="undo-2",
        verb="roll back",
        undone="Nothing was rolled back.",
    ),
    Deed.STOP: DeedWords(
        heading="Stop {}?",
        button="Stop it",
        icon="circle-stop",
        verb="stop it",
        undone="Nothing was stopped.",
        kind="danger",
    ),
    Deed.START: DeedWords(
        heading="Start {}?",
        button="Start it",
        icon="play",
        verb="start it",
        undone="Nothing was started.",
    ),
    Deed.REDEPLOY: DeedWords(
        heading="Restart the pods of {}?",
        button="Redeploy",
        icon="rotate-cw",
        verb="redeploy",
        undone="Nothing was restarted.",
    ),
}
