"""Why a change was not carried out, as its review tells it."""

from dataclasses import dataclass
from http import HTTPStatus

from console.web.change.words import DeedWords
from console.web.launch.answers import STATUS_OF
from console.web.launch.orders import reason_fault, sentence
from deployments.change_errors import LaterRevision, ReviewOutdated, RevisionConflict
from deployments.exceptions import Change, SlipwayError

_OTHERS = "Somebody changed it since you looked. What you entered is kept, and reviewed anew below."
_OUTDATED = "What would be applied is no longer what you reviewed; look at it again."


@dataclass(frozen=True, kw_only=True, slots=True)
class Refusal:
    """What is said above a review; `revisions` and `changes` are what came in between.

    `reason` is what is wrong with the reason that was typed, if that is why.
    """

    title: str
    message: str
    status: HTTPStatus
    revisions: tuple[LaterRevision, ...] = ()
    changes: tuple[Change, ...] = ()
    reason: str = ""

    @property
    def tone(self) -> str:
        """Return the tone: a look at what changed is asked for, or something stands against it."""
        return "warn" if self.changes or self.revisions else "fail"


def refusal_by(error: SlipwayError, words: DeedWords) -> Refusal:
    """Return a refusal in the words of an error."""
    status = STATUS_OF[error.category]
    if isinstance(error, RevisionConflict):
        return Refusal(
            title=words.undone,
            message=_OTHERS,
            status=status,
            revisions=error.revisions,
            changes=error.changes,
        )
    if isinstance(error, ReviewOutdated):
        # The digest follows from the rest, and says nothing to a reader.
        told = tuple(one for one in error.changes if not one.path.endswith("/digest"))
        return Refusal(title=words.undone, message=_OUTDATED, status=status, changes=told)
    # That no such revision is there says by itself what it is about.
    of_revision = error.fields.get("revision", ())
    message = sentence(of_revision[0] if of_revision else error.message)
    reason = reason_fault(error)
    return Refusal(title=words.undone, message=message, status=status, reason=reason)
