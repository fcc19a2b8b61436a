"""The console's queue, whichever it is: many send and take, and each message comes once."""

import json
import os
import subprocess
import sys

from tests.processes.console import ANSWER_SECONDS, ROOT, Console

SENDER = """
import sys
from console.celery import app
with app.connection_for_write() as connection:
    queue = connection.SimpleQueue("probe")
    for number in range(int(sys.argv[2])):
        queue.put({"from": sys.argv[1], "number": number, "padding": "x" * 20_000})
"""
TAKER = """
import json
from queue import Empty
from console.celery import app
with app.connection_for_read() as connection:
    queue = connection.SimpleQueue("probe")
    try:
        while True:
            message = queue.get(timeout=5)
            print(json.dumps([message.payload["from"], message.payload["number"]]))
            message.ack()
    except Empty:
        pass
"""
SENDERS, TAKERS, MESSAGES = "abc", 2, 60


def test_many_senders_and_takers_lose_and_double_nothing(console: Console) -> None:
    takers = [process(console, TAKER) for _ in range(TAKERS)]
    senders = [process(console, SENDER, name, str(MESSAGES)) for name in SENDERS]
    for sender in senders:
        assert sender.wait(ANSWER_SECONDS) == 0
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
