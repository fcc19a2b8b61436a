"""What the page of a deployment says beyond the verdict: next steps, progress, requests, YAML."""

import ast
import json
import re
import shlex
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from console.web.shown.manifests import line_of, show_manifests
from console.web.shown.next_steps import NEXT_STEPS, next_step_of
from console.web.shown.progress import STEPS, loading_of, steps_of
from console.web.shown.requests import CHAT, COMPLETIONS, EMBEDDINGS, sample_of
from providers.contract.manifest import Manifest
from providers.contract.protocols import Endpoint
from providers.contract.status import PHASES, Phase, Status

CASES = Path(__file__).parents[2] / "objects"
# The sentence alone says it: replicas are missing for the moment.
AT_EASE = {("PartlyReady", Phase.DEGRADED)}


def verdicts() -> Iterator[tuple[str, str]]:
    for case in sorted(CASES.rglob("*.yaml")):
        yield from re.findall(r"(?m)^expect:\n  phase: (\w+)\n  reason: (\w+)", case.read_text())


def test_every_fault_that_the_status_table_knows_has_a_next_step() -> None:
    faults = {(reason, Phase(phase)) for phase, reason in verdicts()} - AT_EASE
    faults = {fault for fault in faults if fault[1] in {Phase.FAILED, Phase.DEGRADED}}
    assert len(faults) > 40
    assert {fault for fault in faults if not next_step_of(*fault)} == set()


def test_what_is_well_or_on_its_way_asks_nobody_to_do_anything() -> None:
    for reason in ("Available", "LoadingModel", "Pulling", "Starting", "ScaledToZero", "", "Odd"):
        assert next_step_of(reason, Phase.DEPLOYING) == ""
    assert next_step_of("Pulling", Phase.FAILED)


def test_a_right_that_was_lost_is_somebodys_to_give_back_whatever_the_phase_was() -> None:
    assert "give the console the right" in next_step_of("Forbidden", Phase.READY)


def test_a_webhook_that_is_away_holds_pods_up_or_lets_them_through_without_its_part() -> None:
    step = next_step_of("WebhookUnavailable", Phase.DEGRADED)
    assert "made by itself" in step
    assert "made without it have to be restarted" in step


def test_next_steps_are_sentences() -> None:
    wrong = [r for r, step in NEXT_STEPS.items() if not step.endswith(".") or "  " in step]
    assert wrong == []


def status(phase: Phase, reason: str, *, once_full: bool = False) -> Status:
    return Status(phase=phase, reason=reason, message="", once_full=once_full)


@pytest.mark.parametrize(
    ("phase", "reason", "current"),
    [
        (Phase.DEPLOYING, "ApplyPending", "Sent"),
        (Phase.DEPLOYING, "InsufficientAccelerator", "Placed"),
        (Phase.DEPLOYING, "Pulling", "Started"),
        (Phase.DEPLOYING, "LoadingModel", "Loaded"),
        (Phase.FAILED, "ImageNotFound", "Started"),
        (Phase.FAILED, "OutOfMemory", "Loaded"),
        (Phase.FAILED, "QuotaExceeded", "Sent"),
    ],
)
def test_a_reason_tells_how_far_a_launch_has_come(phase: Phase, reason: str, current: str) -> None:
    steps = steps_of(status(phase, reason))
    at = STEPS.index(current)
    assert [step.label for step in steps] == list(STEPS)
    assert [step.state for step in steps] == ["done"] * at + ["current"] + ["ahead"] * (4 - at)
    assert steps[at].look == PHASES[phase]


@pytest.mark.parametrize(
    "verdict",
    [
        status(Phase.READY, "Available"),
        status(Phase.DEPLOYING, "Unknown"),
        status(Phase.FAILED, "OutOfMemory", once_full=True),
        status(Phase.DEGRADED, "ImageNotFound"),
        status(Phase.DELETING, "WaitingForPods"),
    ],
)
def test_what_has_answered_or_is_in_doubt_shows_no_way(verdict: Status) -> None:
    assert steps_of(verdict) == ()


def test_loading_is_measured_against_what_is_allowed_and_is_never_below_zero() -> None:
    now, loading = datetime(2026, 11, 30, tzinfo=UTC), status(Phase.DEPLOYING, "LoadingModel")
    spent = loading_of(loading, since=now - timedelta(seconds=90), allowed=900, now=now)
    assert spent
    assert (spent.spent, spent.allowed, spent.allowed_text) == (90, 900, "15 min")
    ahead = loading_of(loading, since=now + timedelta(seconds=5), allowed=60, now=now)
    assert ahead
    assert (ahead.spent, ahead.allowed_text) == (0, "60 s")
    assert loading_of(loading, since=None, allowed=900, now=now) is None
    assert loading_of(status(Phase.READY, "Available"), since=now, allowed=900, now=now) is None


INSIDE = Endpoint(url="http://qwen.models.svc:8000")


def test_an_outside_address_is_asked_rather_than_the_one_inside() -> None:
    both = Endpoint(url=INSIDE.url, external_url="http://203.0.113.7:8000/")
    outside = sample_of(both, serving_name="qwen", supported=[])
    inside = sample_of(INSIDE, serving_name="qwen", supported=[])
    assert outside
    assert inside
    assert outside.address == f"http://203.0.113.7:8000{CHAT}"
    assert (outside.is_inside, inside.is_inside) == (False, True)


