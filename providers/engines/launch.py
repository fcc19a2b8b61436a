"""What an engine asks of its container: command, arguments, environment, probes, folders.

Values only. Which of them an engine and version wants is decided beside this file; how they become
a pod is the workload room's matter.
"""

from dataclasses import dataclass
from enum import StrEnum

from providers.contract.template import SecretRef


@dataclass(frozen=True, kw_only=True, slots=True)
class EnvVar:
    """One variable: a plain value, or a reference to a key of a Secret."""

    name: str
    value: str = ""
    secret: SecretRef | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Probe:
    """An HTTP probe on the container's port; times in seconds."""

    path: str
    period_seconds: int
    timeout_seconds: int
    failure_threshold: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Launch:
    """The container of one engine; an empty `command` keeps the image's own entrypoint.

    `shares_memory` asks for /dev/shm in memory (more than one rank). `writable_paths` must be
    writable whatever the image's file system. `grace_seconds` is above what the engine takes to
    drain.
    """

    command: tuple[str, ...]
    args: tuple[str, ...]
    env: tuple[EnvVar, ...]
    port: int
    startup: Probe
    readiness: Probe
    liveness: Probe
    grace_seconds: int
    shares_memory: bool = False
    writable_paths: tuple[str, ...] = ("/tmp",)  # noqa: S108 - a path in the pod, not on this machine


class Weight(StrEnum):
    """What becomes of a finding: a warning is shown, a refusal stops activation and create."""

    WARN = "warn"
    REFUSE = "refuse"


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """One thing that an engine has to say about a template; `path` begins with `spec.`."""

    weight: Weight
    path: str
    message: str
