"""What stands for an image on this machine: a folder with a program, and what the image says."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from providers.contract.manifest import Manifest

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class CannotRun(RuntimeError):
    """A pod asks for something that real processes are not given here; the message says what."""


@dataclass(frozen=True, kw_only=True, slots=True)
class LocalImage:
    """`folder` is seen at `mounted_at`; `entrypoint` and `env` are those of the real image."""

    repository: str
    folder: Path
    mounted_at: str
    entrypoint: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)

    def is_named_by(self, image: str) -> bool:
        """Tell whether a container's image is this one, whatever its tag."""
        return image.partition("@")[0].rpartition(":")[0] == self.repository


def command_of(image: LocalImage, container: Manifest) -> list[str]:
    """Return the words that run, as Kubernetes puts them together."""
    words = [*(container.get("command") or image.entrypoint), *(container.get("args") or [])]
    for word in words:
        if "$(" in word:
            raise CannotRun(f"the argument {word} refers to a variable, which is not looked up")
    return words


def environment_of(image: LocalImage, container: Manifest) -> dict[str, str]:
    """Return the image's environment with the container's over it, and nothing of this machine."""
    given = {}
    for entry in container.get("env") or []:
        if "valueFrom" in entry:
            raise CannotRun(f"the variable {entry['name']} comes from elsewhere")
        given[entry["name"]] = entry.get("value") or ""
    return {"PATH": PATH} | dict(image.env) | given
