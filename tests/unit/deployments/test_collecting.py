"""The collector of cycles comes seldom during a pass, and as usual after it, whatever happens."""

import gc
from collections.abc import Iterator

import pytest

from deployments.services.collecting import SELDOM, collected_seldom

USUAL = (700, 10, 10)


@pytest.fixture(autouse=True)
def _usual() -> Iterator[None]:
    before = gc.get_threshold()
    gc.set_threshold(*USUAL)
    yield
    gc.set_threshold(*before)


def test_it_comes_seldom_inside_and_as_usual_after() -> None:
    with collected_seldom():
        assert gc.get_threshold() == SELDOM

    assert gc.get_threshold() == USUAL


def test_it_comes_as_usual_after_an_error() -> None:
    with pytest.raises(ValueError, match="told"), collected_seldom():
        raise ValueError("told")

    assert gc.get_threshold() == USUAL


def test_one_that_leaves_does_not_disturb_another_that_is_still_inside() -> None:
    with collected_seldom():
        with collected_seldom():
            pass
        assert gc.get_threshold() == SELDOM

    assert gc.get_threshold() == USUAL
