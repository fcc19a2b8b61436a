"""Each thing that is wanted otherwise is one sentence; what resolves to the same is none."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from deployments.diffing.facts import RevisionFacts
from deployments.diffing.words import intent_words, sentences
from providers.contract.overrides import merged_engine_args, parse_overrides, resolve_scaling
from providers.contract.template import parse_spec
from providers.testing.samples import spec_with

PODS = {"type": "pods", "name": "num_requests_running", "target": 20}
SOURCE = {"type": "huggingface", "uri": "Qwen/Qwen3-8B"}


def facts(
    overrides: Mapping[str, object] | None = None, version: str = "1.0.0", **parts: object
) -> RevisionFacts:
    document = spec_with(engine_args={"max_model_len": "8192"}, **parts)
    spec, given = parse_spec(document), parse_overrides(overrides or {})
    return RevisionFacts(
        template="chat",
        template_version=version,
        spec=document,
        source=SOURCE,
        serving_name="qwen3-8b",
        scaling=resolve_scaling(spec, given),
        rollout="surge",
        overrides=given.as_document(),
        engine_args=merged_engine_args(spec, given),
        enable_multi_lora=bool(given.enable_multi_lora),
    )


def told(before: RevisionFacts, after: RevisionFacts) -> tuple[str, ...]:
    return sentences(intent_words(before, after))


AUTOSCALED = {"enable_auto_scaling": True, "max_replicas": 3}
CASES: dict[str, tuple[RevisionFacts, tuple[str, ...]]] = {
    "nothing": (facts(), ()),
    "a default written out": (facts(parallelism={"tp": 1}), ()),
    "an argument": (
        facts({"engine_args": {"max_model_len": "16384"}}),
        ("max_model_len: 8192 → 16384",),
    ),
    "an argument that is new": (
        facts({"engine_args": {"dtype": "half"}}),
        ("dtype: none → half",),
    ),
    "the template's own value as an override": (
        facts({"engine_args": {"max_model_len": "8192"}}),
        ("max_model_len: stays 8192, and is an override from now on",),
    ),
    "more replicas": (facts({"min_replicas": 2}), ("Replicas: 1 → 2",)),
    "autoscaling": (facts(AUTOSCALED), ("Replicas: 1 → 1 to 3, autoscaled on cpu",)),
    "autoscaling on a metric": (
        facts(AUTOSCALED, scaling_defaults={"metric": PODS}),
        ("Replicas: 1 → 1 to 3, autoscaled on num_requests_running 20",),
    ),
    "autoscaling on a share": (
        facts(AUTOSCALED, scaling_defaults={"metric": {"type": "cpu", "target": 70}}),
        ("Replicas: 1 → 1 to 3, autoscaled on cpu 70 %",),
    ),
    "adapters": (facts({"enable_multi_lora": True}), ("Several LoRA adapters: off → on",)),
    "another version of the template": (
        facts(version="1.1.0", engine={"image": "example.org/vllm:2"}),
        (
            "Template chat: 1.0.0 → 1.1.0",
            "Engine image: docker.io/aibrix/vllm-mock:v0.3.0 → example.org/vllm:2",
        ),
    ),
    "what only bounds": (facts(overridable={"engine_args.max_model_len": {"max": 9}}), ()),
    "a variable of the environment": (
        facts(engine={"env": {"OMP_NUM_THREADS": "4"}}),
        ("Environment variable OMP_NUM_THREADS: none → 4",),
    ),
    "another model version": (
        replace(
            facts({"model_version": "v2"}),
            source={**SOURCE, "revision": "v2"},
            serving_name="qwen3-8b-v2",
        ),
        (
            "Model version: none → v2",
            "Served as: qwen3-8b → qwen3-8b-v2",
            "Revision of the model files: none → v2",
        ),
    ),
    "another rollout": (replace(facts(), rollout="replace"), ("Rollout: surge → replace",)),
    "a stop": (replace(facts(), stopped=True), ("Runs → stopped",)),
    "a restart": (replace(facts(), restart="1"), ("Every pod is restarted",)),
}


@pytest.mark.parametrize("case", CASES)
def test_what_is_wanted_otherwise_is_said_in_words(case: str) -> None:
    after, expected = CASES[case]

    assert told(facts(), after) == expected


def test_a_start_is_said_as_such() -> None:
    assert told(replace(facts(), stopped=True), facts()) == ("Stopped → runs",)


def test_an_override_that_is_taken_back_to_the_same_value_is_told() -> None:
    before = facts({"engine_args": {"max_model_len": "8192"}})

    assert told(before, facts()) == (
        "max_model_len: stays 8192, and follows the template from now on",
    )


def test_what_counts_only_once_it_runs_again_is_told() -> None:
    before, after = (
        replace(facts({"min_replicas": count}), scaling=facts({"min_replicas": 0}).scaling)
        for count in (2, 3)
    )

    assert told(before, after) == ("Replicas, at least: 2 → 3",)


def test_a_stop_says_nothing_of_replicas() -> None:
    after = replace(facts(), stopped=True, scaling=facts({"min_replicas": 0}).scaling)

    assert told(facts(), after) == ("Runs → stopped",)


def test_the_mark_of_an_earlier_restart_is_no_restart() -> None:
    marked = replace(facts(), restart="1")

    assert told(marked, marked) == ()


def test_a_secret_is_told_as_changed_and_not_shown() -> None:
    before, after = (
        replace(facts(), engine_args={"api_key": text}) for text in ("first-value", "other-value")
    )
    (change,) = intent_words(before, after)

    assert change.sentence == "api_key: another one, which is not shown"
    assert (change.before, change.after) == ("[masked]", "[masked]")
