"""The console's processes together: started in order, started again, ended together."""

import os
import select
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from console import running
from console.running import CannotStart, Group, Part


@pytest.fixture
def group(monkeypatch: pytest.MonkeyPatch) -> Iterator[Group]:
    monkeypatch.setattr(running, "POLL_SECONDS", 0.02)
    group = Group(environment={"GREETING": "ahoy"})
    yield group
    group.stop()


def python(name: str, code: str) -> Part:
    return Part(name=name, command=[sys.executable, "-c", code])


def lines(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []


def test_a_part_is_waited_for_until_it_is_up(group: Group, tmp_path: Path) -> None:
    sign = tmp_path / "up"
    code = (
        "import os, pathlib, time\n"
        f"sign = pathlib.Path({str(sign)!r})\n"
        "half = sign.with_suffix('.half')\n"
        "half.write_text(os.environ['GREETING'])\n"
        "half.rename(sign)\n"
        "time.sleep(60)\n"
    )
    group.start(Part(name="a", command=[sys.executable, "-c", code], is_up=sign.exists))
    assert sign.read_text() == "ahoy"


def test_a_part_that_ends_before_it_is_up_is_named(group: Group) -> None:
    part = Part(name="the worker", command=[sys.executable, "-c", "1/0"], is_up=lambda: False)
    with pytest.raises(CannotStart, match="the worker does not start"):
        group.start(part)


def test_what_dies_is_started_again(group: Group, tmp_path: Path) -> None:
    log = tmp_path / "log"
    code = (
        "import time\n"
        f"log = open({str(log)!r}, 'a+')\n"
        "print('x', file=log, flush=True)\n"
        "log.seek(0)\n"
        "time.sleep(60 if len(log.readlines()) == 3 else 0)\n"
    )
    group.start(python("a", code))
    group.watch(lambda: len(lines(log)) >= 3)
    assert len(lines(log)) == 3


def test_what_a_dead_part_leaves_behind_is_ended_before_it_starts_again(
    group: Group, tmp_path: Path
) -> None:
    pipe, log = tmp_path / "pipe", tmp_path / "log"
    os.mkfifo(pipe)
    code = (
        "import os, signal, time\n"
        f"is_first = not os.path.exists({str(log)!r})\n"
        f"open({str(log)!r}, 'a').write('started\\n')\n"
        "if is_first:\n"
        f"    end = os.open({str(pipe)!r}, os.O_WRONLY)\n"
        "    os.fork() and os.kill(os.getpid(), signal.SIGKILL)\n"
        "time.sleep(60)"
    )
    group.start(python("a", code))
    with pipe.open() as held:
        group.watch(lambda: len(lines(log)) > 1)
        assert select.select([held], [], [], 10)[0], "the child still holds its end"
        assert held.read() == ""


def test_what_keeps_dying_ends_all(group: Group) -> None:
    group.start(python("the worker", "pass"))
    with pytest.raises(CannotStart, match="the worker ends again and again"):
        group.watch(lambda: False)


def test_all_parts_end_the_last_one_first(group: Group, tmp_path: Path) -> None:
    log = tmp_path / "log"
    for name in "ab":
        code = (
            "import signal, sys, time\n"
            f"def end(*_): open({str(log)!r}, 'a').write({name!r} + '\\n'); sys.exit()\n"
            "signal.signal(signal.SIGTERM, end)\n"
            f"open({str(tmp_path / name)!r}, 'w').close()\n"
            "time.sleep(60)\n"
        )
        is_up = (tmp_path / name).exists
        group.start(Part(name=name, command=[sys.executable, "-c", code], is_up=is_up))
    group.stop()
    assert lines(log) == ["b", "a"]
