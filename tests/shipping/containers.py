"""Runs containers of the image as they ship: no root, no capability, a root that is read-only."""

import subprocess
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

VAR = "/var/lib/slipway"
# As docker-compose.yml and deploy/ have it. No network: what a test asks, it asks from
# inside. The limits are those that any host can give.
LOCKED = (
    "--read-only",
    "--read-only-tmpfs=false",
    "--cap-drop=all",
    "--security-opt=no-new-privileges",
    "--tmpfs=/tmp:rw,size=64m,mode=1777",
    "--ulimit=nofile=1024:4096",
    "--ulimit=nproc=4096:4096",
    "--network=none",
)


@dataclass(kw_only=True)
class Podman:
    """One image, and everything that was started from it; a context manager removes that."""

    image: str
    _names: list[str] = field(default_factory=list)
    _volumes: list[str] = field(default_factory=list)

    def __enter__(self) -> Self:
        """Nothing runs yet."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Remove containers and volumes."""
        if self._names:
            self._ask("rm", "--force", "--time=5", *self._names)
        if self._volumes:
            self._ask("volume", "rm", "--force", *self._volumes)

    def volume(self) -> str:
        """Return the name of a new volume."""
        self._volumes.append(f"slipway-{uuid.uuid4().hex[:8]}")
        return self._volumes[-1]

    def run(
        self,
        *arguments: str,
        volume: str = "",
        env: Mapping[str, str] | None = None,
        mounts: Mapping[str, Path] | None = None,
    ) -> "subprocess.CompletedProcess[str]":
        """Run a container to its end and return what it said; `mounts` are read-only, by place."""
        mounted = [f"--volume={path}:{place}:ro" for place, path in (mounts or {}).items()]
        options = [*self._options(volume, env or {}), *mounted]
        return self._ask("run", "--rm", *options, self.image, *arguments)

    def start(self, *arguments: str, volume: str, env: Mapping[str, str] | None = None) -> str:
        """Start a container and return its name."""
        name = f"slipway-{uuid.uuid4().hex[:8]}"
        self._names.append(name)
        options = self._options(volume, env or {})
        done = self._ask("run", "--detach", f"--name={name}", *options, self.image, *arguments)
        assert done.returncode == 0, done.stderr
        return name

    def inside(self, name: str, *command: str) -> "subprocess.CompletedProcess[str]":
        """Run a command in a running container."""
        return self._ask("exec", name, *command)

    @contextmanager
    def frozen(self, name: str) -> Iterator[None]:
        """Let the first process of a container stand still, until left."""
        self._signal(name, "STOP")
        try:
            yield
        finally:
            self._signal(name, "CONT")

    def stop(self, name: str, *, seconds: int) -> int:
        """Ask a container to end, insist after so many seconds, and return its exit code."""
        self._ask("stop", f"--time={seconds}", name)
        return int(self._ask("inspect", "--format={{.State.ExitCode}}", name).stdout)

    def words_of(self, name: str) -> str:
        """Return what a container has said so far."""
        done = self._ask("logs", name)
        return done.stdout + done.stderr

    def _signal(self, name: str, signal: str) -> None:
        done = self._ask("kill", f"--signal={signal}", name)
        assert done.returncode == 0, done.stderr

    def _options(self, volume: str, env: Mapping[str, str]) -> list[str]:
        given = [f"--env={name}={value}" for name, value in env.items()]
        mounted = [f"--volume={volume}:{VAR}"] if volume else []
        return [*LOCKED, *given, *mounted]

    def _ask(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        # Podman hands health checks to a systemd, where there is one; the tests ask by hand.
        return subprocess.run(
            ["podman", "--runtime=runc", "--log-level=fatal", *arguments],
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
