"""Lets gunicorn log as the console does; it finds this file by itself where it is started."""

import os

from console.environment import read_log_level
from console.logs import json_logging

_SAYS_IT_THROUGH_ROOT = {"handlers": [], "propagate": True}

logconfig_dict = json_logging(read_log_level(os.environ, "SLIPWAY_LOG_LEVEL"))
logconfig_dict["loggers"] |= {"gunicorn.error": _SAYS_IT_THROUGH_ROOT}
