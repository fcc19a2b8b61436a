"""The queue where there is no Redis: kombu's file-system transport, safe for many processes.

kombu writes a message in place, so that a reader can catch it half-written. Here a message is
written under another name and renamed; taking one is a rename as well, which only one worker can
win. Knows nothing of what the messages say.
"""

import fcntl
import json
import os
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty
from typing import Any

import structlog
from kombu.transport import TRANSPORT_ALIASES, filesystem

ALIAS = "slipway-files"
# Also beyond any task's time limit, so that nothing that is still worked on is swept.
OLDEST_SECONDS = 24 * 3600
# Bytes; a message has about half of that.
ROOM = 4096
_BAD, _TAKEN = ".bad", ".taken"

log = structlog.get_logger(__name__)


class Channel(filesystem.Channel):
    """Reads and writes whole messages only; makes its folder."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Open a channel; whoever is first finds no folder yet."""
        super().__init__(*args, **kwargs)  # type: ignore[no-untyped-call]
        for folder in (self.data_folder_in, self.data_folder_out):
            Path(folder).mkdir(parents=True, exist_ok=True)

    def _put(self, queue: str, payload: Any, **_kwargs: Any) -> None:  # type: ignore[override]
        folder = Path(self.data_folder_out)
        # Names sort by the time of sending; that of a message ends in its queue's.
        name = f"{time.time_ns():020d}_{uuid.uuid4()}.{queue}.msg"
        write_whole(folder / name, json.dumps(payload))

    def _get(self, queue: str, timeout: float | None = None) -> Any:
        del timeout  # the transport polls, nothing here waits
        for path in _waiting(Path(self.data_folder_in), queue):
            taken = path.with_name(f"{path.name}{_TAKEN}")
            try:
                path.rename(taken)
            except FileNotFoundError:
                continue  # another worker was faster
            message = _read(taken)
            if message is not None:
                return message
        raise Empty

    def _queue_bind(self, exchange: str, routing_key: str, pattern: str, queue: str) -> None:
        file = self._exchange_file(exchange)  # type: ignore[no-untyped-call]
        file.parent.mkdir(parents=True, exist_ok=True)
        with _locked(file.with_suffix(".lock")):
            table = [list(entry) for entry in self.get_table(exchange)]  # type: ignore[no-untyped-call]
            entry = [routing_key or "", pattern or "", queue or ""]
            if entry not in table:
                write_whole(file, json.dumps([entry, *table]))


class Transport(filesystem.Transport):
    """The transport that `slipway-files://` names."""

    Channel = Channel


def register() -> None:
    """Make the transport known by its alias; kombu takes no class in an address."""
    TRANSPORT_ALIASES[ALIAS] = f"{__name__}:{Transport.__name__}"


def count_waiting(folder: Path, queue: str) -> int:
    """Return how many messages of a queue nobody has taken yet; raises OSError."""
    return len(_waiting(folder, queue))


def require_room(folder: Path) -> None:
    """Raise OSError where no message could be written, as on a full disk."""
    tried = folder / f".{uuid.uuid4()}"
    try:
        tried.write_bytes(bytes(ROOM))
    finally:
        tried.unlink(missing_ok=True)


def sweep(folder: Path, *, older_than: float = OLDEST_SECONDS) -> int:
    """Remove what nobody took in so many seconds and what was set aside; return how much."""
    limit = time.time() - older_than
    old = [path for path in _files(folder) if _age_of(path) < limit]
    for path in old:
        path.unlink(missing_ok=True)
    return len(old)


def write_whole(path: Path, text: str) -> None:
    """Write a file so that a reader sees all of it or nothing; raises OSError, leaving nothing."""
    unfinished = path.with_name(f".{uuid.uuid4()}")
    try:
        unfinished.write_text(text)
        unfinished.replace(path)
    except OSError:
        unfinished.unlink(missing_ok=True)  # on a full disk each turn would leave one more
        raise


def _waiting(folder: Path, queue: str) -> list[Path]:
    return [path for path in _files(folder) if path.name.partition(".")[2] == f"{queue}.msg"]


def _files(folder: Path) -> list[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    with os.scandir(folder) as entries:
        return sorted(folder / entry.name for entry in entries if entry.is_file())


def _read(taken: Path) -> Any:
    """Return a message and forget its file; one that does not parse is set aside and logged."""
    try:
        message = json.loads(taken.read_bytes())
    except (OSError, ValueError) as error:
        log.warning("message_set_aside", file=taken.name, error=str(error))
        taken.rename(taken.with_suffix(_BAD))
        return None
    taken.unlink()
    return message


def _age_of(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return time.time()


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
