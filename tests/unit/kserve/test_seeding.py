"""The first number of replicas of an InferenceService: waited for only where it is not KServe's."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from providers.kserve.seeding import begins_with_more
from tests.unit.kserve.asking import SCALED, asked


@pytest.mark.parametrize(
    ("overrides", "resume_at", "more"),
    [
        pytest.param({"min_replicas": 1}, 0, False, id="one, as KServe makes it"),
        pytest.param({"min_replicas": 3}, 0, True, id="three"),
        pytest.param({"min_replicas": 0}, 0, False, id="stopped"),
        pytest.param(SCALED, 0, False, id="from one up"),
        pytest.param(SCALED, 2, True, id="from one up, as it was stopped at two"),
    ],
)
def test_a_launch_waits_only_to_begin_with_more_than_one(
    overrides: Mapping[str, object], resume_at: int, *, more: bool
) -> None:
    request = replace(asked(overrides), resume_at=resume_at)
    assert begins_with_more(request) is more
