"""Laws that hold whatever a template says: one flag once, no order, whole long flags."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from providers.contract.overrides import Overrides, resolve_scaling
from providers.contract.request import DeployRequest, Rollout
from providers.contract.template import TemplateSpec, parse_spec
from providers.engines import (
    Weight,
    llamacpp_table,
    render_launch,
    review_spec,
    sglang_table,
    vllm_table,
)
from providers.engines.dialect import Dialect

DIALECTS: Mapping[str, tuple[Dialect, ...]] = {
    "vllm": vllm_table.DIALECTS,
    "sglang": sglang_table.DIALECTS,
    "llamacpp": llamacpp_table.DIALECTS,
}
EVERY_FLAG = sorted(
    {flag for table in DIALECTS.values() for dialect in table for flag in dialect.flags}
)
KEYS = st.sampled_from([flag.replace("-", "_") for flag in EVERY_FLAG]) | st.from_regex(
    r"[a-z][a-z_]{0,20}[a-z]", fullmatch=True
)
VALUES = st.sampled_from(["true", "false", "1", "8", "8k", "auto", "0.9", "{}", "x y", "-1", ""])
WORDS = st.lists(
    st.sampled_from([f"--{flag}" for flag in EVERY_FLAG]) | st.sampled_from(["x", "-1", "--a=b"]),
    max_size=4,
)
ENGINES = st.sampled_from([(kind, item.version) for kind in DIALECTS for item in DIALECTS[kind]])


def spec_of(engine: tuple[str, str], args: Mapping[str, str], words: list[str]) -> TemplateSpec:
    kind, version = engine
    document: dict[str, Any] = {
        "engine": {"type": kind, "version": version, "serve_args": words},
        "model_source": {"type": "huggingface", "uri": "a/b"},
        "accelerator": {"type": "H100"},
        "engine_args": dict(args),
    }
    return parse_spec(document)


def args_of(spec: TemplateSpec, args: Mapping[str, str] | None = None) -> tuple[str, ...]:
    request = DeployRequest(
        id="1",
        name="a",
        runtime_name="a",
        namespace="n",
        spec=spec,
        source=spec.model_source,
        serving_name="a",
        scaling=resolve_scaling(spec, Overrides()),
        rollout=Rollout.SURGE,
        engine_args=spec.engine_args if args is None else args,
    )
    return render_launch(request, port=8000).args


def names_of(words: tuple[str, ...]) -> list[str]:
    flags = [word.partition("=")[0] for word in words if word.startswith("--")]
    return [flag.replace("--no-", "--") for flag in flags]


@given(engine=ENGINES, args=st.dictionaries(KEYS, VALUES, max_size=6), words=WORDS)
@settings(max_examples=200, deadline=None)
def test_no_flag_of_ours_is_rendered_twice(
    engine: tuple[str, str], args: dict[str, str], words: list[str]
) -> None:
    rendered = args_of(spec_of(engine, args, words))
    theirs = names_of(tuple(words))
    ours = [name for name in names_of(rendered) if name not in theirs]
    assert len(ours) == len(set(ours))
    for name in set(theirs):
        assert names_of(rendered).count(name) <= theirs.count(name)


@given(engine=ENGINES, args=st.dictionaries(KEYS, VALUES, max_size=6))
@settings(max_examples=100, deadline=None)
def test_the_order_of_arguments_in_the_template_does_not_matter(
    engine: tuple[str, str], args: dict[str, str]
) -> None:
    spec = spec_of(engine, args, [])
    backwards = dict(sorted(spec.engine_args.items(), reverse=True))
    assert args_of(spec) == args_of(spec, backwards)


@pytest.mark.parametrize("kind", ["vllm", "sglang"])
@given(args=st.dictionaries(KEYS, VALUES, max_size=6))
@settings(max_examples=100, deadline=None)
def test_every_word_is_a_whole_long_flag(kind: str, args: dict[str, str]) -> None:
    for dialect in DIALECTS[kind]:
        for word in args_of(spec_of((kind, dialect.version), args, [])):
            assert word.startswith("--")
            assert "_" not in word.partition("=")[0].partition(".")[0]


@given(engine=ENGINES, args=st.dictionaries(KEYS, VALUES, max_size=3), words=WORDS)
@settings(max_examples=200, deadline=None)
def test_whatever_is_rendered_besides_known_flags_was_warned_of(
    engine: tuple[str, str], args: dict[str, str], words: list[str]
) -> None:
    spec = spec_of(engine, args, words)
    kind, version = engine
    dialect = next(item for item in DIALECTS[kind] if item.version == version)
    found = review_spec(spec, source=spec.model_source, serving_name="a")
    warned = " ".join(item.message for item in found if item.weight is Weight.WARN)
    for name in names_of(args_of(spec)):
        head = name.removeprefix("--").partition(".")[0]
        assert head in dialect.flags or f"no-{head}" in dialect.flags or f"--{head}" in warned


@given(engine=ENGINES, word=st.sampled_from([f"--{flag}" for flag in EVERY_FLAG]))
@settings(max_examples=100, deadline=None)
def test_a_word_that_is_refused_is_not_rendered(engine: tuple[str, str], word: str) -> None:
    spec = spec_of(engine, {}, [word, "secret-value"])
    found = review_spec(spec, source=spec.model_source, serving_name="a")
    refused = any(item.weight is Weight.REFUSE for item in found)
    assert ("secret-value" in args_of(spec)) is not refused
