"""The queue of files: whole messages, each taken once, by whoever comes first."""

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty
from typing import Any

import pytest
from django.conf import LazySettings
from kombu.connection import Connection

from console.health.queue_depth import QueueSilent, queue_depth
from deployments.queue import ALIAS, Transport, register, sweep, write_whole

SENDER = """
import sys
from kombu import Connection
from deployments.queue import ALIAS, register
register()
folder, count = sys.argv[1], int(sys.argv[2])
options = {"data_folder_in": folder, "data_folder_out": folder, "control_folder": folder + "-c"}
with Connection(f"{ALIAS}://", transport_options=options) as connection:
    queue = connection.SimpleQueue("slipway")
    for number in range(count):
        queue.put({"from": sys.argv[3], "number": number, "padding": "x" * 20_000})
"""
# Takes until the queue is empty and nobody sends any more, which the file in its argument tells.
TAKER = """
import json, sys
from pathlib import Path
from queue import Empty
from kombu import Connection
from deployments.queue import ALIAS, register
register()
folder = sys.argv[1]
options = {"data_folder_in": folder, "data_folder_out": folder, "control_folder": folder + "-c",
           "polling_interval": 0.05}
with Connection(f"{ALIAS}://", transport_options=options) as connection:
    queue = connection.SimpleQueue("slipway")
    while True:
        is_all_sent = Path(sys.argv[2]).exists()
        try:
            message = queue.get(timeout=2)
        except Empty:
            if is_all_sent:
                break
            continue
        print(json.dumps([message.payload["from"], message.payload["number"]]))
        message.ack()
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "queue"  # made by whoever comes first


@pytest.fixture
def queue(folder: Path) -> Any:
    register()
    Transport.global_state.clear()  # type: ignore[no-untyped-call]  # kombu remembers bindings for the whole process
    options = {
        "data_folder_in": str(folder),
        "data_folder_out": str(folder),
        "control_folder": f"{folder}-c",
        "polling_interval": 0.01,
    }
    with Connection(  # type: ignore[no-untyped-call]
        f"{ALIAS}://", transport_options=options
    ) as connection:
        yield connection.SimpleQueue("slipway")


def process(program: str, *arguments: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.Popen(  # noqa: S603 - our own two programs
        command, stdout=subprocess.PIPE, text=True, cwd=Path.cwd()
    )


def test_messages_come_in_the_order_of_sending_and_once(queue: Any, folder: Path) -> None:
    for number in range(3):
        queue.put({"number": number})
    assert [queue.get(timeout=30).payload["number"] for _ in range(3)] == [0, 1, 2]
    with pytest.raises(Empty):
        queue.get(timeout=0.05)
    assert list(folder.iterdir()) == []


def test_many_senders_and_takers_lose_and_double_nothing(folder: Path, tmp_path: Path) -> None:
    all_sent = tmp_path / "all-sent"
    takers = [process(TAKER, str(folder), str(all_sent)) for _ in range(2)]
    senders = [process(SENDER, str(folder), "60", name) for name in "abc"]
    for sender in senders:
        assert sender.wait(timeout=60) == 0
    all_sent.touch()
    taken = [line for taker in takers for line in taker.communicate(timeout=60)[0].splitlines()]
    assert all(taker.returncode == 0 for taker in takers)
    assert sorted(map(json.loads, taken)) == sorted(
        [name, number] for name in "abc" for number in range(60)
    )


def test_a_message_that_does_not_parse_is_set_aside_and_the_next_one_taken(
    queue: Any, folder: Path
) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "00000000000000000001_broken.slipway.msg").write_text('{"half": ')
    queue.put({"number": 1})
    assert queue.get(timeout=30).payload == {"number": 1}
    assert [path.suffix for path in folder.iterdir()] == [".bad"]


def test_what_is_only_half_written_is_not_seen(queue: Any, folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    (folder / ".half").write_text("{")
    with pytest.raises(Empty):
        queue.get(timeout=0.05)


def test_what_is_old_is_swept_and_nothing_else(queue: Any, folder: Path) -> None:
    queue.put({"number": 1})
    old = folder / "00000000000000000001_old.slipway.msg"
    old.write_text("{}")
    long_ago = time.time() - 3 * 24 * 3600
    os.utime(old, (long_ago, long_ago))
    assert sweep(folder) == 1
    assert queue.get(timeout=30).payload == {"number": 1}


@contextmanager
def no_room() -> Iterator[None]:
    """Let this process write no byte to any file, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_what_a_full_disk_refuses_leaves_nothing_behind(tmp_path: Path) -> None:
    with no_room(), pytest.raises(OSError, match="too large"):
        write_whole(tmp_path / "message", "{}")
    assert list(tmp_path.iterdir()) == []


def test_a_queue_without_room_for_a_message_does_not_pass_for_well(
    settings: LazySettings, tmp_path: Path
) -> None:
    settings.REDIS_URL = ""
    settings.CELERY_BROKER_TRANSPORT_OPTIONS = {"data_folder_in": str(tmp_path)}
    assert queue_depth() == 0
    with no_room(), pytest.raises(QueueSilent):
        queue_depth()
    assert list(tmp_path.iterdir()) == []
