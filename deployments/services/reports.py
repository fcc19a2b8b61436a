"""What one pass over a cluster did, for the command that prints it and the page that shows it."""

from collections import Counter
from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True, slots=True)
class RefreshReport:
    """Counts of one pass; `error` is why it failed, `problems` what went wrong beside it."""

    cluster: str
    skipped: bool = False
    error: str = ""
    error_code: str = ""
    deployments: int = 0
    changed: int = 0
    closed: int = 0
    finished: int = 0
    unfinished: int = 0
    orphans: int = 0
    problems: tuple[str, ...] = ()
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        """Tell whether the cluster was read in full."""
        return not self.error

    def __str__(self) -> str:
        """Return the line that the command prints."""
        if self.skipped:
            return f"{self.cluster}: another pass is running"
        if self.error:
            return f"{self.cluster}: failed: {self.error}"
        return (
            f"{self.cluster}: {self.deployments} deployments, {self.changed} changed, "
            f"{self.closed} closed, {self.finished} finished, {self.unfinished} unfinished, "
            f"{self.orphans} orphans, {len(self.problems)} problems, {self.seconds:.2f} s"
        )


@dataclass(kw_only=True, slots=True)
class Tally:
    """The counts while a pass goes on."""

    counts: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)

    def add(self, name: str) -> None:
        """Count one more."""
        self.counts[name] += 1
