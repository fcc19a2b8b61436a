"""What every provider must do that can tell what others changed, and write its values again.

A part of the contract suite; it runs with the rest of it. What strangers scale is tried where the
stage can do so.
"""

import pytest

from providers.contract.drifting import Compares, Drift, DriftKind, PutBack
from providers.contract.errors import Rejected, Unavailable
from providers.contract.manifest import Manifest
from providers.contract.protocols import Applied
from providers.contract.request import DeployRequest
from providers.testing.samples import ref_of
from providers.testing.stage import Stage, deadline, is_ready

AUTOSCALED = {"min_replicas": 1, "max_replicas": 4, "enable_auto_scaling": True}


class DriftContract:
    """Every test takes `stage`."""

    @pytest.fixture
    def compares(self, stage: Stage) -> Compares:
        """Return the provider, where it compares."""
        if not isinstance(stage.provider, Compares):
            pytest.skip("this provider tells no drift")
        return stage.provider

    def test_what_was_applied_has_not_drifted(self, stage: Stage, compares: Compares) -> None:
        request = stage.request()
        applied = stage.create(request)
        assert _drift(stage, compares, request, applied) == Drift()

    def test_what_others_scaled_is_told_and_put_back(
        self, stage: Stage, compares: Compares
    ) -> None:
        request = stage.request(overrides={"min_replicas": 2})
        applied = _scaled(stage, request, 3)
        found = _drift(stage, compares, request, applied)
        (field,) = found.fields
        assert (field.kind, field.ours, field.theirs) == (DriftKind.CHANGED, "2", "3")
        assert field.holder.who
        assert field.overrides == {"min_replicas": 3}
        done = _put_back(stage, compares, request, applied, found)
        assert done.fields == found.fields
        assert _drift(stage, compares, request, applied).fields == ()
        assert _put_back(stage, compares, request, applied, found).fields == (), "twice is as once"
        stage.until(request, applied, lambda o: is_ready(o) and o.status.ready_replicas == 2)

    def test_what_was_not_agreed_to_is_not_put_back(self, stage: Stage, compares: Compares) -> None:
        request = stage.request(overrides={"min_replicas": 2})
        applied = _scaled(stage, request, 3)
        with pytest.raises(Rejected) as refused:
            _put_back(stage, compares, request, applied, Drift())
        assert refused.value.code == "DriftChanged"
        assert len(_drift(stage, compares, request, applied).fields) == 1

    def test_replicas_under_an_autoscaler_have_not_drifted(
        self, stage: Stage, compares: Compares
    ) -> None:
        if not stage.provider.capabilities.autoscaling:
            return
        request = stage.request(overrides=AUTOSCALED)
        applied = _scaled(stage, request, 2)
        assert _drift(stage, compares, request, applied).fields == ()

    def test_a_deployment_that_is_gone_has_drifted_as_a_whole(
        self, stage: Stage, compares: Compares
    ) -> None:
        request = stage.request()
        applied = stage.create(request)
        stage.remove_outside(request)
        (field,) = _drift(stage, compares, request, applied).fields
        assert (field.kind, field.key.name) == (DriftKind.GONE, request.runtime_name)
        assert not field.can_be_put_back

    def test_drift_of_a_silent_cluster_is_unavailable(
        self, stage: Stage, compares: Compares
    ) -> None:
        request = stage.request()
        manifests, ref = _manifests(stage, request), ref_of(request, None)
        with pytest.raises(Unavailable):
            compares.drift(manifests, ref, stage.silent, deadline=deadline(0.5))
        with pytest.raises(Unavailable):
            compares.put_back(manifests, ref, stage.silent, seen=(), deadline=deadline(0.5))


def _scaled(stage: Stage, request: DeployRequest, replicas: int) -> Applied:
    if stage.scale_outside is None:
        pytest.skip("nobody else can scale a workload on this stage")
    applied = stage.create(request)
    stage.until(request, applied, is_ready)
    stage.scale_outside(request, replicas)
    return applied


def _manifests(stage: Stage, request: DeployRequest) -> tuple[Manifest, ...]:
    return stage.provider.render(request, stage.target)


def _drift(stage: Stage, compares: Compares, request: DeployRequest, applied: Applied) -> Drift:
    ref = ref_of(request, applied)
    return compares.drift(_manifests(stage, request), ref, stage.target, deadline=deadline())


def _put_back(
    stage: Stage, compares: Compares, request: DeployRequest, applied: Applied, agreed: Drift
) -> PutBack:
    return compares.put_back(
        _manifests(stage, request),
        ref_of(request, applied),
        stage.target,
        seen={field.fingerprint for field in agreed.fields},
        deadline=deadline(),
    )
