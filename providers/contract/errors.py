"""The four ways a provider may fail, and no fifth.

Every message is written for the person who launched the model. Only `providers.kube` turns what a
cluster answered into one of these; nothing here knows HTTP.
"""

from collections.abc import Iterable, Mapping


class ProviderError(Exception):
    """What a verb of the contract raises; `code` is stable, `message` is for people."""

    code = "provider_error"

    def __init__(self, message: str, *, code: str = "") -> None:
        """Keep the sentence and, where given, a more exact code than the class has."""
        super().__init__(message)
        self.message = message
        self.code = code or self.code


class InvalidRequest(ProviderError):
    """The request itself is wrong: `fields` maps each field's path to what to do about it."""

    code = "invalid"

    def __init__(self, fields: Mapping[str, Iterable[str]], *, message: str = "") -> None:
        """Take the errors by field path; the message names the first field unless one is given."""
        self.fields = {path: tuple(texts) for path, texts in fields.items()}
        super().__init__(message or _first_sentence(self.fields))

    @classmethod
    def of(cls, path: str, text: str) -> "InvalidRequest":
        """Return an error about one field."""
        return cls({path: (text,)})


class Rejected(ProviderError):
    """The cluster understood and said no; `code` is a reason of the status table."""

    code = "Rejected"

    def __init__(
        self, message: str, *, code: str = "", field: str = "", left_behind: Iterable[str] = ()
    ) -> None:
        """Keep the cluster's own words, the field they concern, and what could not be undone."""
        super().__init__(message, code=code)
        self.field = field
        self.left_behind = tuple(left_behind)


class Unavailable(ProviderError):
    """The cluster did not answer, or asked to come back later: trying again is right."""

    code = "ClusterUnreachable"

    def __init__(self, message: str, *, code: str = "", retry_after: float = 0.0) -> None:
        """Keep the cause and, in seconds, how long the cluster asked us to wait."""
        super().__init__(message, code=code)
        self.retry_after = retry_after


class NotInstalled(ProviderError):
    """The cluster does not know the kind of object that this implementation needs."""

    code = "ProviderNotInstalled"


def _first_sentence(fields: Mapping[str, tuple[str, ...]]) -> str:
    path, texts = next(iter(fields.items()), ("", ("the request is not valid",)))
    return f"{path}: {texts[0]}" if path else texts[0]
