"""Measures everything and prints it; runs itself again under a private PostgreSQL where needed."""

import os
import platform
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bench.figures import Figure
    from bench.stage import Stage

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    """Run all figures; 1 where there is no control plane to be had, or a figure is missed."""
    if not os.environ.get("DATABASE_URL", "").startswith("postgres"):
        command = [
            str(ROOT / ".ci" / "with-postgres"),
            sys.executable,
            "-m",
            "bench",
            *sys.argv[1:],
        ]
        os.environ["DURABLE"] = "1"  # a figure must hold with writes that reach the disk
        os.execv(command[0], command)  # noqa: S606 - our own script, without a shell
    from bench.stage import stage

    with (
        tempfile.TemporaryDirectory(prefix="slipway-bench-") as folder,
        stage(Path(folder)) as set_up,
    ):
        if set_up is None:
            return 1
        print(f"machine: {os.cpu_count()} cores, Python {platform.python_version()}")
        missed = [figure for figure in _told(_figures(set_up)) if not figure.is_met]
    return 1 if missed else 0


def _told(figures: "Iterable[Figure]") -> "Iterator[Figure]":
    """Print each figure as soon as it is there."""
    for figure in figures:
        print(figure.line, flush=True)
        yield figure


def _figures(set_up: "Stage") -> "Iterator[Figure]":
    """Yield every figure, stage by stage; they share what stands on the cluster by then."""
    from bench import (
        launching,
        listing,
        looking,
        losing,
        mixing,
        noticing,
        outage,
        passing,
        reading,
        scaling,
        transitions,
        watching,
    )

    yield from launching.alone(set_up)
    yield from launching.together(set_up)
    yield from losing.figures(set_up)
    yield from reading.alone(set_up)
    yield from reading.together(set_up)
    yield from looking.figures(set_up)
    yield from transitions.figures(set_up)
    yield from scaling.figures(set_up)
    yield from noticing.figures(set_up)
    yield from listing.figures(set_up)
    first, again = passing.passes(set_up)
    yield from passing.figures(set_up, first, again)
    yield from watching.figures(set_up)
    yield from mixing.figures(set_up, again)
    yield from outage.figures()


if __name__ == "__main__":
    raise SystemExit(main())
