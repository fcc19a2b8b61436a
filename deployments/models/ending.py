"""What a deployment's columns say of its end: the same of a record and of a plain row of one."""

from datetime import datetime
from typing import Protocol

from providers.contract.request import Intent


class _Ends(Protocol):
    """What has these columns."""

    @property
    def intent(self) -> str: ...

    @property
    def closed_at(self) -> datetime | None: ...


class Ending:
    """Answers for who has the columns of an end."""

    __slots__ = ()

    @property
    def is_closed(self: _Ends) -> bool:
        return self.closed_at is not None

    @property
    def is_deleting(self: _Ends) -> bool:
        return self.intent == Intent.DELETED and self.closed_at is None
