"""The table of simulated failures: each word, what it takes and what a pod then shows.

The stand-in kubelet of the test clusters and the simulated cluster both read it, so that a word
means the same everywhere. A container names its word in the environment variable
`SLIPWAY_SIMULATE`, a whole namespace in the annotation `slipway.dev/simulate`. Nothing here knows
pods in time, nor any cluster.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from providers.contract.manifest import Manifest

ENVIRONMENT_VARIABLE = "SLIPWAY_SIMULATE"
NAMESPACE_ANNOTATION = "slipway.dev/simulate"
# More of it than any node has: the scheduler then refuses the pod in its own words.
UNSCHEDULABLE_ACCELERATORS = 1_000_000
LONGEST_SECONDS = 86_400.0


class Word(StrEnum):
    """What can be asked for; `NONE` is a container that loads at once and stays well."""

    NONE = ""
    IMAGE_NOT_FOUND = "image-not-found"
    UNAUTHORIZED = "unauthorized"
    CRASH = "crash"
    OOM = "oom"
    SLOW_LOAD = "slow-load"
    SLOW_STOP = "slow-stop"
    NEVER_READY = "never-ready"
    EVICT = "evict"
    UNSCHEDULABLE = "unschedulable"


@dataclass(frozen=True, kw_only=True, slots=True)
class Promise:
    """What a word promises; `seconds` is its default, None where the word takes no number."""

    shows: str
    seconds: float | None = None
    needs_seconds: bool = False


PROMISES: Mapping[Word, Promise] = MappingProxyType(
    {
        Word.NONE: Promise(shows="Running and Ready at once"),
        Word.IMAGE_NOT_FOUND: Promise(shows="ErrImagePull, then ImagePullBackOff: not found"),
        Word.UNAUTHORIZED: Promise(shows="ErrImagePull, then ImagePullBackOff: pull access denied"),
        Word.CRASH: Promise(shows="exit 1 again and again, CrashLoopBackOff"),
        Word.OOM: Promise(shows="OOMKilled with exit 137 while loading, CrashLoopBackOff"),
        Word.SLOW_LOAD: Promise(
            shows="Ready after SECONDS; killed by its startup probe when that is past the budget",
            needs_seconds=True,
        ),
        Word.SLOW_STOP: Promise(shows="Terminating for SECONDS", needs_seconds=True),
        Word.NEVER_READY: Promise(shows="Running and started, readiness fails with 503"),
        Word.EVICT: Promise(
            shows="Ready, then Failed with reason Evicted after SECONDS", seconds=2.0
        ),
        Word.UNSCHEDULABLE: Promise(shows="Pending, PodScheduled=False, Unschedulable"),
    }
)


class UnknownSimulationError(ValueError):
    """A word that is not in the table, or one with a number it cannot use."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Simulation:
    """One parsed word; `seconds` is 0 where the word takes none."""

    word: Word = Word.NONE
    seconds: float = 0.0

    def __str__(self) -> str:
        """Return the text that parses to this simulation."""
        if PROMISES[self.word].seconds is None and not PROMISES[self.word].needs_seconds:
            return self.word.value
        return f"{self.word.value}:{self.seconds:g}"


HEALTHY = Simulation()


def parse_simulation(text: str) -> Simulation:
    """Return what `word` or `word:seconds` asks for; raise UnknownSimulationError otherwise."""
    name, colon, number = text.strip().partition(":")
    try:
        word = Word(name)
    except ValueError:
        known = ", ".join(word.value for word in Word if word)
        message = f"{ENVIRONMENT_VARIABLE}: unknown word {name!r}; use one of {known}"
        raise UnknownSimulationError(message) from None
    return Simulation(word=word, seconds=_seconds_of(word, number if colon else None))


def _seconds_of(word: Word, number: str | None) -> float:
    promise = PROMISES[word]
    if number is None:
        if promise.needs_seconds:
            message = f"{ENVIRONMENT_VARIABLE}: {word.value} needs seconds, as in {word.value}:5"
            raise UnknownSimulationError(message)
        return promise.seconds or 0.0
    if promise.seconds is None and not promise.needs_seconds:
        message = f"{ENVIRONMENT_VARIABLE}: {word.value} takes no number"
        raise UnknownSimulationError(message)
    return _number(word, number)


def _number(word: Word, number: str) -> float:
    try:
        seconds = float(number)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds <= LONGEST_SECONDS:
        allowed = f"0 to {LONGEST_SECONDS:g} seconds"
        message = f"{ENVIRONMENT_VARIABLE}: {word.value} takes {allowed}, not {number!r}"
        raise UnknownSimulationError(message)
    return seconds


def simulation_of(container: Manifest, annotations: Mapping[str, str]) -> Simulation:
    """Return what a container asks for, else what the annotations of its namespace do."""
    for variable in container.get("env") or []:
        if variable.get("name") == ENVIRONMENT_VARIABLE:
            return parse_simulation(variable.get("value") or "")
    return parse_simulation(annotations.get(NAMESPACE_ANNOTATION) or "")


def read_words(
    pod: Manifest, annotations: Mapping[str, str]
) -> tuple[Mapping[str, Simulation], Mapping[str, str]]:
    """Return each container's simulation, and the mistakes in words that nobody knows."""
    simulations, mistakes = {}, {}
    inits = pod["spec"].get("initContainers") or ()
    for container in (*inits, *pod["spec"]["containers"]):
        inherited = {} if container in inits else annotations
        try:
            simulations[container["name"]] = simulation_of(container, inherited)
        except UnknownSimulationError as error:
            simulations[container["name"]] = HEALTHY
            mistakes[container["name"]] = str(error)
    return simulations, mistakes


def image_not_found_error(image: str) -> str:
    """Return what containerd answers for a tag that the registry does not have."""
    return f"rpc error: code = NotFound desc = {_unresolved(image)}: {image}: not found"


def unauthorized_error(image: str) -> str:
    """Return what containerd answers for a repository that is private or does not exist."""
    return (
        f"rpc error: code = Unknown desc = {_unresolved(image)}: pull access denied, "
        "repository does not exist or may require authorization: "
        "server message: insufficient_scope: authorization failed"
    )


def _unresolved(image: str) -> str:
    return f'failed to pull and unpack image "{image}": failed to resolve reference "{image}"'
