"""Lets gunicorn log as the console does, and refuse wrong settings by itself; it finds this file
where it is started.
"""

import os
import subprocess
import sys
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from console.environment import read_log_level
from console.logs import json_logging

_SAYS_IT_THROUGH_ROOT = {"handlers": [], "propagate": True}

try:
    _level = read_log_level(os.environ, "SLIPWAY_LOG_LEVEL")
except ImproperlyConfigured as error:
    sys.exit(f"slipway: {error}")

logconfig_dict = json_logging(_level)
logconfig_dict["loggers"] |= {"gunicorn.error": _SAYS_IT_THROUGH_ROOT}

# The address of a step holds all that was entered so far; this is gunicorn's most.
limit_request_line = 8190


def on_starting(_arbiter: object) -> None:
    """End the start where the settings are wrong, before any worker is forked.

    Workers refuse them too, but of two that do so at nearly the same time the arbiter tells with
    a traceback. Another process is asked, so that workers still load everything themselves.
    """
    manage = str(Path(__file__).parent / "manage.py")
    asked = subprocess.run(  # noqa: S603 - our own command
        [sys.executable, manage, "check", "--tag", "slipway"],
        capture_output=True,
        text=True,
        check=False,
    )
    if asked.returncode:
        sys.stderr.write(asked.stderr)
        sys.exit(asked.returncode)
