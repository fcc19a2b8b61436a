"""What history keeps: another verdict, never the same one in newer words."""

from dataclasses import replace

import pytest
from django.utils import timezone

from deployments.models import Deployment
from deployments.services.snapshots import store_observation
from providers.contract.protocols import Observation
from providers.contract.status import Phase, Status
from tests.unit.deployments.conftest import Launch

CRASHING = Status(phase=Phase.FAILED, reason="CrashLoop", message="1 restart", desired_replicas=2)


@pytest.fixture
def deployment(launch: Launch) -> Deployment:
    return launch()


def seen(deployment: Deployment, status: Status) -> list[str]:
    """Keep an observation of now; return what history tells, the newest first."""
    told = replace(status, observed_at=timezone.now())
    assert store_observation(deployment, Observation(status=told))
    return [change.message for change in deployment.status_changes.all()]


def test_a_crash_loop_that_counts_on_is_one_line_of_history(deployment: Deployment) -> None:
    before = deployment.status_changes.count()
    seen(deployment, CRASHING)
    told = seen(deployment, replace(CRASHING, message="2 restarts"))
    assert len(told) == before + 1
    assert told[0] == "1 restart"
    deployment.refresh_from_db()
    assert deployment.message == "2 restarts"


@pytest.mark.parametrize(
    "change",
    [{"reason": "OutOfMemory"}, {"phase": Phase.DEGRADED}, {"ready_replicas": 1}],
)
def test_another_verdict_is_another_line(deployment: Deployment, change: dict[str, object]) -> None:
    seen(deployment, CRASHING)
    told = seen(deployment, replace(CRASHING, message="news", **change))  # type: ignore[arg-type]
    assert told[0] == "news"
