"""The door for gunicorn. A wrong setting ends the start with a sentence instead of a traceback."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

from console.collector import settle

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")

# What gunicorn takes for "this application will never load": it ends instead of trying for ever.
NEVER_LOADS = 4

try:
    application = get_wsgi_application()
    from console.checks import refuse_wrong_settings  # the apps must be loaded first

    refuse_wrong_settings()
    from console.metrics.working import measure_web  # the settings name its folder

    measure_web()
    get_resolver().url_patterns  # noqa: B018 - loads every page before the first request
    settle()
except ImproperlyConfigured as error:
    sys.stderr.write(f"slipway: {error}\n")
    sys.exit(NEVER_LOADS)
