"""What one pass over a cluster did, for the command that prints it and the page that shows it."""

from collections import Counter
from dataclasses import dataclass, field

import structlog

from providers.contract.errors import ProviderError

log = structlog.get_logger(__name__)


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


def log_report(report: RefreshReport) -> None:
    """Write one line about a pass: loud when something went wrong, quiet when nothing was new."""
    if report.error:
        log.warning(
            "pass_failed", cluster=report.cluster, error=report.error, code=report.error_code
        )
    elif report.problems:
        log.warning("pass_with_problems", cluster=report.cluster, problems=report.problems)
    elif report.changed or report.closed or report.finished:
        log.info("pass_with_news", cluster=report.cluster, summary=str(report))
    else:
        log.debug("pass", cluster=report.cluster, summary=str(report))


@dataclass(kw_only=True, slots=True)
class Tally:
    """The counts while a pass goes on; `unread` maps a kind that could not be read to why."""

    counts: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    unread: dict[str, str] = field(default_factory=dict)

    def miss(self, kind: str, error: ProviderError) -> None:
        """Note that a kind could not be read, and why."""
        self.unread[kind] = error.message
        self.problems.append(f"{kind}: {error.message}")

    def add(self, name: str) -> None:
        """Count one more."""
        self.counts[name] += 1
