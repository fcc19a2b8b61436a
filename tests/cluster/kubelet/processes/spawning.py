"""Starts a container's command in the pod's network, over a root of its own.

The root has this machine's system folders for libraries, the image's folder, and the volumes.
"""

import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

SYSTEM = ("/usr", "/bin", "/lib", "/lib64", "/etc", "/proc", "/dev")
# Mounts pairs of folders below $1, then becomes the program, which ends with the thread that began.
ENTER = (
    'root=$1; shift; while [ "$1" != -- ]; do mount --rbind "$1" "$root$2"; shift 2; done; shift; '
    'exec setpriv --pdeathsig KILL chroot "$root" "$@"'
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """Where a container runs: its pod's namespace, an empty folder, and what is seen in it."""

    namespace: str
    root: Path
    mounts: Mapping[str, Path]


def spawn(
    place: Place, command: Sequence[str], environment: Mapping[str, str]
) -> subprocess.Popen[bytes]:
    """Start the command; its number is that of the program itself, its output one stream."""
    seen = {folder: Path(folder) for folder in SYSTEM if Path(folder).exists()} | dict(place.mounts)
    for target in seen:
        (place.root / target.lstrip("/")).mkdir(parents=True, exist_ok=True)
    enter = [
        "ip",
        "netns",
        "exec",
        place.namespace,
        "unshare",
        "--mount",
        "--propagation",
        "private",
    ]
    words = [*enter, "sh", "-euc", ENTER, "sh", str(place.root)]
    return subprocess.Popen(
        [*words, *_pairs(seen), "--", *command],
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )


def _pairs(seen: Mapping[str, Path]) -> Iterable[str]:
    for target, source in seen.items():
        yield from (str(source), target)
