"""One full pass in a process of its own, and what it cost: run by `bench.whole_pass`.

Prints one JSON object: `cpu` seconds of all threads and `wall` seconds of the pass alone,
`grown` MB by which it raised the peak of the process's memory, `writes` by table, `calls` that
asked for a page by plural, and what changed. The process is prepared as a worker's is, and has
the library loaded that reads kubeconfigs: that is done once, not in every pass.
"""

import json
import logging
import math
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_WRITES = re.compile(r'(?:INSERT INTO|UPDATE|DELETE FROM)\s+"(?P<table>\w+)"', re.IGNORECASE)
_PAGE = re.compile(r'"GET [^ ?]*/(?P<plural>\w+)\?[^ ]*\blimit=')


class WriteCounter:
    """Counts the rows that statements may write, by table."""

    def __init__(self) -> None:
        self.by_table: Counter[str] = Counter()

    def __call__(
        self,
        execute: Callable[..., Any],
        sql: str,
        params: Any,
        many: bool,  # noqa: FBT001 - Django's own signature
        context: Any,
    ) -> Any:
        """Count one statement, and let it run."""
        found = _WRITES.match(sql)
        if found:
            self.by_table[found["table"]] += len(params) if many else 1
        return execute(sql, params, many, context)


class ListCounter(logging.Handler):
    """Counts the pages that were asked for, by plural, as the HTTP library logs its requests."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.by_plural: Counter[str] = Counter()

    def emit(self, record: logging.LogRecord) -> None:
        """Count one request, if it is for a page."""
        found = _PAGE.search(record.getMessage())
        if found:
            self.by_plural[found["plural"]] += 1

    @contextmanager
    def counting(self) -> Iterator[None]:
        """Count until left."""
        log = logging.getLogger("urllib3.connectionpool")
        log.addHandler(self)
        log.setLevel(logging.DEBUG)
        log.propagate = False
        yield
        log.removeHandler(self)


def main(cluster_name: str) -> int:
    """Do the pass over the cluster of that name, and print what it cost."""
    import django

    django.setup()
    import kubernetes.config  # noqa: F401
    from django.db import connection

    from console.collector import settle
    from deployments.models import Cluster
    from deployments.services.refreshing import refresh_cluster

    settle()
    cluster = Cluster.objects.get(name=cluster_name)
    lists, writes, before = ListCounter(), WriteCounter(), _megabytes("VmRSS")
    with lists.counting(), connection.execute_wrapper(writes):
        cpu, wall = time.process_time(), time.monotonic()
        report = refresh_cluster(cluster)
        cpu, wall = time.process_time() - cpu, time.monotonic() - wall
    told = {
        "cpu": cpu,
        "wall": wall,
        "grown": _megabytes("VmHWM") - before,
        "writes": writes.by_table,
        "calls": lists.by_plural,
        "deployments": report.deployments,
        "changed": report.changed,
        "troubles": [report.error, *report.problems] if report.error else report.problems,
    }
    sys.stdout.write(json.dumps(told) + "\n")
    return 0


def _megabytes(line: str) -> float:
    """Return what the kernel tells of our memory; getrusage would tell the parent's peak."""
    found = re.search(rf"^{line}:\s+(\d+) kB", Path("/proc/self/status").read_text(), re.MULTILINE)
    return int(found[1]) / 1024 if found else math.nan


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1]))
