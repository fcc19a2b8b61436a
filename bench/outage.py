"""Whether clusters that answer nothing keep the others from being read in time."""

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import fields

from bench.black_holes import (
    BLACK_HOLES,
    FULL_SECONDS,
    MOVING_SECONDS,
    ROOT,
    THREADS,
    WATCHED_SECONDS,
    WELL,
    Watched,
)
from bench.figures import Figure


def figures() -> Sequence[Figure]:
    """Return the greatest age of the clusters that answer, and how many were never read."""
    watched = _run()
    how = (
        f"python -m bench.black_holes: {WELL} simulated clusters and {BLACK_HOLES} that take "
        f"connections and say nothing, one worker with {THREADS} threads and beat on the file "
        f"queue, intervals {MOVING_SECONDS} and {FULL_SECONDS} s, watched for {WATCHED_SECONDS} s; "
        f"median of the greatest ages {watched.median_of_oldest:.1f} s, all read first within "
        f"{watched.started_within:.1f} s; {watched.tries} tries at the silent ones; "
        f"{watched.ready} of {watched.deployments} deployments became Ready"
    )
    return (
        Figure(
            name="greatest age of a cluster beside black holes",
            value=watched.oldest,
            bound=FULL_SECONDS,
            unit="s",
            how=how,
        ),
        Figure(
            name="clusters never read",
            value=watched.never_read,
            bound=0,
            unit="",
            how="the same",
        ),
    )


def _run() -> Watched:
    command = [sys.executable, "-m", "bench.black_holes"]
    done = subprocess.run(  # noqa: S603 - our own module
        command,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=WATCHED_SECONDS + 240,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(done.stderr[-3000:])
    told = json.loads(done.stdout.splitlines()[-1])
    return Watched(**{field.name: told[field.name] for field in fields(Watched)})
