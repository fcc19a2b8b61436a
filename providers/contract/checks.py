"""One line of a preflight: what was looked at, how it came out, and which field it concerns.

A failed check blocks a launch, a warning asks, an unknown never blocks.
"""

from dataclasses import dataclass
from enum import StrEnum


class Result(StrEnum):
    """How a check came out, in rising order of weight."""

    PASS = "pass"  # noqa: S105 - a verdict, not a password
    UNKNOWN = "unknown"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, kw_only=True, slots=True)
class Check:
    """One line: `code` is stable and CamelCase, `message` one sentence, `field` a path or empty."""

    code: str
    result: Result
    message: str
    field: str = ""

    def as_dict(self) -> dict[str, str]:
        """Return the JSON form that the API answers and a record keeps."""
        return {
            "code": self.code,
            "result": self.result.value,
            "message": self.message,
            "field": self.field,
        }
