#!/usr/bin/env python3
"""Django's commands for Slipway. A wrong setting is told in one sentence, not as a traceback."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")
    try:
        from django.core.exceptions import ImproperlyConfigured
        from django.core.management import execute_from_command_line
        from django.db import OperationalError
    except ImportError:
        sys.exit("slipway: Django is missing; run `make venv`, then .venv/bin/python manage.py")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(f"slipway: {error}")
    except OperationalError as error:
        sys.exit(f"slipway: the database does not do what it is asked (DATABASE_URL): {error}")


if __name__ == "__main__":
    main()
