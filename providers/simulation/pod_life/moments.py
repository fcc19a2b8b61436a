"""What can be seen of one container at one moment, and how a row of moments is played up to now.

A timeline is an endless iterator of frames and happenings in order of their seconds since the
start.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum


class State(StrEnum):
    """The three states of a container in Kubernetes."""

    WAITING = "waiting"
    RUNNING = "running"
    TERMINATED = "terminated"


@dataclass(frozen=True, kw_only=True, slots=True)
class Frame:
    """How a container looks from `at` on; times are seconds since the timeline's start."""

    at: float
    state: State
    reason: str = ""
    message: str = ""
    exit_code: int = 0
    began: float = 0.0
    restarts: int = 0
    started: bool = False
    ready: bool = False
    last: "Frame | None" = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Happening:
    """One event about a container; `count` and `first` come from folding equal ones."""

    at: float
    reason: str
    message: str
    type: str = "Normal"
    container: str = ""
    init: bool = False
    count: int = 1
    first: float = 0.0

    @property
    def key(self) -> tuple[str, str, str]:
        """What makes two events the same one for a reader."""
        return (self.container, self.reason, self.message)


Moment = Frame | Happening
Timeline = Iterator[Moment]


@dataclass(frozen=True, kw_only=True, slots=True)
class Played:
    """A timeline up to now: the frame that holds, what happened, and when to look again."""

    frame: Frame
    happenings: tuple[Happening, ...]
    next_at: float | None


def play(timeline: Iterable[Moment], *, elapsed: float) -> Played:
    """Return where a timeline stands after `elapsed` seconds."""
    frame = Frame(at=0.0, state=State.WAITING, reason="ContainerCreating")
    happenings: list[Happening] = []
    next_at: float | None = None
    for moment in timeline:
        if moment.at > elapsed:
            next_at = moment.at
            break
        if isinstance(moment, Frame):
            frame = moment
        else:
            happenings.append(moment)
    return Played(frame=frame, happenings=fold(happenings), next_at=next_at)


def fold(happenings: Iterable[Happening]) -> tuple[Happening, ...]:
    """Return equal happenings as one with a count, in order of their first time."""
    folded: dict[tuple[str, str, str], Happening] = {}
    for happening in happenings:
        known = folded.get(happening.key)
        first, count = (known.first, known.count + 1) if known else (happening.at, 1)
        folded[happening.key] = replace(happening, first=first, count=count)
    return tuple(folded.values())


def shift(timeline: Iterable[Moment], *, seconds: float) -> Timeline:
    """Return the timeline as if it had begun `seconds` later."""
    for moment in timeline:
        yield (
            _shifted_frame(moment, seconds)
            if isinstance(moment, Frame)
            else replace(moment, at=moment.at + seconds)
        )


def _shifted_frame(frame: Frame, seconds: float) -> Frame:
    last = _shifted_frame(frame.last, seconds) if frame.last else None
    return replace(frame, at=frame.at + seconds, began=frame.began + seconds, last=last)
