"""Measures everything and prints it; runs itself again under a private PostgreSQL where needed."""

import os
import platform
import sys
import tempfile
from pathlib import Path

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

        print(f"machine: {os.cpu_count()} cores, Python {platform.python_version()}")
        before = (
            *launching.alone(set_up),
            *launching.together(set_up),
            *losing.figures(set_up),
            *reading.alone(set_up),
            *reading.together(set_up),
            *looking.figures(set_up),
            *transitions.figures(set_up),
            *scaling.figures(set_up),
            *noticing.figures(set_up),
            *listing.figures(set_up),
        )
        first, again = passing.passes(set_up)
        figures = (
            *before,
            *passing.figures(set_up, first, again),
            *watching.figures(set_up),
            *mixing.figures(set_up, again),
            *outage.figures(),
        )
    for figure in figures:
        print(figure.line)
    return 0 if all(figure.is_met for figure in figures) else 1


if __name__ == "__main__":
    raise SystemExit(main())
