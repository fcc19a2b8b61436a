"""Quantities are exact, versions sort as people mean them."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from providers.contract.quantity import lenient_quantity, parse_quantity
from providers.contract.versions import version_key


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("4", 4),
        ("500m", Decimal("0.5")),
        ("32Gi", 32 * 1024**3),
        ("1.5G", 1_500_000_000),
        ("2e3", 2000),
        ("1E3", 1000),
        ("1E", 10**18),
        ("100n", Decimal("1e-7")),
        ("0", 0),
    ],
)
def test_a_quantity_has_its_exact_value(text: str, value: Decimal) -> None:
    assert parse_quantity(text) == value


@pytest.mark.parametrize(
    "text",
    ["", " 1", "1 ", "1_0", "NaN", "inf", "-1", "+1", ".5", "1.", "1gi", "1KiB", "٣", "1e", "0x1"],
)
def test_what_is_no_quantity_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a quantity"):
        parse_quantity(text)


@given(st.text())
def test_no_report_of_a_cluster_is_too_odd_to_count(text: str) -> None:
    assert lenient_quantity(text) >= 0


def test_versions_sort_as_people_mean_them() -> None:
    ordered = ["0.9", "v1.0.0-rc1", "1.0.0-rc2", "1.0.0-rc10", "1", "v1.0.1", "1.2", "1.10", "b9"]
    mixed = [ordered[index] for index in (4, 0, 8, 3, 1, 7, 2, 6, 5)]
    assert sorted(mixed, key=version_key) == [*ordered[:6], "1.2", "1.10", "b9"]


def test_trailing_zeros_and_the_v_do_not_count() -> None:
    assert version_key("v1.0.0") == version_key("1") == version_key("1.0")


@pytest.mark.parametrize("text", ["", "latest", "1.", "1..2", "1.0 ", "1,0", "-1", "1-", "٣"])
def test_what_is_no_version_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a version"):
        version_key(text)
