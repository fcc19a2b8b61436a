"""The door for gunicorn. A wrong setting ends the start with a sentence instead of a traceback."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")

try:
    application = get_wsgi_application()
except ImproperlyConfigured as error:
    sys.exit(f"slipway: {error}")

from console.checks import refuse_wrong_settings  # the apps must be loaded first

refuse_wrong_settings()
