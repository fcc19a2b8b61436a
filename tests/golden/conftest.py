"""The switch that writes golden files anew."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="write tests/golden/expected anew"
    )


@pytest.fixture
def update_golden(pytestconfig: pytest.Config) -> bool:
    """Tell whether expected files are written; only a run of this folder knows the switch."""
    return bool(pytestconfig.getoption("--update-golden", default=False))
