"""Undoes what one create made, by uid, so that a refusal half-way leaves nothing behind."""

import time
from dataclasses import dataclass, field

from providers.carrying.namespaces import remove_if_empty
from providers.contract.errors import InvalidRequest, ProviderError, Rejected
from providers.contract.protocols import Deadline
from providers.kube.apply import Written, delete_object, wait_until_gone
from providers.kube.client import KubeClient
from providers.kube.clock import seconds_left
from providers.kube.resources import Resource, resource_of

LEAST_SECONDS = 2.0


@dataclass(kw_only=True, slots=True)
class Made:
    """What this very call created, in order; objects that were there before are not in it.

    `kinds` are those beyond the usual that a namespace may hold.
    """

    kinds: tuple[Resource, ...] = ()

    namespace: Written | None = None
    objects: list[Written] = field(default_factory=list)

    def note(self, written: Written) -> Written:
        if written.created:
            self.objects.append(written)
        return written


def undo(client: KubeClient, made: Made, *, deadline: Deadline) -> tuple[str, ...]:
    """Remove what was made, last first; returns the names of what could not be removed.

    A refusal may come when hardly any time is left: undoing has two seconds in any case.
    """
    until = Deadline(at=time.monotonic() + max(seconds_left(deadline), LEAST_SECONDS))
    left = [str(w.key) for w in reversed(made.objects) if not _removed(client, w, until)]
    if made.namespace is None:
        return tuple(left)
    if left or not _namespace_removed(client, made.namespace, made.kinds, until):
        left.append(str(made.namespace.key))
    return tuple(left)


def with_left_behind(error: ProviderError, left: tuple[str, ...]) -> ProviderError:
    """Return the error with what stayed behind; it is a Rejected then, which can say so."""
    if not left:
        return error
    code = "ApplyRejected" if isinstance(error, InvalidRequest) else error.code
    where = getattr(error, "field", "")
    return Rejected(error.message, code=code, field=where, left_behind=left)


def _removed(client: KubeClient, written: Written, deadline: Deadline) -> bool:
    try:
        delete_object(
            client, written.key, uid=written.uid, deadline=deadline, propagation="Background"
        )
        wait_until_gone(
            client, resource_of(written.key), written.key, uid=written.uid, deadline=deadline
        )
    except ProviderError:
        return False
    return True


def _namespace_removed(
    client: KubeClient, made: Written, kinds: tuple[Resource, ...], deadline: Deadline
) -> bool:
    try:
        while not remove_if_empty(client, made, kinds, deadline=deadline):
            if seconds_left(deadline) < _PAUSE:
                return False
            time.sleep(_PAUSE)
    except ProviderError:
        return False
    return True


_PAUSE = 0.1
