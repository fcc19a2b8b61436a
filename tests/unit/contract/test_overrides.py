"""Overrides: read, held against their bounds, resolved."""

import pytest

from providers.contract.errors import InvalidRequest
from providers.contract.overrides import (
    check_overrides,
    chosen_strategy,
    merged_engine_args,
    parse_overrides,
    resolve_scaling,
)
from providers.contract.template import TemplateSpec, parse_spec
from providers.testing.samples import spec_with


def spec(**parts: object) -> TemplateSpec:
    return parse_spec(spec_with(**parts))


BOUNDED = {
    "min_replicas": {"max": 4},
    "region": {"values": ["EU", "US"]},
    "engine_args.max_model_len": {"min": 512, "max": 32768},
    "engine_args.dtype": {"values": ["auto", "half"]},
    "engine_args.flag": {"values": [True]},
}


def test_zero_is_zero_and_an_empty_string_is_not_given() -> None:
    given = parse_overrides({"min_replicas": 0, "region": "", "engine_args": {"a": "", "b": 0}})
    assert given.given() == {"min_replicas": 0, "engine_args.b": "0"}
    assert given.as_document() == {"min_replicas": 0, "engine_args": {"b": "0"}}


@pytest.mark.parametrize(
    ("document", "at"),
    [
        ({"min_replicas": -1}, "overrides.min_replicas"),
        ({"min_replicas": 1.5}, "overrides.min_replicas"),
        ({"min_replicas": "2"}, "overrides.min_replicas"),
        ({"min_replicas": True}, "overrides.min_replicas"),
        ({"min_replicas": 10**9}, "overrides.min_replicas"),
        ({"enable_auto_scaling": "yes"}, "overrides.enable_auto_scaling"),
        ({"rollout": "rolling"}, "overrides.rollout"),
        ({"image": "x"}, "overrides.image"),
        ({"engine_args": []}, "overrides.engine_args"),
        ({"engine_args": {"max-len": 1}}, "overrides.engine_args.max-len"),
        ([], "overrides"),
    ],
)
def test_what_has_the_wrong_form_is_named(document: object, at: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        parse_overrides(document)
    assert list(refused.value.fields) == [at]


@pytest.mark.parametrize(
    "document",
    [
        {"min_replicas": 4},
        {"max_replicas": 900},
        {"region": "EU", "enable_auto_scaling": False, "enable_multi_lora": True},
        {"engine_args": {"max_model_len": 32768, "dtype": "half", "flag": True}},
    ],
)
def test_what_is_within_bounds_passes(document: object) -> None:
    overrides = parse_overrides(document)
    check_overrides(overrides, spec(overridable=BOUNDED))
    assert overrides.as_document()


@pytest.mark.parametrize(
    ("document", "at", "says"),
    [
        ({"min_replicas": 5}, "overrides.min_replicas", "at most 4"),
        ({"region": "ASIA"}, "overrides.region", "one of EU, US"),
        (
            {"engine_args": {"max_model_len": "100000"}},
            "overrides.engine_args.max_model_len",
            "at most 32768",
        ),
        (
            {"engine_args": {"max_model_len": 511}},
            "overrides.engine_args.max_model_len",
            "at least 512",
        ),
        (
            {"engine_args": {"max_model_len": "8k"}},
            "overrides.engine_args.max_model_len",
            "a number",
        ),
        (
            {"engine_args": {"max_model_len": "nan"}},
            "overrides.engine_args.max_model_len",
            "a number",
        ),
        (
            {"engine_args": {"max_model_len": "inf"}},
            "overrides.engine_args.max_model_len",
            "a number",
        ),
        ({"engine_args": {"dtype": "float"}}, "overrides.engine_args.dtype", "one of auto, half"),
        ({"engine_args": {"seed": 1}}, "overrides.engine_args.seed", "does not allow"),
        ({"model_version": "v2"}, "overrides.model_version", "does not allow"),
    ],
)
def test_what_is_out_of_bounds_is_refused_by_name(document: object, at: str, says: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        check_overrides(parse_overrides(document), spec(overridable=BOUNDED))
    assert list(refused.value.fields) == [at]
    assert says in refused.value.fields[at][0]


def test_the_deployers_engine_arguments_come_on_top() -> None:
    merged = merged_engine_args(
        spec(engine_args={"a": 1, "b": 2}), parse_overrides({"engine_args": {"b": 3}})
    )
    assert merged == {"a": "1", "b": "3"}


@pytest.mark.parametrize(
    ("defaults", "overrides", "expected"),
    [
        ({}, {}, (1, 1, False)),
        ({"min_replicas": 2, "max_replicas": 5}, {}, (2, 2, False)),
        ({"min_replicas": 2}, {"min_replicas": 0}, (0, 0, False)),
        ({"max_replicas": 2}, {"min_replicas": 3}, (3, 3, False)),
        ({}, {"enable_auto_scaling": True, "max_replicas": 3}, (1, 3, True)),
        ({"max_replicas": 4, "enable_auto_scaling": True}, {"min_replicas": 4}, (4, 4, False)),
        (
            {"max_replicas": 4, "enable_auto_scaling": True},
            {"enable_auto_scaling": False},
            (1, 1, False),
        ),
    ],
)
def test_scaling_is_resolved(
    defaults: object, overrides: object, expected: tuple[int, int, bool]
) -> None:
    scaling = resolve_scaling(spec(scaling_defaults=defaults), parse_overrides(overrides))
    assert (scaling.min_replicas, scaling.max_replicas, scaling.has_autoscaler) == expected


@pytest.mark.parametrize(
    ("overrides", "at"),
    [
        ({"enable_auto_scaling": True}, "overrides.max_replicas"),
        (
            {"enable_auto_scaling": True, "min_replicas": 3, "max_replicas": 2},
            "overrides.max_replicas",
        ),
        (
            {"enable_auto_scaling": True, "min_replicas": 0, "max_replicas": 2},
            "overrides.min_replicas",
        ),
        ({"min_replicas": 3, "max_replicas": 2}, "overrides.max_replicas"),
    ],
)
def test_a_range_that_makes_no_sense_is_refused(overrides: object, at: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        resolve_scaling(spec(), parse_overrides(overrides))
    assert list(refused.value.fields) == [at]


def test_the_way_to_roll_out_is_the_deployers_word_else_the_templates() -> None:
    own = spec(rollout={"strategy": "surge"})
    assert chosen_strategy(own, parse_overrides({})) == "surge"
    assert chosen_strategy(own, parse_overrides({"rollout": ""})) == "surge"
    assert chosen_strategy(own, parse_overrides({"rollout": "auto"})) == "auto"


def test_the_way_to_roll_out_is_open_unless_the_template_bounds_it() -> None:
    given = parse_overrides({"rollout": "recreate"})
    check_overrides(given, spec())
    with pytest.raises(InvalidRequest) as refused:
        check_overrides(given, spec(overridable={"rollout": {"values": ["surge", "replace"]}}))
    assert refused.value.fields == {"overrides.rollout": ("must be one of surge, replace",)}
