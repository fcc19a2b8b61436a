"""YAML as read and as written."""

import pytest
import yaml as pyyaml
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from providers.contract.errors import InvalidRequest
from providers.contract.yaml_text import MAX_CHARACTERS, load_all, load_yaml, to_yaml

AMBIGUOUS = (
    *("yes", "No", "on", "OFF", "y", "N", "true", "False", "null", "Null", "~", "", "=", "<<"),
    *("1", "-1", "+1", "0x1F", "0o17", "017", "1_000", "1e3", "1E+3", ".5", "1.", "1:30", "0b1"),
    *(".inf", "-.inf", ".nan", "2024-01-01", "2024-01-01T00:00:00Z", "12e03", "685_230.15"),
    *("- a", "a: b", "a #b", "#a", "*a", "&a", "!a", "%a", "@a", "`a", "'a'", '"a"', "[a", "{a"),
    *("a:", ":a", "? a", "| a", "> a", " a", "a ", "a\nb", "\ta", "a\tb", "---", "...", "a\u2028b"),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner),
    max_leaves=12,
)


@pytest.mark.parametrize("text", AMBIGUOUS)
def test_a_string_stays_a_string_for_readers_of_both_dialects(text: str) -> None:
    written = to_yaml([{"value": text, text: "key"}])
    newer, older = YAML(typ="safe", pure=True), YAML(typ="safe", pure=True)
    older.version = (1, 1)
    expected = {"value": text, text: "key"}
    assert newer.load(written) == expected
    assert older.load(written) == expected
    assert pyyaml.safe_load(written) == expected


@given(JSON)
def test_what_is_written_reads_back_the_same(value: object) -> None:
    written = to_yaml([{"value": value}])
    assert load_yaml(written) == {"value": value}
    assert pyyaml.safe_load(written) == {"value": value}


def test_plain_words_are_not_quoted_and_keys_keep_their_order() -> None:
    written = to_yaml([{"kind": "Service", "apiVersion": "apps/v1", "image": "docker.io/a/b:v1"}])
    assert written == "kind: Service\napiVersion: apps/v1\nimage: docker.io/a/b:v1\n"


def test_documents_are_parted_by_three_dashes() -> None:
    assert to_yaml([{"a": 1}, {"b": "2"}]) == 'a: 1\n---\nb: "2"\n'


def test_a_value_used_twice_is_written_twice() -> None:
    shared = {"x": "z"}
    assert to_yaml([{"a": shared, "b": shared}]) == "a:\n  x: z\nb:\n  x: z\n"


def test_a_long_string_is_never_folded() -> None:
    text = "word " * 100 + "end"
    assert f'"{text}"' in to_yaml([{"a": text}])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: 1\nb: 2\na: 3", 'line 3: found duplicate key "a"'),
        ("a: &x [1]\nb: *x", "line 2: aliases are not taken"),
        ("a: 1\nb: [1", "line 2: expected ',' or ']'"),
        ("[" * 70, "line 1: is nested deeper than 64 levels"),
        ("a: 1\nb: !!python/object:os.system x", "line 2: could not determine a constructor"),
        ("a: !!set {x}", "line 1: could not determine a constructor"),
        ("a: 1\nb: .nan", "line 2: '.nan' is not a number"),
        ("a: " + "1" * 5000, "line 1: '1111"),
        ("a: !!int x", "line 1: 'x' is not a number"),
        ("\ta: 1", "line 1: found character"),
        ("a: \x00", "cannot be read as YAML: unacceptable character"),
        ("x" * (MAX_CHARACTERS + 1), "is longer than 262144 characters"),
    ],
)
def test_bad_yaml_is_refused_with_its_line(text: str, said: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        load_all(text, at="document")
    assert caught.value.fields["document"][0].startswith(said)


def test_the_values_of_a_duplicate_key_are_not_repeated() -> None:
    with pytest.raises(InvalidRequest) as caught:
        load_all("token: hf_abc\ntoken: hf_def")
    assert "hf_" not in caught.value.message


def test_a_date_stays_the_text_that_was_written() -> None:
    assert load_yaml("version: 2024-01-01") == {"version": "2024-01-01"}


def test_several_documents_are_read_and_empty_ones_left_out() -> None:
    assert load_all("a: 1\n---\n# nothing\n---\nb: 2\n") == ({"a": 1}, {"b": 2})


def test_one_document_is_asked_for_where_one_is_meant() -> None:
    with pytest.raises(InvalidRequest, match="holds 2 documents; give one"):
        load_yaml("a: 1\n---\nb: 2\n")


def test_an_empty_text_is_nothing() -> None:
    assert load_yaml("# only a remark\n") is None
