"""What a provider must do whose deployments can be measured: a part of the contract suite."""

import math
from typing import cast

import pytest

from providers.contract.errors import Unavailable
from providers.contract.observing import Metrics, Observes
from providers.contract.protocols import Applied
from providers.contract.request import DeployRequest
from providers.contract.template import Engine
from providers.testing.samples import ref_of
from providers.testing.stage import Stage, deadline, is_ready


class MetricsContract:
    """Every test takes `stage`, and asks nothing of a provider that does not observe."""

    def test_what_cannot_be_measured_is_told_and_what_can_be_has_its_pod(
        self, stage: Stage
    ) -> None:
        if not stage.provider.capabilities.observes:
            return
        request = stage.request()
        applied = stage.create(request)
        stage.until(request, applied, is_ready)
        seen = _metrics(stage, request, applied)
        assert seen.use or seen.use_trouble
        assert seen.engine or seen.engine_trouble
        pods = {one.pod for one in seen.use} | {one.pod for one in seen.engine}
        assert all(request.runtime_name in pod for pod in pods)
        for reading in seen.engine:
            assert reading.values or reading.trouble
            assert all(math.isfinite(value) for value in reading.values.values())

    def test_a_deployment_without_ready_replicas_has_no_engine_to_ask(self, stage: Stage) -> None:
        if not stage.provider.capabilities.observes:
            return
        seen = _metrics(stage, stage.request(), None)
        assert (seen.use, seen.engine) == ((), ())
        assert seen.engine_trouble

    def test_a_custom_engine_is_not_guessed_at(self, stage: Stage) -> None:
        if not stage.provider.capabilities.observes:
            return
        request = stage.request()
        applied = stage.create(request)
        stage.until(request, applied, is_ready)
        seen = _metrics(stage, request, applied, Engine(type="custom"))
        assert seen.engine == ()
        assert seen.engine_trouble

    def test_measuring_on_a_silent_cluster_is_unavailable(self, stage: Stage) -> None:
        if not stage.provider.capabilities.observes:
            return
        request = stage.request()
        observer = cast("Observes", stage.provider)
        with pytest.raises(Unavailable):
            observer.metrics(
                ref_of(request, None), stage.silent, request.spec.engine, deadline=deadline(0.5)
            )


def _metrics(
    stage: Stage, request: DeployRequest, applied: Applied | None, engine: Engine | None = None
) -> Metrics:
    observer = cast("Observes", stage.provider)
    return observer.metrics(
        ref_of(request, applied),
        stage.target,
        engine or request.spec.engine,
        deadline=deadline(),
    )
