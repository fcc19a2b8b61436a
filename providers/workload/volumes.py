"""Folders of a model's pod: shared memory, folders that must be writable, the cache claim.

Values of `volumes` and `volumeMounts` only; which folders an engine needs is in its Launch.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from providers.contract.manifest import Manifest
from providers.contract.quantity import parse_quantity
from providers.contract.request import DeployRequest
from providers.contract.template import Cache
from providers.engines.launch import Launch

SHARED_MEMORY = "/dev/shm"  # noqa: S108 - a path in the pod, not on this machine
LEAST_SHARED_MEMORY = "1Gi"

_UNUSABLE = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, kw_only=True, slots=True)
class Folder:
    """One volume and where it is mounted; `source` is the volume's body without its name."""

    name: str
    path: str
    source: Manifest

    @property
    def volume(self) -> Manifest:
        return {"name": self.name, **self.source}

    @property
    def mount(self) -> Manifest:
        return {"name": self.name, "mountPath": self.path}


def folders_of(request: DeployRequest, launch: Launch) -> tuple[Folder, ...]:
    """Return the folders in the order of mounting, no path twice.

    A folder inside the cache claim is on the claim: nothing is mounted over it.
    """
    cache = request.source.cache if request.source else None
    folders = [*_shared_memory(request, launch), *_cache(cache)]
    taken = {folder.path for folder in folders}
    for number, path in enumerate(_plain_paths(launch)):
        if path not in taken and not _is_cached(path, cache):
            folders.append(Folder(name=_name(path, number), path=path, source={"emptyDir": {}}))
            taken.add(path)
    return tuple(folders)


def shared_memory_size(request: DeployRequest, launch: Launch) -> str | None:
    """Return the size of /dev/shm, or None where a container's own 64 MiB do."""
    asked = request.spec.resources.shm_size
    if asked is None:
        return LEAST_SHARED_MEMORY if launch.shares_memory else None
    enough = parse_quantity(asked) >= parse_quantity(LEAST_SHARED_MEMORY)
    return asked if enough else LEAST_SHARED_MEMORY


def _shared_memory(request: DeployRequest, launch: Launch) -> Iterator[Folder]:
    size = shared_memory_size(request, launch)
    if size:
        memory = {"emptyDir": {"medium": "Memory", "sizeLimit": size}}
        yield Folder(name="shared-memory", path=SHARED_MEMORY, source=memory)


def _cache(cache: Cache | None) -> Iterator[Folder]:
    if cache:
        claim = {"persistentVolumeClaim": {"claimName": cache.claim}}
        yield Folder(name="model-cache", path=_plain(cache.mount_path), source=claim)


def _is_cached(path: str, cache: Cache | None) -> bool:
    return cache is not None and f"{path}/".startswith(f"{_plain(cache.mount_path)}/")


def _plain_paths(launch: Launch) -> Iterator[str]:
    yield from (_plain(path) for path in launch.writable_paths)


def _plain(path: str) -> str:
    return path.rstrip("/") or "/"


def _name(path: str, number: int) -> str:
    """Return a volume's name that tells its path; the number keeps names apart."""
    readable = _UNUSABLE.sub("-", path.lower()).strip("-")[:40].strip("-")
    return f"writable-{number}-{readable}".rstrip("-")
