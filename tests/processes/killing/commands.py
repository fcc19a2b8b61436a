"""Runs the console's commands one after the other, each in a process of its own.

Beside those of `manage.py` there is `turn`: what the workers do at one turn of the clock. Each is
forked from this process, which has everything loaded: starting Python anew would cost seconds.
Reads jobs from its input, a line of JSON each, and answers with the exit code, -9 for SIGKILL.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any

import django
from django.core.checks import run_checks
from django.core.management import execute_from_command_line

from tests.processes.killing.effects import counting, parse_halt

TURN = "turn"


def main() -> None:
    """Serve until the input ends."""
    django.setup()
    import console.celery  # noqa: F401 - loads the tasks and all that a pass needs, before the forks

    # Every command checks first, and so loads all pages: that, too, before the forks.
    run_checks()
    for line in sys.stdin:
        job = json.loads(line)
        child = os.fork()
        if child == 0:
            _run(job)
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()


def _run(job: dict[str, Any]) -> None:
    """Run one command and end this process with its exit code."""
    with Path(job["log"]).open("a") as log:
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
    code: object = 0
    with counting(Path(job["record"]), parse_halt(job["halt"])):
        try:
            if job["command"] == [TURN]:
                _turn()
            else:
                execute_from_command_line(["manage.py", *job["command"]])
        except SystemExit as ending:
            code = ending.code
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code if isinstance(code, int) else 1)


def _turn() -> None:
    from deployments.models import Cluster  # needs the settings
    from deployments.tasks import refresh_everything, refresh_one

    refresh_everything()
    for key in Cluster.objects.enabled().values_list("pk", flat=True):
        refresh_one(key)


if __name__ == "__main__":
    main()
