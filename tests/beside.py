"""What stands beside the checkout: schemas of other makers' kinds, and what was recorded of them.

`SLIPWAY_SHARED` names the folder where it is another one than `../shared`.
"""

import os
from pathlib import Path
from typing import NoReturn

import pytest

SHARED = Path(os.environ.get("SLIPWAY_SHARED") or Path(__file__).parents[2] / "shared")


def beside(name: str) -> Path:
    """Return a folder of it; a run without says so loudly, and fails where it was named."""
    folder = SHARED / name
    if not folder.is_dir():
        _do_without(folder)
    return folder


def _do_without(folder: Path) -> NoReturn:
    words = f"DID NOT RUN: {folder} is missing; set SLIPWAY_SHARED to the folder that has it"
    if os.environ.get("SLIPWAY_SHARED"):
        pytest.fail(words, pytrace=False)
    pytest.skip(words)
