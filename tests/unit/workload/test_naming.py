"""Names of objects from the names people choose."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from providers.contract.errors import InvalidRequest
from providers.workload.naming import label_value, runtime_name

ID = "1a2b3c4d-0000-4000-8000-000000000000"
DNS_1035 = re.compile(r"[a-z]([-a-z0-9]*[a-z0-9])?")
LABEL = re.compile(r"(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?")


@pytest.mark.parametrize(
    ("display_name", "expected"),
    [
        ("qwen", "qwen-1a2b3c4d"),
        ("meta-llama/Llama-3.2-3B", "meta-llama-llama-3-2-3b-1a2b3c4d"),
        ("qwen2.5:32b", "qwen2-5-32b-1a2b3c4d"),
        ("123abc", "m-123abc-1a2b3c4d"),
        ("模型", "model-1a2b3c4d"),
        ("模型 7", "m-7-1a2b3c4d"),
        ("", "model-1a2b3c4d"),
        ("---", "model-1a2b3c4d"),
        ("Qwen_3.0 B", "qwen-3-0-b-1a2b3c4d"),
        ("x" * 200, "x" * 54 + "-1a2b3c4d"),
        ("a" * 53 + "--b", "a" * 53 + "-1a2b3c4d"),
        ("a.b", "a-b-1a2b3c4d"),
        ("a-b", "a-b-1a2b3c4d"),
    ],
)
def test_a_display_name_becomes_a_runtime_name(display_name: str, expected: str) -> None:
    assert runtime_name(display_name, deployment_id=ID) == expected


def test_names_that_clean_to_the_same_are_kept_apart_by_the_id() -> None:
    other = "9f8e7d6c-0000-4000-8000-000000000000"
    assert runtime_name("a.b", deployment_id=ID) != runtime_name("a-b", deployment_id=other)


@given(st.text(max_size=300), st.uuids(), st.integers(0, 51))
def test_any_text_gives_a_legal_name_that_leaves_the_room(
    text: str, uid: object, room: int
) -> None:
    name = runtime_name(text, deployment_id=str(uid), room=room)
    assert DNS_1035.fullmatch(name)
    assert len(name) <= 63 - room
    assert name.endswith(str(uid)[:8])


@pytest.mark.parametrize("room", [52, 60, 63, 90])
def test_too_little_room_is_the_namespace_s_fault(room: int) -> None:
    with pytest.raises(InvalidRequest) as caught:
        runtime_name("qwen", deployment_id=ID, room=room)
    assert list(caught.value.fields) == ["target.namespace"]
    assert "use a shorter namespace" in caught.value.message


def test_twelve_characters_are_enough() -> None:
    assert runtime_name("qwen", deployment_id=ID, room=51) == "qwe-1a2b3c4d"
    assert runtime_name("模型", deployment_id=ID, room=51) == "mod-1a2b3c4d"
    assert runtime_name("123", deployment_id=ID, room=51) == "m-1-1a2b3c4d"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Qwen3-8B", "Qwen3-8B"),
        ("qwen2.5_x", "qwen2.5_x"),
        ("a" * 63, "a" * 63),
        ("a" * 64, None),
        ("Qwen/Qwen3-8B", None),
        ("qwen2.5:32b", None),
        ("-a", None),
        ("a.", None),
        ("模型", None),
        ("a b", None),
        ("a\n", None),
        ("", None),
    ],
)
def test_only_a_legal_label_value_is_taken_as_one(text: str, expected: str | None) -> None:
    assert label_value(text) == expected


@given(st.text(max_size=80))
def test_whatever_passes_as_a_label_value_is_legal(text: str) -> None:
    value = label_value(text)
    assert value is None or (value == text and len(value) <= 63 and LABEL.fullmatch(value))
