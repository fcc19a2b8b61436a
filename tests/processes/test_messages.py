"""The console's queue, whichever it is: many send and take, and each message comes once."""

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.processes.console import ANSWER_SECONDS, ROOT, Console

SENDER = """
import sys
from console.celery import app
with app.connection_for_write() as connection:
    queue = connection.SimpleQueue("probe")
    for number in range(int(sys.argv[2])):
        queue.put({"from": sys.argv[1], "number": number, "padding": "x" * 20_000})
"""
# Takes until the queue is empty and nobody sends any more, which the file in its argument tells.
TAKER = """
import json, sys
from pathlib import Path
from queue import Empty
from console.celery import app
with app.connection_for_read() as connection:
    queue = connection.SimpleQueue("probe")
    while True:
        is_all_sent = Path(sys.argv[1]).exists()
        try:
            message = queue.get(timeout=5)
        except Empty:
            if is_all_sent:
                break
            continue
        print(json.dumps([message.payload["from"], message.payload["number"]]))
        message.ack()
"""
SENDERS, TAKERS, MESSAGES = "abc", 2, 60


def test_many_senders_and_takers_lose_and_double_nothing(console: Console, tmp_path: Path) -> None:
    all_sent = tmp_path / "all-sent"
    takers = [process(console, TAKER, str(all_sent)) for _ in range(TAKERS)]
    senders = [process(console, SENDER, name, str(MESSAGES)) for name in SENDERS]
    for sender in senders:
        assert sender.wait(ANSWER_SECONDS) == 0
    all_sent.touch()
    taken = [
        json.loads(line)
        for taker in takers
        for line in taker.communicate(timeout=ANSWER_SECONDS)[0].splitlines()
    ]
    assert [taker.returncode for taker in takers] == [0] * TAKERS
    assert sorted(taken) == sorted([name, number] for name in SENDERS for number in range(MESSAGES))


def process(console: Console, program: str, *arguments: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(  # noqa: S603 - our own two programs
        [sys.executable, "-c", program, *arguments],
        cwd=ROOT,
        env=os.environ | console.environment,
        stdout=subprocess.PIPE,
        text=True,
    )
