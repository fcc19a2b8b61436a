"""A llama.cpp server on its way through the console: loaded, asked, measured, killed, removed; and
two that never start.
"""

from pathlib import Path

import pytest

from providers.contract.manifest import Manifest
from providers.engines.signatures import BY_CODE
from tests.cluster.waiting import wait_for
from tests.engine.installing import BROKEN
from tests.engine.journey import Journey, llamacpp_spec

pytestmark = pytest.mark.django_db(transaction=True)


def test_an_engine_is_told_to_load_until_it_answers(journey: Journey) -> None:
    journey.launch(llamacpp_spec())
    with journey.frozen():
        journey.wait_for_status("Deploying", "LoadingModel")
    journey.wait_for_status("Ready", "Available")

    *before, _ = journey.told
    assert {phase for phase, _ in before} == {"Deploying"}
    answer = journey.ask("Hello")
    assert answer["model"] == "gemma"
    assert answer["choices"][0]["message"]["content"]


def test_what_runs_is_the_command_line_that_the_template_renders(journey: Journey) -> None:
    journey.launch(llamacpp_spec())
    words = wait_for(lambda: journey.command_line, 60, "the engine runs")

    [container] = journey.pod["spec"]["containers"]
    assert words == ["/app/llama-server", *container["args"]]
    assert words[1:5] == ["--model", "/models/gemma3-270m.gguf", "--ctx-size", "1024"]


def test_a_running_engine_shows_its_own_log_and_load(journey: Journey) -> None:
    journey.launch(llamacpp_spec())
    journey.wait_for_status("Ready", "Available")
    used = journey.ask("Hello")["usage"]

    log = journey.log()
    assert "loading model '/models/gemma3-270m.gguf'" in log
    assert "listening on http://0.0.0.0:8000" in log
    [pod] = journey.metrics()["pods"]
    assert pod["values"]["prompt_tokens"] == used["prompt_tokens"]
    assert pod["values"]["generation_tokens"] == used["completion_tokens"] > 0


def test_a_killed_engine_comes_back_and_its_earlier_log_is_kept(journey: Journey) -> None:
    journey.launch(llamacpp_spec())
    journey.wait_for_status("Ready", "Available")
    first = journey.process_id
    journey.kill()
    with journey.frozen(after=first):
        sentence = journey.wait_for_status("Scaling", "ScalingUp")["message"]
    journey.wait_for_status("Ready", "Available")

    status = journey.container
    ended = status["lastState"]["terminated"]
    assert (status["restartCount"], ended["exitCode"], ended["reason"]) == (1, 137, "Error")
    assert journey.process_id not in {None, first}
    assert "listening on http://0.0.0.0:8000" in journey.log(previous="true")
    assert "starting again after container engine ended with code 137 (SIGKILL)" in sentence


def test_a_deleted_engine_has_ended_before_its_record_closes(journey: Journey) -> None:
    journey.launch(llamacpp_spec())
    number = wait_for(lambda: journey.process_id, 60, "the engine runs")
    journey.delete()

    assert not Path(f"/proc/{number}").exists()


@pytest.mark.parametrize(
    ("spec", "cause", "line"),
    [
        (llamacpp_spec(file=BROKEN), "ModelFileBroken", "failed to read key-value pairs"),
        (llamacpp_spec(magic="3"), "BadEngineArg", "error: invalid argument: --magic"),
    ],
    ids=["a broken file", "an argument it does not know"],
)
def test_an_engine_that_cannot_start_says_why_and_what_to_do(
    journey: Journey, spec: Manifest, cause: str, line: str
) -> None:
    journey.launch(spec)
    status = journey.wait_for_status("Failed", "CrashLoop", cause=cause)

    assert BY_CODE[cause].advice in status["message"]
    evidence = {item["reason"]: item["message"] for item in status["evidence"]}
    assert line in evidence[cause]
    assert journey.container["restartCount"] > 0
    wait_for(lambda: line in journey.log(), 30, "the log of a run that has come so far")
