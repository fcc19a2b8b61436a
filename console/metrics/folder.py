"""The folder in which the processes of one machine keep their metrics, a few files for each.

It lies in the machine's temporary folder: whoever shares that, and no one else, is one machine
with one set of process numbers, which is what the files are named by.
"""

import hashlib
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

FOLDER = "SLIPWAY_METRICS_FOLDER"
# What prometheus_client reads when it is imported; without it each process counts for itself.
CLIENTS_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"


def prepare_folder(environ: Mapping[str, str], var: Path) -> Path:
    """Make the folder, ours alone, and return it; `var` tells one console from another.

    Raises ImproperlyConfigured when it cannot be made, or belongs to somebody else.
    """
    folder = Path(environ.get(FOLDER, "").strip() or _default(var))
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(
            f"{FOLDER} is {str(folder)!r}, which cannot be made: {error.strerror}; "
            "name a folder that the console may write to."
        ) from None
    if folder.stat().st_uid != os.getuid():
        raise ImproperlyConfigured(
            f"{FOLDER} is {str(folder)!r}, which belongs to another user; name one of our own."
        )
    return folder


def _default(var: Path) -> Path:
    console = hashlib.sha256(str(var.absolute()).encode()).hexdigest()[:8]
    return Path(tempfile.gettempdir()) / f"slipway-metrics-{os.getuid()}-{console}"
