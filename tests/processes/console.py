"""The console as it runs for real: gunicorn, workers and beat, commands, in front of a cluster.

Every process is watched (`tests.processes.killing`); database and queue are those of the test.
"""

import http.client
import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from tests.cluster.harness.processes import Process
from tests.cluster.waiting import wait_for
from tests.ports import free_port
from tests.processes.killing.effects import Halt, Record, read_record

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(sys.executable).parent
START_SECONDS = 100.0
# Longer than anybody is frozen in the middle of a request.
ANSWER_SECONDS = 600.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """Status and JSON of an answer; status 0 is none at all, the process has gone."""

    status: int
    body: Any = None


@dataclass(kw_only=True)
class Commands:
    """Runs commands one after the other, each in a process of its own (`killing.commands`)."""

    folder: Path
    environment: dict[str, str]
    _server: "subprocess.Popen[str] | None" = None

    def begin(self, *command: str, record: Path | None = None, halt: Halt | None = None) -> None:
        """Begin a command; `wait` must follow before the next."""
        job = {
            "command": command,
            "log": str(self.folder / "commands.log"),
            "record": str(record or self.folder / "commands.record"),
            "halt": str(halt or ""),
        }
        print(json.dumps(job), file=self._pipes()[0], flush=True)

    def wait(self) -> int:
        """Return the exit code of the command that was begun."""
        return int(self._pipes()[1].readline())

    def stop(self) -> None:
        """End the process that forks, and whatever it has forked, frozen or not."""
        if self._server is not None:
            os.killpg(self._server.pid, signal.SIGKILL)
            self._server.communicate()

    def _pipes(self) -> tuple[IO[str], IO[str]]:
        if self._server is None:
            self._server = self._start()
        stdin, stdout = self._server.stdin, self._server.stdout
        assert stdin is not None
        assert stdout is not None
        return stdin, stdout

    def _start(self) -> "subprocess.Popen[str]":
        with (self.folder / "commands.log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "tests.processes.killing.commands"],
                cwd=ROOT,
                env=os.environ | self.environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                start_new_session=True,
            )


@dataclass(kw_only=True)
class Console:
    """Processes that share `environment`, a folder for their logs, and people's tokens."""

    folder: Path
    environment: dict[str, str]
    tokens: Sequence[str]
    port: int = 0
    _running: list[Process] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Prepare for commands; `beside` runs one while another one runs."""
        self._commands = Commands(folder=self.folder, environment=self.environment)
        self.beside = Commands(folder=self.folder, environment=self.environment)

    def start_web(self, *, workers: int = 2, threads: int = 1) -> None:
        """Start gunicorn; a worker that is killed is forked anew from what is loaded already."""
        self.port = free_port()
        command = [str(BIN / "gunicorn"), "tests.processes.killing.wsgi", "--preload"]
        command += ["--bind", f"127.0.0.1:{self.port}", "--workers", str(workers)]
        command += ["--threads", str(threads), "--log-level", "warning"]
        command += ["--timeout", str(int(ANSWER_SECONDS))]
        process = self._start("web", command)
        process.wait_until(self._is_well, seconds=START_SECONDS)

    def start_background(self, *, workers: int = 2) -> None:
        """Start workers and the clock."""
        for number in range(workers):
            self.start_worker(f"worker-{number}")
        self.start_beat()

    def start_worker(self, name: str) -> Process:
        """Start a background worker as `manage.py start` does, without the clock."""
        command = [str(BIN / "celery"), "--app", "console.celery", "--quiet", "worker"]
        command += ["--pool", "threads", "--concurrency", "4", "--loglevel", "warning"]
        command += ["--without-gossip", "--without-mingle", "--hostname", f"{name}@tests"]
        return self._start(name, command)

    def start_beat(self) -> Process:
        """Start the clock."""
        command = [str(BIN / "celery"), "--app", "console.celery", "--quiet", "beat"]
        return self._start("beat", [*command, "--loglevel", "warning"])

    def has_failed(self, name: str) -> bool:
        """Tell whether a process has logged a fault of the console itself."""
        log = self._log(name).read_text()
        return "Traceback" in log or '"level": "error"' in log

    def stop(self) -> None:
        """End everything."""
        for process in reversed(self._running):
            process.kill()
        self._commands.stop()
        self.beside.stop()

    def call(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        who: int = 0,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Call the API as one of the people."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=ANSWER_SECONDS)
        sent = {"Authorization": f"Token {self.tokens[who]}", "Content-Type": "application/json"}
        payload = json.dumps(body) if body is not None else None
        try:
            connection.request(method, f"/api/v1/{path}", payload, sent | dict(headers or {}))
            answer = connection.getresponse()
            text = answer.read()
        except (ConnectionError, http.client.HTTPException):
            return Answer(status=0)
        finally:
            connection.close()
        return Answer(status=answer.status, body=json.loads(text) if text else None)

    def command(self, *command: str, record: Path | None = None, halt: Halt | None = None) -> int:
        """Run one of `manage.py`'s commands to its end; returns its exit code."""
        self._commands.begin(*command, record=record, halt=halt)
        return self._commands.wait()

    def refresh(self) -> None:
        """Make one full pass; fails with its words where the pass does."""
        log = self.folder / "commands.log"
        code = self.command("refresh")
        assert code == 0, log.read_text()[-2000:]

    def _start(self, name: str, command: Sequence[str]) -> Process:
        pairs = [f"{key}={value}" for key, value in self.environment.items()]
        process = Process(name, ["env", "-C", str(ROOT), *pairs, *command], self._log(name))
        process.start()
        self._running.append(process)
        return process

    def _log(self, name: str) -> Path:
        return self.folder / f"{name}.log"

    def _is_well(self) -> bool:
        try:
            return self.call("GET", "health").status == 200
        except OSError:
            return False


@dataclass(frozen=True, kw_only=True, slots=True)
class Records:
    """Where the effects of each piece of work are written, by its name."""

    folder: Path

    def path(self, name: str) -> Path:
        """Return the file of a piece of work."""
        return self.folder / f"{name}.record"

    def headers(self, name: str, halt: Halt | None = None) -> dict[str, str]:
        """Return the headers that let a request be counted, and halted at a point."""
        return {"X-Record": str(self.path(name)), "X-Halt": str(halt or "")}

    def read(self, name: str) -> Record:
        """Return what a piece of work did, once it is over or halted; an answer may come before."""
        path = self.path(name)
        return wait_for(lambda: settled_record(path), ANSWER_SECONDS, f"the end of {name}")


def settled_record(path: Path) -> Record | None:
    """Read a record; None also for a process that has told it halts, and is not stopped by then."""
    record = read_record(path)
    if record is None or record.waiting is None or is_frozen(record.waiting):
        return record
    return None


def is_frozen(number: int) -> bool:
    """Tell whether the process of that number is stopped by a signal."""
    return "\nState:\tT" in Path(f"/proc/{number}/status").read_text()