@pytest.mark.parametrize(
    ("supported", "path"),
    [
        ([], CHAT),
        ([EMBEDDINGS], EMBEDDINGS),
        ([EMBEDDINGS, CHAT], CHAT),
        (["/v1/completions"], "/v1/completions"),
    ],
)
def test_the_request_is_for_what_the_template_serves(supported: list[str], path: str) -> None:
    sample = sample_of(INSIDE, serving_name="qwen", supported=supported)
    assert sample
    assert sample.address == f"{INSIDE.url}{path}"


def test_without_an_address_or_a_known_path_there_is_no_request() -> None:
    assert sample_of(Endpoint(), serving_name="qwen", supported=[]) is None
    assert sample_of(INSIDE, serving_name="qwen", supported=["/v1/rerank"]) is None


@given(name=st.text(min_size=1))
def test_a_shell_reads_the_serving_name_as_it_is(name: str) -> None:
    sample = sample_of(INSIDE, serving_name=name, supported=[])
    assert sample
    words = shlex.split(sample.command)
    assert words[:2] == ["curl", sample.address]
    assert json.loads(words[-1])["model"] == name


@pytest.mark.parametrize(
    ("supported", "asked"),
    [
        ([CHAT], ("chat.completions", "choices[0].message.content", {"messages", "max_tokens"})),
        ([COMPLETIONS], ("completions", "choices[0].text", {"prompt", "max_tokens"})),
        ([EMBEDDINGS], ("embeddings", "data[0].embedding", {"input"})),
    ],
)
def test_the_python_sample_calls_what_the_template_serves(
    supported: list[str], asked: tuple[str, str, set[str]]
) -> None:
    sample = sample_of(INSIDE, serving_name="qwen", supported=supported)
    assert sample
    _, made, answer, told = ast.parse(sample.python).body
    assert isinstance(answer, ast.Assign)
    assert isinstance(answer.value, ast.Call)
    resource, answered, arguments = asked
    assert f"base_url='{INSIDE.url}/v1'" in ast.unparse(made)
    assert ast.unparse(answer.value.func) == f"client.{resource}.create"
    assert {one.arg for one in answer.value.keywords} == {"model", *arguments}
    assert ast.unparse(told) == f"print(answer.{answered})"


@given(name=st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_python_reads_the_serving_name_as_it_is(name: str) -> None:
    sample = sample_of(INSIDE, serving_name=name, supported=[])
    assert sample
    strings = [one.value for one in ast.walk(ast.parse(sample.python)) if type(one) is ast.Constant]
    assert name in strings


@given(
    body=st.recursive(
        st.text() | st.integers() | st.booleans() | st.none(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=8,
    )
)
@settings(max_examples=40)
def test_the_lines_of_a_manifest_are_its_yaml_again(body: object) -> None:
    manifest = {"kind": "Thing", "metadata": {"name": "one"}, "spec": body}
    (shown,) = show_manifests([manifest])
    text = "\n".join(f"{line.before}{line.key}{line.rest}" for line in shown.lines)
    assert YAML(typ="safe").load(text) == manifest
    assert (shown.kind, shown.name) == ("Thing", "one")


def _marked(manifests: list[Manifest], plain: list[Manifest]) -> list[str]:
    return [
        f"{line.before}{line.key}{line.rest}".strip()
        for shown in show_manifests(manifests, plain)
        for line in shown.lines
        if line.is_overridden
    ]


def test_lines_that_the_template_alone_would_not_have_said_are_marked() -> None:
    def workload(replicas: int, *args: str) -> Manifest:
        note = {"slipway.dev/digest": f"digest-of-{replicas}"}
        return {
            "kind": "Deployment",
            "metadata": {"name": "one", "annotations": note},
            "spec": {"replicas": replicas, "args": list(args)},
        }

    plain = workload(1, "--port=8000", "--seed=1")
    mine = workload(2, "--port=8000", "--max-model-len=4096", "--seed=1")
    assert _marked([mine], [plain]) == ['- "--max-model-len=4096"', "replicas: 2"]
    assert _marked([plain], [plain]) == []


def test_an_object_that_only_the_overrides_ask_for_is_marked_as_a_whole() -> None:
    service: Manifest = {"kind": "Service", "metadata": {"name": "one"}}
    scaler: Manifest = {"kind": "HorizontalPodAutoscaler", "metadata": {"name": "one"}}
    first, second = show_manifests([service, scaler], [service])
    assert first.overridden == 0
    assert second.overridden == len(second.lines)


def test_nothing_is_marked_where_there_is_nothing_to_compare_with() -> None:
    assert _marked([{"kind": "Service", "metadata": {"name": "one"}}], []) == []


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("kind: Deployment", "kind"),
        ("  - name: http", "name"),
        ("    slipway.dev/id: x", "slipway.dev/id"),
        ('  "yes": 1', '"yes"'),
        ("  emptyDir: {}", "emptyDir"),
        ('  - "--port: 1"', ""),
        ("  - http://x:1", ""),
        ("  plain text", ""),
    ],
)
def test_only_the_key_of_a_line_is_told_apart(text: str, key: str) -> None:
    line = line_of(text)
    assert line.key == key
    assert f"{line.before}{line.key}{line.rest}" == text
