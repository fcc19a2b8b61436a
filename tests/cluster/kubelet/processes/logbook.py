"""The logs of one container as a container runtime keeps them: a file for each run, each line with
its time and stream.
"""

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread
from typing import IO

from providers.simulation.pod_life.log_reading import LogLine


class LogBook:
    """Writes and reads `FOLDER/RUN.log`, runs counted from 0."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        self._folder = folder

    def keep(self, run: int, printed: IO[bytes]) -> Thread:
        """Write what a process prints until it ends; return the thread that does."""
        thread = Thread(target=self._write, args=(run, printed), daemon=True)
        thread.start()
        return thread

    def lines(self, run: int) -> list[LogLine]:
        """Return what a run has printed so far."""
        path = self._path(run)
        if not path.exists():
            return []
        # The last piece is a line that is still being written, or nothing.
        return [_parsed(line) for line in path.read_text().split("\n")[:-1]]

    def _path(self, run: int) -> Path:
        return self._folder / f"{run}.log"

    def _write(self, run: int, printed: Iterable[bytes]) -> None:
        with self._path(run).open("a") as file:
            for line in printed:
                stamp = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%f000Z")
                text = line.decode(errors="replace").rstrip("\n")
                file.write(f"{stamp} stdout F {text}\n")
                file.flush()


def _parsed(line: str) -> LogLine:
    stamp, _stream, _tag, text = line.split(" ", 3)
    return LogLine(at=datetime.fromisoformat(stamp[:26] + "Z"), text=text)
