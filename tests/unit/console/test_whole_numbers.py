"""Whole numbers out of what somebody typed."""

import pytest

from console.whole_numbers import whole_number


@pytest.mark.parametrize(("text", "number"), [("0", 0), ("007", 7), ("999999999", 999_999_999)])
def test_digits_are_a_number(text: str, number: int) -> None:
    assert whole_number(text) == number


@pytest.mark.parametrize(
    "text", ["", " 1", "-1", "+1", "1.0", "1_0", "x", "\u0663", "\u00b2", "9" * 10, "9" * 5000]
)
def test_other_text_is_no_number(text: str) -> None:
    assert whole_number(text) is None


@pytest.mark.parametrize(("text", "number"), [("1", None), ("2", 2), ("4", 4), ("5", None)])
def test_what_lies_outside_of_its_bounds_is_no_number(text: str, number: int | None) -> None:
    assert whole_number(text, least=2, most=4) == number
