"""Builds the image by the project's own Dockerfile, with Podman and on a base that is made here.

A base image comes from a registry, and a test must not depend on one: so the official Python image
is stood in for by Debian 12 with its own Python, made by debootstrap and kept for the next run.
SLIPWAY_BASE_IMAGE names another base, as in docker.io/library/python:3.11-slim-bookworm.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

STAND_IN = "localhost/slipway-base:bookworm"
IMAGE = "localhost/slipway:under-test"
PACKAGES = "python3,python3-venv,ca-certificates"
CERTIFICATES = Path("/etc/ssl/certs")
MINUTES = 60
# What is mounted goes with the program, and so does all that it started, however it ends.
PRIVATE = ("unshare", "--mount", "--pid", "--fork", "--kill-child")


class Cannot(Exception):
    """Images cannot be built here; the message says what is missing."""


def find_tools() -> None:
    """Raise Cannot unless everything is there."""
    missing = [name for name in ("podman", "runc", "debootstrap") if not shutil.which(name)]
    if missing:
        raise Cannot(f"building the image needs the Debian packages {' '.join(missing)}")
    if os.geteuid() != 0:
        raise Cannot("building the image needs root")


def run(*command: str, minutes: float = 1) -> str:
    """Return what a command says; raise AssertionError with its words when it fails."""
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=minutes * MINUTES, check=False
    )
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
    return done.stdout


def build_image(root: Path) -> str:
    """Return the name of the image, built from the checkout as it stands."""
    base = os.environ.get("SLIPWAY_BASE_IMAGE") or _stand_in()
    with tempfile.TemporaryDirectory() as folder:
        mounts = _trust(Path(folder))
        command = ["podman", "build", "--network=host", "--isolation=chroot", "--format=docker"]
        named = [f"--build-arg=PYTHON_IMAGE={base}", "--pull-never", f"--tag={IMAGE}", str(root)]
        run(*command, *mounts, *named, minutes=60)
    return IMAGE


def _trust(folder: Path) -> Sequence[str]:
    """Let the build trust whom this machine trusts, without a trace in the image."""
    file = folder / "pip.conf"
    file.write_text(f"[global]\ncert = {CERTIFICATES / 'ca-certificates.crt'}\n")
    return [f"--volume={CERTIFICATES}:{CERTIFICATES}:ro", f"--volume={file}:/etc/pip.conf:ro"]


def _stand_in() -> str:
    if not _exists(STAND_IN):
        with tempfile.TemporaryDirectory() as folder:
            _make_debian(Path(folder) / "tree")
    return STAND_IN


def _exists(image: str) -> bool:
    asked = subprocess.run(["podman", "image", "exists", image], timeout=MINUTES, check=False)
    return asked.returncode == 0


def _make_debian(tree: Path) -> None:
    run(
        *PRIVATE,
        "debootstrap",
        "--variant=minbase",
        f"--include={PACKAGES}",
        "bookworm",
        str(tree),
        minutes=60,
    )
    # Where the official image has it.
    (tree / "usr/local/bin/python").symlink_to("/usr/bin/python3")
    archive = tree.with_suffix(".tar")
    run("tar", "--create", f"--directory={tree}", f"--file={archive}", ".", minutes=20)
    run("podman", "import", str(archive), STAND_IN, minutes=20)
