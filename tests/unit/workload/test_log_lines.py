"""Any bytes of a container's log come out as lines that may be shown."""

import unicodedata
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from providers.workload.log_lines import LONGEST, harmless, lines_of


def test_a_line_comes_apart_into_its_time_and_its_text() -> None:
    body = (
        b"2026-11-30T09:12:01.123456789Z INFO ready\n"
        b"2026-11-30T10:12:01.5+01:00 again\n"
        b"2026-11-30T09:12:02Z \n"
    )
    first, second, third = lines_of(body)
    assert (first.at, first.text) == (
        datetime(2026, 11, 30, 9, 12, 1, 123456, tzinfo=UTC),
        "INFO ready",
    )
    assert second.at == datetime(
        2026, 11, 30, 10, 12, 1, 500000, tzinfo=timezone(timedelta(hours=1))
    )
    assert third.text == ""


@pytest.mark.parametrize(
    "raw", [b"no stamp at all", b"2026-99-30T09:12:01Z x", b"2026-11-30 x", b"T", b"\xff\xfe"]
)
def test_what_bears_no_time_is_kept_whole(raw: bytes) -> None:
    [line] = lines_of(raw)
    assert line.at is None
    assert line.text == raw.decode("utf-8", "replace")


def test_no_log_has_no_lines_and_an_empty_line_is_one() -> None:
    assert list(lines_of(b"")) == []
    assert [line.text for line in lines_of(b"\n\n")] == ["", ""]


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"\x1b[32mINFO\x1b[0m ready", "INFO ready"),
        (b"\x1b]0;title\x07ready", "ready"),
        (b"\x1b]8;;http://evil.example\x1b\\link\x1b]8;;\x1b\\", "link"),
        (b"\x1b[2J\x1b[1;1Hgone", "gone"),
        (b"Loading: 10%\rLoading: 55%\rLoading: 100%", "Loading: 100%"),
        (b"windows line\r", "windows line"),
        (b"a\x00b\x07c\x7f", "a\u2400b\u2407c\u2421"),
        (b"tab\tstays", "tab\tstays"),
        ("abc\u202egnp.exe\u2028next\x85".encode(), "abc\ufffdgnp.exe\ufffdnext\ufffd"),
        (b"caf\xc3\xa9 \xf0\x9f\x9a\xa2 \xe6\xa8\xa1", "caf\u00e9 \U0001f6a2 \u6a21"),
        (b"half \xe6\xa8", "half \ufffd"),
        (b"<script>alert(1)</script>", "<script>alert(1)</script>"),
    ],
)
def test_a_line_is_shown_as_a_terminal_would_leave_it(raw: bytes, text: str) -> None:
    assert harmless(raw) == text


def test_a_line_of_a_megabyte_is_cut_with_a_word() -> None:
    text = harmless(b"x" * 1_000_000)
    assert text.endswith(f" … {1_000_000 - LONGEST} more characters")
    assert len(text) < LONGEST + 40


def test_secrets_are_masked_after_colours_were_taken_out_of_them() -> None:
    [line] = lines_of(b"2026-11-30T09:12:01Z HF_TOKEN=\x1b[1mhf_abc\x1b[0mDEF0123456789")
    assert line.text == "HF_TOKEN=[masked]"


@given(st.binary(max_size=2_000))
def test_any_bytes_become_lines_without_anything_that_acts(raw: bytes) -> None:
    for line in lines_of(raw):
        kinds = {unicodedata.category(char) for char in line.text if char != "\t"}
        assert not kinds & {"Cc", "Zl", "Zp", "Cs"}
