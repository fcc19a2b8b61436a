from dataclasses import replace
from datetime import UTC, datetime

import pytest

from providers.contract.bounds import Metric
from providers.contract.overrides import Scaling
from providers.contract.request import DeploymentRef, Intent
from providers.workload.bundle import Bundle
from providers.workload.status.verdict import derive_status

NOW = datetime(2026, 11, 30, tzinfo=UTC)
FIXED = Scaling(min_replicas=2, max_replicas=2, autoscaled=False, metric=Metric())
AUTOSCALED = replace(FIXED, max_replicas=4, autoscaled=True)


def known(scaling: Scaling) -> DeploymentRef:
    return DeploymentRef(
        id="1",
        runtime_name="web",
        namespace="models",
        serving_name="web",
        intent=Intent.RUNNING,
        intent_since=NOW,
        revision=1,
        applied_revision=1,
        scaling=scaling,
        startup_budget_seconds=60,
    )


@pytest.mark.parametrize(
    ("scaling", "noted"),
    [(FIXED, ["spec.paused", "spec.replicas"]), (AUTOSCALED, ["spec.paused"])],
)
def test_a_number_of_replicas_is_noted_unless_an_autoscaler_may_set_it(
    scaling: Scaling, noted: list[str]
) -> None:
    bundle = Bundle(changed_outside=("spec.replicas", "spec.paused"))

    notes = derive_status(bundle, known(scaling), NOW).notes

    told = [note.message for note in notes if note.reason == "ChangedOutside"]
    assert told == [f"{path} was changed outside of Slipway" for path in noted]
