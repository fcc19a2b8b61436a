"""The collector of cycles rests during a pass, and is back after it, whatever happens."""

import gc

import pytest

from deployments.services.uncollected import uncollected


def test_nothing_is_collected_inside_and_everything_after() -> None:
    with uncollected():
        assert not gc.isenabled()

    assert gc.isenabled()


def test_the_collector_is_back_after_an_error() -> None:
    with pytest.raises(ValueError, match="told"), uncollected():
        raise ValueError("told")

    assert gc.isenabled()


def test_one_that_leaves_does_not_disturb_another_that_is_still_inside() -> None:
    with uncollected():
        with uncollected():
            pass
        assert not gc.isenabled()

    assert gc.isenabled()
