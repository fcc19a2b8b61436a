"""Numbers as people say them: parameters, tokens, durations, quantities, accelerators."""

from decimal import Decimal

from deployments.services.revision_columns import MIXED

_LARGE = ((10**12, "T"), (10**9, "B"), (10**6, "M"))
_KI, _MINUTE = 1024, 60
_BINARY = ((2**40, "Ti"), (2**30, "Gi"), (2**20, "Mi"))


def in_short(count: int | None) -> str:
    """Say a count of parameters, as in "8.2 B"; nothing for one that is not known."""
    if not count:
        return ""
    for size, unit in _LARGE:
        if count >= size:
            return f"{_plain(Decimal(count) / size)} {unit}"
    return f"{count:,}"


def in_tokens(count: int | None) -> str:
    """Say a context length, as in "128k tokens", where a k is 1024 of them when that is exact."""
    if not count:
        return ""
    if count >= _KI and count % _KI == 0:
        return f"{count // _KI}k tokens"
    return f"{count:,} tokens"


def in_minutes(seconds: int) -> str:
    """Say a duration, as in "15 min"."""
    if seconds < _MINUTE:
        return f"{seconds} s"
    minutes, rest = divmod(seconds, _MINUTE)
    return f"{minutes} min {rest} s" if rest else f"{minutes} min"


def in_unit(amount: Decimal, resource: str) -> str:
    """Say an amount of a resource: memory and storage in binary units, all else as it is."""
    if "memory" in resource or "storage" in resource:
        for size, unit in _BINARY:
            if amount >= size:
                return f"{_plain(amount / size)} {unit}"
    return _plain(amount)


def in_accelerators(count: int, types: str) -> str:
    """Say the accelerators of one replica, where several types bear their numbers already."""
    if types == MIXED:
        return f"{count} of several types"
    if " + " in types:  # a line breaks between types, not within one
        return types.replace(" × ", "\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}")
    return f"{count} × {types}"


def _plain(number: Decimal) -> str:
    rounded = number.quantize(Decimal("0.1"))
    return f"{rounded.to_integral():f}" if rounded == rounded.to_integral() else f"{rounded:f}"
