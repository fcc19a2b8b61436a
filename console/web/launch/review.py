"""The last step in words: what will happen, and every check with its cure."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from console.web.launch.fields import label_of
from console.web.launch.state import LaunchState
from console.web.launch.steps import form_field, step, step_of, url_of
from console.web.shown.figures import in_minutes
from console.web.shown.templates import engine_of, needs_of
from providers.contract.checks import Check, Result
from providers.contract.manifest import digest_of
from providers.contract.overrides import Scaling
from providers.contract.request import DeployRequest

_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@dataclass(frozen=True, kw_only=True, slots=True)
class ResultLook:
    """How a result is shown: word, tone, icon; the order of these is that of the page."""

    word: str
    tone: str
    icon: str


RESULT_LOOKS: Mapping[Result, ResultLook] = {
    Result.FAIL: ResultLook(word="Fail", tone="fail", icon="octagon-x"),
    Result.WARN: ResultLook(word="Warning", tone="warn", icon="triangle-alert"),
    Result.UNKNOWN: ResultLook(word="Unknown", tone="idle", icon="circle-question-mark"),
    Result.PASS: ResultLook(word="Pass", tone="ok", icon="circle-check"),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownCheck:
    """One check; `cure_url` leads to the step that changes it, `key` is what a tick answers."""

    check: Check
    label: str
    look: ResultLook
    key: str
    cure: str
    cure_url: str
    is_ticked: bool = False

    @property
    def message(self) -> str:
        """Return what was found as a sentence."""
        text = self.check.message
        return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '?', '!')) else '.'}"

    @property
    def asks(self) -> bool:
        """Tell whether a person must tick it before a launch."""
        return self.check.result is Result.WARN


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownChecks:
    """All checks: those that want to be read, and those that passed."""

    open: tuple[ShownCheck, ...]
    passed: tuple[ShownCheck, ...]
    counts: str

    @property
    def passed_labels(self) -> str:
        """Return what passed in a few words, each once."""
        return ", ".join(dict.fromkeys(one.label.lower() for one in self.passed))

    @property
    def failed(self) -> tuple[ShownCheck, ...]:
        return tuple(one for one in self.open if one.check.result is Result.FAIL)

    @property
    def warnings(self) -> tuple[ShownCheck, ...]:
        return tuple(one for one in self.open if one.asks)


@dataclass(frozen=True, kw_only=True, slots=True)
class Sentences:
    """Pieces of the sentence about what will happen."""

    replicas: str
    starts: str
    engine: str
    needs: str
    growth: str
    budget: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Cure:
    """The way to what cures a check: its words and its address."""

    words: str
    url: str


def show_checks(
    checks: Iterable[Check], cure_of: Callable[[str], Cure], ticked: frozenset[str]
) -> ShownChecks:
    """Return the checks, the weightiest first; each once, however many rooms said it.

    `cure_of` answers for the path of a field.
    """
    shown = [_shown(check, cure_of(check.field), ticked) for check in dict.fromkeys(checks)]
    order = list(RESULT_LOOKS)
    shown.sort(key=lambda one: order.index(one.check.result))
    counts = {result: sum(one.check.result is result for one in shown) for result in order}
    words = {
        Result.FAIL: "failed",
        Result.WARN: "warning" if counts[Result.WARN] == 1 else "warnings",
        Result.UNKNOWN: "unknown",
        Result.PASS: "passed",
    }
    return ShownChecks(
        open=tuple(one for one in shown if one.check.result is not Result.PASS),
        passed=tuple(one for one in shown if one.check.result is Result.PASS),
        counts=", ".join(f"{counts[result]} {words[result]}" for result in order if counts[result]),
    )


def say_launch(request: DeployRequest) -> Sentences:
    """Put a launch into words."""
    low, spec = request.scaling.min_replicas, request.spec
    return Sentences(
        replicas="1 replica" if low == 1 else f"{low} replicas" if low else "No replica",
        starts="starts" if low <= 1 else "start",
        engine=engine_of(spec),
        needs=needs_of(spec),
        growth=_growth(request.scaling),
        budget=in_minutes(spec.engine.ready_timeout_seconds),
    )


def _growth(scaling: Scaling) -> str:
    if not scaling.has_autoscaler:
        return ""
    metric = scaling.metric
    what = metric.name if metric.type == "pods" else metric.type
    unit = "" if metric.type == "pods" else " %"
    passes = f"{what} passes {metric.target}{unit}" if metric.target else f"{what} is high"
    return f", and grow to {scaling.max_replicas} when {passes}"


def unticked(warned: Iterable[str], ticked: frozenset[str]) -> bool:
    """Tell whether a warning that was shown was not ticked."""
    return any(key not in ticked for key in warned)


def cure_in_flow(state: LaunchState, path: str) -> Cure:
    """Return the step of the launch that changes a field."""
    cured_by, name = step_of(path), form_field(path)
    anchor = f"#field-{name.replace('.', '-')}" if name and cured_by == "overrides" else ""
    return Cure(
        words=f"Change {label_of(name).lower()}" if anchor else step(cured_by).cure,
        url=f"{url_of(cured_by, state)}{anchor}",
    )


def _shown(check: Check, cure: Cure, ticked: frozenset[str]) -> ShownCheck:
    key = digest_of([check.code, check.message])
    label = _WORDS.sub(" ", check.code).replace("_", " ")
    return ShownCheck(
        check=check,
        label=f"{label[:1]}{label[1:].lower()}",
        look=RESULT_LOOKS[check.result],
        key=key,
        cure=cure.words,
        cure_url=cure.url,
        is_ticked=key in ticked,
    )
