"""Finds or builds the programs of a real Kubernetes control plane; it starts none of them.

`KUBEBUILDER_ASSETS` is used when it names a folder that has all five. Else they are built once from
two Go modules beside this file and cached outside the checkout, under a hash of everything that
goes into them.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
KUBERNETES_VERSION = "1.36.3"
PROGRAMS = ("etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubectl")
HOW_TO_GET_IT = (
    "install Go 1.26 or newer (about 8 minutes once, then cached), "
    "or set KUBEBUILDER_ASSETS to a folder with " + ", ".join(PROGRAMS)
)
VERSION_PACKAGE = "k8s.io/component-base/version"
MAJOR, MINOR, _PATCH = KUBERNETES_VERSION.split(".")
LINKER_FLAGS = {
    "etcd": "-s -w",
    "kubernetes": (
        f"-s -w -X {VERSION_PACKAGE}.gitVersion=v{KUBERNETES_VERSION} "
        f"-X {VERSION_PACKAGE}.gitMajor={MAJOR} -X {VERSION_PACKAGE}.gitMinor={MINOR}"
    ),
}
BUILD_TIMEOUT_SECONDS = 3600


@dataclass(frozen=True, kw_only=True, slots=True)
class Binaries:
    """A folder that has every program."""

    folder: Path

    def path(self, program: str) -> str:
        """Return where one program is."""
        return str(self.folder / program)


@dataclass(frozen=True, kw_only=True, slots=True)
class Missing:
    """Why there is no control plane, and how to get one."""

    reason: str


def find_or_build() -> Binaries | Missing:
    """Return the programs: those of KUBEBUILDER_ASSETS, those built before, or those built now."""
    assets = os.environ.get("KUBEBUILDER_ASSETS")
    if assets and _is_complete(Path(assets)):
        return Binaries(folder=Path(assets))
    if assets:
        _say(f"KUBEBUILDER_ASSETS={assets} lacks {', '.join(_lacking(Path(assets)))}; not used")
    folder = _cache_root() / fingerprint()
    if _is_complete(folder):
        return Binaries(folder=folder)
    if shutil.which("go") is None:
        return Missing(reason=f"no Kubernetes control plane: {HOW_TO_GET_IT}")
    with _lock(folder.with_suffix(".lock")):
        return Binaries(folder=folder) if _is_complete(folder) else _build(folder)


def fingerprint() -> str:
    """Return a hash of all that the programs are made from."""
    digest = hashlib.sha256(repr(sorted(LINKER_FLAGS.items())).encode())
    for source in sorted(HERE.glob("*/**/*")):
        if source.suffix in {".go", ".mod", ".sum"}:
            digest.update(
                source.relative_to(HERE).as_posix().encode() + b"\0" + source.read_bytes()
            )
    return digest.hexdigest()[:16]


def _cache_root() -> Path:
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "slipway" / "controlplane"


def _lacking(folder: Path) -> list[str]:
    return [program for program in PROGRAMS if not os.access(folder / program, os.X_OK)]


def _is_complete(folder: Path) -> bool:
    return not _lacking(folder)


@contextmanager
def _lock(path: Path) -> Iterator[None]:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _build(folder: Path) -> Binaries | Missing:
    _say(f"building Kubernetes {KUBERNETES_VERSION} and etcd into {folder}; about 8 minutes, once")
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix="building-") as scratch:
        for module in LINKER_FLAGS:
            problem = _go_build(module, Path(scratch))
            if problem:
                return Missing(
                    reason=f"the control plane's module {module} does not build: {problem}"
                )
        if lacking := _lacking(Path(scratch)):
            return Missing(reason=f"the build of the control plane lacks {', '.join(lacking)}")
        # One rename, so that another run sees either nothing or everything.
        shutil.rmtree(folder, ignore_errors=True)
        Path(scratch).rename(folder)
        Path(scratch).mkdir()
    _say(f"built {', '.join(PROGRAMS)}")
    return Binaries(folder=folder)


def _go_build(module: str, into: Path) -> str:
    command = [
        "go",
        "build",
        "-mod=readonly",
        "-trimpath",
        "-ldflags",
        LINKER_FLAGS[module],
        "-o",
        f"{into}/",
        "./...",
    ]
    environment = os.environ | {"CGO_ENABLED": "0", "GOWORK": "off"}
    try:
        done = subprocess.run(
            command,
            cwd=HERE / module,
            env=environment,
            capture_output=True,
            text=True,
            timeout=BUILD_TIMEOUT_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"not done after {BUILD_TIMEOUT_SECONDS} s"
    return done.stderr[-2000:] if done.returncode else ""


def _say(text: str) -> None:
    print(f"control plane: {text}", file=sys.stderr, flush=True)


def main() -> int:
    """Print the folder of the programs, or say why there is none."""
    found = find_or_build()
    if isinstance(found, Missing):
        _say(found.reason)
        return 1
    print(found.folder)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
