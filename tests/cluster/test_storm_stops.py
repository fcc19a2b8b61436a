"""StormServices of every shape are stopped and started again, and never lack a number meanwhile."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from providers.contract.request import Intent
from providers.contract.status import Phase
from providers.kube.clock import deadline_in
from providers.stormservice.provider import provider
from providers.testing.samples import make_request, ref_of, rescaled, spec_with
from tests.cluster.harness.api import namespaced
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.launching import target_for
from tests.cluster.storms import (
    BOUNDS,
    SECONDS,
    SGLANG,
    SPECS,
    Stored,
    autoscalers,
    create,
    update,
    wait_until_ready,
)
from tests.cluster.waiting import wait_for

NODES = spec_with(engine=SGLANG, topology={"kind": "multi-node", "nodes": 2})
TWO: Mapping[str, object] = {"min_replicas": 2, "max_replicas": 2}
STOPPED: Mapping[str, object] = {
    "min_replicas": 0,
    "max_replicas": 0,
    "enable_auto_scaling": False,
}


@pytest.mark.parametrize(
    ("spec", "overrides", "scaled_by"),
    [
        (SPECS["standard"], BOUNDS, ["HPA"]),
        (NODES, TWO, []),
        (SPECS["roles"], TWO, []),
        (SPECS["roles"], BOUNDS, ["PA"]),
    ],
    ids=["standard and autoscaled", "several nodes", "roles", "roles and autoscaled"],
)
def test_what_was_stopped_starts_as_it_was(
    foreign_plane: ControlPlane,
    foreign_namespace: str,
    spec: Mapping[str, object],
    overrides: Mapping[str, object],
    scaled_by: list[str],
) -> None:
    api, target = foreign_plane.api, target_for(foreign_plane, foreign_namespace)
    first = make_request(provider, namespace=foreign_namespace, spec=spec, overrides=overrides)
    with Stored(api=api, request=first) as stored:
        applied = create(first, target)
        wait_until_ready(first, applied, target)
        assert autoscalers(api, first) == scaled_by

        stopped = rescaled(first, **STOPPED)
        applied = update(stopped, applied, target)
        ref = replace(ref_of(stopped, applied), intent=Intent.STOPPED)

        def is_stopped() -> bool:
            status = provider.get(ref, target, deadline=deadline_in(60)).status
            return status.phase is Phase.STOPPED

        wait_for(is_stopped, SECONDS, "it is stopped")
        assert api.get(namespaced(foreign_namespace, "pods"))["items"] == []
        assert autoscalers(api, stopped) == []

        again = replace(first, revision=3)
        applied = update(again, applied, target)
        wait_until_ready(again, applied, target)
    assert autoscalers(api, again) == scaled_by
    assert set(stored.numbers) == {0, 2}
