from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from celery import Celery
from django.conf import LazySettings

from console.alive import EVERY_SECONDS, Scheduler, TellsAlive
from console.celery import app


class Worker:
    """As much of a worker as a step is given: its timer, which only remembers here."""

    def __init__(self) -> None:
        self.timer = self
        self.calls: list[tuple[float, Callable[[str], None], tuple[str]]] = []

    def call_repeatedly(
        self, seconds: float, call: Callable[[str], None], arguments: tuple[str]
    ) -> None:
        self.calls.append((seconds, call, arguments))


@pytest.fixture
def folder(settings: LazySettings, tmp_path: Path) -> Path:
    settings.VAR_DIR = tmp_path
    return tmp_path


def test_a_worker_tells_at_its_start_and_then_as_often_as_its_loop_turns(folder: Path) -> None:
    worker = Worker()
    TellsAlive(worker).start(worker)
    assert (folder / "worker.alive").exists()
    (folder / "worker.alive").unlink()

    ((seconds, call, arguments),) = worker.calls
    call(*arguments)

    assert seconds == EVERY_SECONDS
    assert (folder / "worker.alive").exists()


def test_the_clock_tells_with_every_tick(folder: Path) -> None:
    scheduler = Scheduler(
        app=Celery("clock", set_as_current=False), schedule_filename=str(folder / "schedule")
    )
    try:
        scheduler.tick()
    finally:
        scheduler.close()
    assert (folder / "beat.alive").exists()


def test_worker_and_clock_of_the_console_are_those_that_tell() -> None:
    assert TellsAlive in app.steps["worker"]
    assert app.conf.beat_scheduler == "console.alive:Scheduler"


def test_what_never_ran_is_due_at_once_and_then_at_its_interval(folder: Path) -> None:
    clock = Celery("clock", broker="memory://", set_as_current=False)
    clock.conf.beat_schedule = {"turn": {"task": "turn", "schedule": 3600.0}}
    sent: list[str] = []

    class Noting(Scheduler):
        def apply_async(self, entry: Any, **_kwargs: Any) -> None:
            sent.append(entry.name)

    for _ in range(2):
        scheduler = Noting(app=clock, schedule_filename=str(folder / "schedule"), lazy=False)
        try:
            scheduler.tick()
            scheduler.tick()
        finally:
            scheduler.close()
        assert sent == ["turn"], "the second start reads when it ran last"


def test_a_clock_that_was_set_back_lets_its_turns_come_at_once(folder: Path) -> None:
    clock = Celery("clock", broker="memory://", set_as_current=False)
    clock.conf.beat_schedule = {
        "seldom": {"task": "seldom", "schedule": 3600.0},
        "often": {"task": "often", "schedule": 10.0},
    }
    sent: list[str] = []

    class Noting(Scheduler):
        def apply_async(self, entry: Any, **_kwargs: Any) -> None:
            sent.append(entry.name)

    scheduler = Noting(app=clock, schedule_filename=str(folder / "schedule"), lazy=False)
    try:
        for _ in range(3):
            scheduler.tick()
        for entry in scheduler.schedule.values():
            entry.last_run_at += timedelta(hours=3)
        sent.clear()
        waits = [scheduler.tick() for _ in range(3)]
    finally:
        scheduler.close()
    assert sorted(sent) == ["often", "seldom"]
    assert 0 < waits[-1] <= 10
