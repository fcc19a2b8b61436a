"""Kubernetes quantities, read exactly: one expression, Decimal arithmetic.

Stricter than the API server where leniency hides a mistake: no blanks, no underscores, no NaN,
no sign, and accelerators are whole.
"""

import re
from decimal import Decimal

_QUANTITY = re.compile(
    r"(?P<number>\d{1,18}(?:\.\d{1,9})?)(?P<suffix>(?:[KMGTPE]i|[numkMGTPE]|[eE][+-]?\d{1,2})?)",
    re.ASCII,
)
_BINARY = {f"{letter}i": Decimal(1024) ** power for power, letter in enumerate("KMGTPE", start=1)}
_DECIMAL = {
    "n": Decimal("1e-9"),
    "u": Decimal("1e-6"),
    "m": Decimal("1e-3"),
    "": Decimal(1),
    "k": Decimal("1e3"),
    "M": Decimal("1e6"),
    "G": Decimal("1e9"),
    "T": Decimal("1e12"),
    "P": Decimal("1e15"),
    "E": Decimal("1e18"),
}


def parse_quantity(text: str) -> Decimal:
    """Return the value of `500m`, `4`, `32Gi`; raises ValueError with what to write instead."""
    match = _QUANTITY.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not a quantity; write it like 4, 500m or 32Gi")
    return Decimal(match["number"]) * _factor(match["suffix"])


def lenient_quantity(text: str | None) -> Decimal:
    """Return the value of what a cluster reported; what cannot be read counts as zero."""
    try:
        return parse_quantity((text or "0").lstrip("+"))
    except ValueError:
        return Decimal(0)


def _factor(suffix: str) -> Decimal:
    if suffix in _BINARY:
        return _BINARY[suffix]
    if suffix in _DECIMAL:
        return _DECIMAL[suffix]
    return Decimal(10) ** int(suffix[1:])
