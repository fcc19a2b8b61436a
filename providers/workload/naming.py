"""Names of objects on a cluster, from whatever people call a deployment.

A runtime name is made once, stored and never made again, so this module may change its mind
without renaming anything that runs. It knows the rules of DNS-1035 and of label values, nothing of
particular objects.
"""

import re

from providers.contract.errors import InvalidRequest

MAX_NAME = 63
MIN_ROOM = 12
ID_LENGTH = 8

_UNUSABLE = re.compile(r"[^a-z0-9]+")
_LABEL_VALUE = re.compile(r"[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?")


def runtime_name(display_name: str, *, deployment_id: str, room: int = 0) -> str:
    """Return a DNS-1035 name of at most 63 - `room` characters that ends in 8 of the id.

    `room` is what the kind and its controller add to it. Raises InvalidRequest at
    `target.namespace` when less than 12 characters are left.
    """
    left = MAX_NAME - room
    if left < MIN_ROOM:
        raise InvalidRequest.of(
            "target.namespace",
            f"is too long for this implementation: {max(left, 0)} characters are left for the name "
            f"of the deployment's objects, and {MIN_ROOM} are needed; use a shorter namespace",
        )
    stem = _stem(display_name)[: left - ID_LENGTH - 1].rstrip("-")
    return f"{stem}-{deployment_id[:ID_LENGTH]}"


def label_value(text: str) -> str | None:
    """Return the text when it may stand as a label's value and says something, else None."""
    return text if _LABEL_VALUE.fullmatch(text) else None


def _stem(display_name: str) -> str:
    usable = _UNUSABLE.sub("-", display_name.lower()).strip("-")
    if not usable:
        return "model"
    return f"m-{usable}" if usable[0].isdigit() else usable
