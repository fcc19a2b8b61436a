"""Which table a version is read by: its own, else the nearest older one, else the oldest."""

from collections.abc import Callable

import pytest

from providers.engines import Launch, llamacpp_table, sglang_table, vllm_table
from providers.engines.dialect import nearest
from providers.engines.launch import Weight

TABLES = {
    "vllm": vllm_table.DIALECTS,
    "sglang": sglang_table.DIALECTS,
    "llamacpp": llamacpp_table.DIALECTS,
}


@pytest.mark.parametrize(
    ("kind", "version", "read_as", "known"),
    [
        ("vllm", "0.11.0", "0.11.0", True),
        ("vllm", "v0.11.0", "0.11.0", True),
        ("vllm", "0.11", "0.11.0", True),
        ("vllm", "0.11.0.post1", "0.11.0", True),
        ("vllm", "0.33.0+cu129", "0.33.0", True),
        ("vllm", "0.11.1", "0.11.1", True),
        ("vllm", "0.32.9", "0.11.1", False),
        ("vllm", "0.33.0rc1", "0.11.1", False),
        ("vllm", "0.34.0", "0.33.0", False),
        ("vllm", "0.9.2", "0.11.0", False),
        ("sglang", "v0.5.3", "0.5.3", True),
        ("sglang", "0.5.10", "0.5.3", False),
        ("sglang", "0.5.23", "0.5.23", True),
        ("sglang", "0.4.9.post6", "0.5.3", False),
        ("llamacpp", "b10434", "b10434", True),
        ("llamacpp", "10434", "b10434", True),
        ("llamacpp", "b11000", "b10434", False),
        ("llamacpp", "b9000", "b10434", False),
    ],
)
def test_a_version_is_read_as_the_nearest_older_one(
    kind: str, version: str, read_as: str, *, known: bool
) -> None:
    dialect, finding = nearest(TABLES[kind], version)
    assert dialect.version == read_as
    assert (finding is None) is known
    if finding:
        assert (finding.weight, finding.path) == (Weight.WARN, "spec.engine.version")
        assert read_as in finding.message


@pytest.mark.parametrize("version", ["latest", "nightly", "main", "0.11.x"])
@pytest.mark.parametrize("kind", ["vllm", "sglang", "llamacpp"])
def test_a_version_that_cannot_be_ordered_is_refused(
    refusals_of: Callable[..., dict[str, str]],
    launch_of: Callable[..., Launch],
    kind: str,
    version: str,
) -> None:
    found = refusals_of(kind, engine={"version": version})
    assert list(found) == ["spec.engine.version"]
    assert launch_of(kind, engine={"version": version}).args


def test_what_came_later_is_refused_only_of_the_version_that_is_known_to_lack_it(
    refusals_of: Callable[..., dict[str, str]], warnings_of: Callable[..., dict[str, str]]
) -> None:
    args = {"attention_backend": "FLASH_ATTN"}
    path = "spec.engine_args.attention_backend"
    assert path in refusals_of("vllm", engine={"version": "0.11.0"}, engine_args=args)
    between = {"engine": {"version": "0.20.0"}, "engine_args": args}
    assert refusals_of("vllm", **between) == {}
    assert path in warnings_of("vllm", **between)


@pytest.mark.parametrize("kind", ["vllm", "sglang", "llamacpp"])
def test_tables_do_not_contradict_themselves(kind: str) -> None:
    for dialect in TABLES[kind]:
        assert not dialect.values & dialect.switches
        assert not dialect.flags & dialect.missing.keys()
        assert dialect.negatable <= dialect.switches
        assert dialect.choices.keys() <= dialect.values
        assert set(dialect.shorts.values()) <= dialect.flags | dialect.missing.keys() | {
            f"no-{flag}" for flag in dialect.negatable
        }
