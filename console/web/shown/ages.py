"""How long ago something was, in one unit."""

from datetime import datetime

_UNITS = ((86400, "d"), (3600, "h"), (60, "min"))


def age_in_words(moment: datetime | None, *, now: datetime) -> str:
    """Say how long ago something was, as in "4 s"; never negative, nothing for never."""
    if moment is None:
        return ""
    seconds = max(0, int((now - moment).total_seconds()))
    for size, unit in _UNITS:
        if seconds >= size:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"
