"""What can go wrong with a deployment: one class per cause, a sentence that says what to do.

Each cause belongs to one category, from which API and pages take their answer; nothing here knows
HTTP.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from providers.contract.checks import Check
from providers.contract.errors import InvalidRequest


class Category(StrEnum):
    """Whose turn it is: the caller's, the cluster's, or time's."""

    INVALID = "invalid"
    CONFLICT = "conflict"
    NOT_FOUND = "not_found"
    FORBIDDEN = "forbidden"
    REFUSED = "refused"
    UNAVAILABLE = "unavailable"
    UNSUPPORTED = "unsupported"


class SlipwayError(Exception):
    """Any refusal of this room: `code` is stable, `message` for people, `fields` by path."""

    code = "error"
    category: ClassVar[Category]

    def __init__(
        self, message: str, *, code: str = "", fields: Mapping[str, Iterable[str]] | None = None
    ) -> None:
        """Keep the sentence and what to do about each field."""
        super().__init__(message)
        self.message = message
        self.code = code or self.code
        self.fields = {path: tuple(texts) for path, texts in (fields or {}).items()}


class InvalidOrder(SlipwayError):
    """The request cannot be taken as it is; the message names the first faulty field."""

    code = "invalid"
    category = Category.INVALID

    @classmethod
    def of(cls, path: str, text: str) -> "InvalidOrder":
        """Return an error about one field."""
        return cls.about({path: (text,)})

    @classmethod
    def about(cls, fields: Mapping[str, Iterable[str]]) -> "InvalidOrder":
        """Return an error about these fields."""
        refusal = InvalidRequest(fields)
        return cls(refusal.message, fields=refusal.fields)


class FieldConflict(SlipwayError):
    """A field meets what is stored."""

    category = Category.CONFLICT

    def __init__(self, field: str, text: str) -> None:
        """Take the field that meets what is stored."""
        super().__init__(f"{field}: {text}", fields={field: (text,)})


class TemplateInactive(FieldConflict):
    """The template is a draft or deprecated."""

    code = "template_inactive"


class NameTaken(FieldConflict):
    """Another open deployment of that namespace bears the name."""

    code = "name_taken"


@dataclass(frozen=True, kw_only=True, slots=True)
class Change:
    """One value that is not what was reviewed; absent is an empty text.

    `label` is what forms call it, empty for a value of the manifests.
    """

    path: str
    before: str
    after: str
    label: str = ""


class NotAdoptable(FieldConflict):
    """These objects cannot get a record; the sentence says why, and what is left to do."""

    code = "not_adoptable"


class OrphansChanged(FieldConflict):
    """The objects are not what they were when the person looked; look again."""

    code = "orphans_changed"


class LaunchChanged(FieldConflict):
    """What would be applied is no longer what was reviewed; `changes` says where."""

    code = "launch_changed"

    def __init__(self, changes: Iterable[Change]) -> None:
        """Keep the differences and name the first ones."""
        self.changes = tuple(changes)
        named = ", ".join(change.path for change in self.changes[:3])
        super().__init__(
            "launch", f"what would be applied has changed since the review ({named}); review again"
        )


class LaunchUsed(FieldConflict):
    """The launch was carried out already, and not in a way that can be told again."""

    code = "launch_used"


class KeyInProgress(FieldConflict):
    """The first request with this key is still running."""

    code = "in_progress"


class KeyReused(FieldConflict):
    """The key was sent before with another body."""

    code = "key_reused"


class NotVisible(SlipwayError):
    """There is no such object, or none that this person may see."""

    code = "not_found"
    category = Category.NOT_FOUND


class NotAllowed(SlipwayError):
    """The object is visible, but this person may not do that to it."""

    code = "forbidden"
    category = Category.FORBIDDEN


class ClusterRefused(SlipwayError):
    """The cluster said no, in its own words; `deployment_id` names the closed record, if any."""

    code = "refused"
    category = Category.REFUSED

    def __init__(
        self,
        message: str,
        *,
        code: str = "",
        fields: Mapping[str, Iterable[str]] | None = None,
        checks: Iterable[Check] = (),
        deployment_id: str = "",
    ) -> None:
        """Keep every check, so that a page can show those that passed as well."""
        super().__init__(message, code=code, fields=fields)
        self.checks = tuple(checks)
        self.deployment_id = deployment_id

    @classmethod
    def by_checks(cls, checks: Iterable[Check], failed: Iterable[Check]) -> "ClusterRefused":
        """Return the refusal that the failed ones of some checks amount to."""
        reasons = tuple(failed)
        fields: dict[str, tuple[str, ...]] = {}
        for check in reasons:
            if check.field:
                fields[check.field] = (*fields.get(check.field, ()), check.message)
        first = reasons[0]
        message = f"{first.field}: {first.message}" if first.field else first.message
        return cls(message, code=first.code, fields=fields, checks=checks)


class ClusterUnavailable(SlipwayError):
    """The cluster did not answer in time; nothing was stored, trying again is right."""

    code = "cluster_unavailable"
    category = Category.UNAVAILABLE

    def __init__(self, message: str, *, code: str = "", retry_after: float = 0.0) -> None:
        """Keep how many seconds the cluster asked us to wait."""
        super().__init__(message, code=code)
        self.retry_after = retry_after


class NoCluster(ClusterUnavailable):
    """No cluster is configured, or none is enabled."""

    code = "no_cluster"


class RecordClosed(SlipwayError):
    """The deployment has ended: there is nothing of it on a cluster that could be looked at."""

    code = "closed"
    category = Category.CONFLICT

    def __init__(self) -> None:
        """Say what is left."""
        super().__init__(
            "this deployment is closed: nothing of it is on the cluster any more, "
            "only its history and its manifests are left"
        )


class NotObserved(SlipwayError):
    """The kind that carries a deployment offers no look into it."""

    code = "not_observed"
    category = Category.UNSUPPORTED

    def __init__(self, kind: str) -> None:
        """Name the kind."""
        super().__init__(
            f"the implementation {kind} offers no look at objects, events, logs and metrics; "
            "ask the cluster itself"
        )


class NoSuchLog(SlipwayError):
    """The deployment has no such pod, or its pods no such container."""

    code = "not_found"
    category = Category.NOT_FOUND


class NoLog(SlipwayError):
    """There is nothing to read: not started, gone, or out of reach; the message says which."""

    code = "no_log"
    category = Category.CONFLICT


class TooManyTokens(SlipwayError):
    """A person has as many tokens as one may have."""

    code = "too_many_tokens"
    category = Category.CONFLICT

    def __init__(self, most: int) -> None:
        """Take how many one may have."""
        super().__init__(f"nobody may have more than {most} tokens; revoke one first")


class TokenMissing(SlipwayError):
    """There is no such token, or it is another person's."""

    code = "not_found"
    category = Category.NOT_FOUND

    def __init__(self) -> None:
        """Say it the same for both."""
        super().__init__("there is no such token of yours")
