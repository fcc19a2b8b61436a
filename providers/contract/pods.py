"""Pods of a deployment in a line each: which of them is in trouble, since when, and where."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class PodLine:
    """One pod: `state` is a word or two, `tone` one of those of the phases.

    `restarts` counts those of all its containers; `node` is empty until it has one. `created_at` is
    by the cluster's clock. `current` is False for what an earlier revision left.
    """

    name: str
    state: str
    tone: str
    node: str = ""
    restarts: int = 0
    created_at: datetime | None = None
    current: bool = True
