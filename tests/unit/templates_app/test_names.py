from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from providers.contract.versions import version_key
from templates_app import names

versions = st.builds(
    lambda v, numbers, suffix: f"{v}{'.'.join(map(str, numbers))}{suffix}",
    st.sampled_from(["", "v"]),
    st.lists(st.integers(0, 30), min_size=1, max_size=3),
    st.sampled_from(["", "-rc1", "-rc.2", "-RC1", "-alpha", "-1"]),
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Qwen3 8B", "qwen3 8b"),
        ("Straße", "STRASSE"),
        ("ﬁne", "FINE"),
        ("\uff31wen", "qwen"),
        ("Qwen3  8B", " Qwen3 8B "),
        ("Qw\u200ben", "qwen"),
        ("é", "e\u0301"),
        ("ΣΊΣΥΦΟΣ", "σίσυφος"),
    ],
)
def test_names_that_look_alike_have_one_key(one: str, other: str) -> None:
    assert names.name_key(one) == names.name_key(other)


def test_names_that_look_different_keep_different_keys() -> None:
    assert len({names.name_key(name) for name in ("a b", "ab", "a-b", "模型", "\u0131", "i")}) == 6


@given(st.text(max_size=40))
def test_the_key_of_a_key_is_itself(text: str) -> None:
    key = names.name_key(text)
    assert names.name_key(key) == key


@given(versions, versions)
def test_versions_share_a_spelling_exactly_when_they_share_a_place(one: str, other: str) -> None:
    same = version_key(one) == version_key(other)
    assert (names.version_slug(one) == names.version_slug(other)) == same


@given(versions)
def test_the_next_version_is_a_later_one(version: str) -> None:
    assert version_key(names.next_version(version)) > version_key(version)


@pytest.mark.parametrize(
    ("version", "following"),
    [("1.2.0", "1.2.1"), ("v1", "v2"), ("v1.9", "v1.10"), ("1.2.0-rc1", "1.2.0"), ("7", "8")],
)
def test_the_next_version_is_spelt_like_the_one_before(version: str, following: str) -> None:
    assert names.next_version(version) == following


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (names.Slug, "Qwen"),
        (names.Slug, "qwen3.5"),
        (names.Slug, "-qwen"),
        (names.Slug, "qwen\n"),
        (names.Slug, "x" * 101),
        (names.Slug, ""),
        (names.Name, "a\nb"),
        (names.Name, " \u200b "),
        (names.Name, "x" * 201),
        (names.Name, "\ufdfa" * 100),
        (names.ServingName, "two words"),
        (names.Version, "b10434"),
        (names.Version, "1..2"),
        (names.Version, "latest"),
        (names.Version, "1.0\n"),
        (names.Word, "a|b"),
        (names.Word, ""),
    ],
)
def test_what_is_no_name_is_refused(kind: Any, text: str) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(kind).validate_python(text)
