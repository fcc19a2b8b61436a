"""Numbers and templates as people say them, as tables."""

from decimal import Decimal
from typing import Any

import pytest

from console.web.shown.figures import in_accelerators, in_minutes, in_short, in_tokens, in_unit
from console.web.shown.templates import engine_of, needs_of, show_template
from providers.contract.template import parse_spec
from templates_app.models import ModelDeploymentTemplate

CPU: dict[str, Any] = {"engine": {"type": "mock"}, "accelerator": {"type": "CPU"}}


@pytest.mark.parametrize(
    ("count", "types", "words"),
    [
        (2, "H100", "2 × H100"),
        (6, "4 × H100 + 2 × L4", "4\xa0×\xa0H100 + 2\xa0×\xa0L4"),
        (6, "mixed", "6 of several types"),
    ],
)
def test_accelerators_of_several_types_are_not_told_as_so_many_of_each(
    count: int, types: str, words: str
) -> None:
    assert in_accelerators(count, types) == words


@pytest.mark.parametrize(
    ("count", "words"),
    [
        (None, ""),
        (0, ""),
        (999_999, "999,999"),
        (1_000_000, "1 M"),
        (494_000_000, "494 M"),
        (8_190_000_000, "8.2 B"),
        (70_000_000_000, "70 B"),
        (1_040_000_000_000, "1 T"),
    ],
)
def test_parameters_are_counted_in_short(count: int | None, words: str) -> None:
    assert in_short(count) == words


@pytest.mark.parametrize(
    ("count", "words"),
    [(None, ""), (512, "512 tokens"), (8000, "8,000 tokens"), (131072, "128k tokens")],
)
def test_a_k_of_tokens_is_1024_and_said_only_where_it_is_exact(
    count: int | None, words: str
) -> None:
    assert in_tokens(count) == words


@pytest.mark.parametrize(
    ("seconds", "words"), [(10, "10 s"), (60, "1 min"), (90, "1 min 30 s"), (7200, "120 min")]
)
def test_durations_are_said_in_minutes(seconds: int, words: str) -> None:
    assert in_minutes(seconds) == words


@pytest.mark.parametrize(
    ("amount", "resource", "words"),
    [
        ("8", "requests.nvidia.com/gpu", "8"),
        ("0.5", "requests.cpu", "0.5"),
        ("549755813888", "requests.memory", "512 Gi"),
        ("1610612736", "limits.memory", "1.5 Gi"),
        ("1000000000", "count/pods", "1000000000"),
        ("1099511627776", "requests.storage", "1 Ti"),
        ("0", "requests.memory", "0"),
    ],
)
def test_amounts_are_said_in_the_unit_of_their_resource(
    amount: str, resource: str, words: str
) -> None:
    assert in_unit(Decimal(amount), resource) == words


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({}, "no accelerator"),
        (
            {"resources": {"cpu": "250m", "memory": "256Mi"}},
            "no accelerator, 250m CPU, 256Mi memory",
        ),
        ({"accelerator": {"type": "H100"}}, "1 × H100"),
        ({"accelerator": {"type": "H100", "count": 8, "vram_gb": 80}}, "8 × H100 80 GB"),
        (
            {
                "accelerator": {"type": "H200", "count": 8},
                "topology": {"kind": "multi-node", "nodes": 2},
            },
            "8 × H200 on each of 2 pods",
        ),
        (
            {
                "accelerator": {"type": "H100"},
                "topology": {
                    "kind": "disaggregated",
                    "roles": [
                        {"name": "prefill", "accelerator": {"type": "H100", "count": 2}},
                        {"name": "decode", "accelerator": {"type": "L4"}, "replicas": 3},
                    ],
                },
            },
            "prefill: 2 × H100, decode: 1 × L4 on each of 3 pods",
        ),
    ],
)
def test_what_one_replica_needs_is_one_phrase(parts: dict[str, Any], words: str) -> None:
    assert needs_of(parse_spec({**CPU, **parts})) == words


def test_an_engine_without_a_version_is_its_name() -> None:
    assert engine_of(parse_spec(CPU)) == "Mock"


@pytest.mark.parametrize(
    ("path", "bound", "words"),
    [
        ("min_replicas", {"max": 4}, ("1", "at most 4")),
        ("min_replicas", {"min": 2}, ("1", "at least 2")),
        ("min_replicas", {"min": 2, "max": 2.5}, ("1", "2 to 2.5")),
        ("region", {"values": ["eu", "us"]}, ("", "one of eu, us")),
        ("region", {}, ("", "no bounds")),
        ("enable_auto_scaling", {}, ("off", "on or off")),
        ("engine_args.max_model_len", {}, ("8192", "no bounds")),
        ("model_version", {}, ("", "no bounds")),
    ],
)
def test_bounds_and_defaults_are_said_by_field(
    path: str, bound: dict[str, Any], words: tuple[str, str]
) -> None:
    spec = {**CPU, "engine_args": {"max_model_len": "8192"}, "overridable": {path: bound}}
    shown = show_template(ModelDeploymentTemplate(name="mock", version="1", spec=spec))
    row = next(row for row in shown.overrides if row.path == path)
    assert (row.default, row.bounds) == words
