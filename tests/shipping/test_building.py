"""A base that is not finished in time leaves nothing mounted on the machine."""

import subprocess
from pathlib import Path

import pytest

from tests.shipping import building
from tests.shipping.building import Cannot, find_tools

MOUNTS = Path("/proc/self/mountinfo")
HANGS = """#!/bin/sh
for tree in "$@"; do :; done
mkdir -p "$tree/proc" && mount -t proc proc "$tree/proc" && : > "$tree/mounted"
exec sleep 600
"""


def test_a_base_that_takes_too_long_leaves_nothing_mounted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    try:
        find_tools()
    except Cannot as missing:
        pytest.skip(str(missing))
    stand_in, tree = tmp_path / "debootstrap", tmp_path / "tree"
    stand_in.write_text(HANGS)
    stand_in.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setattr(building, "MINUTES", 1 / 20)
    with pytest.raises(subprocess.TimeoutExpired):
        building._make_debian(tree)
    assert (tree / "mounted").exists()
    assert str(tree) not in MOUNTS.read_text()
