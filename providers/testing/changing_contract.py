"""What every provider must tell of a change before it is made, and keep to when it is."""

from dataclasses import replace

import pytest

from providers.contract.changing import Effects, Fit, Running, Writes
from providers.contract.errors import Rejected
from providers.contract.manifest import canonical_json
from providers.contract.request import DeployRequest, Rollout
from providers.testing.samples import ref_of, rescaled, spec_with
from providers.testing.stage import Stage, deadline, is_ready


class ChangingContract:
    """Every test takes `stage`."""

    def test_no_change_has_no_effect(self, stage: Stage) -> None:
        request = stage.request()
        told = effects_of(stage, request, replace(request, revision=2), running=1)
        assert told.writes is Writes.NOTHING
        assert (told.objects, told.removed, told.restarts) == ((), (), 0)
        assert (told.replaces_pods, told.fewest_ready, told.fit) == (False, 1, Fit.FITS)

    def test_scaling_alone_is_told_and_restarts_nothing(self, stage: Stage) -> None:
        request = stage.request()
        told = effects_of(stage, request, rescaled(request, min_replicas=3), running=1)
        assert (told.writes, told.restarts, told.replaces_pods) == (Writes.SCALING, 0, False)
        assert (told.replicas_before, told.replicas_after, told.fewest_ready) == (1, 3, 1)

    def test_another_command_restarts_every_pod_and_is_told(self, stage: Stage) -> None:
        request = stage.request(overrides={"min_replicas": 2})
        changed = replace(
            stage.request(spec=spec_with(engine={"image": "docker.io/aibrix/vllm-mock:v9"})),
            id=request.id,
            runtime_name=request.runtime_name,
            scaling=request.scaling,
            revision=2,
        )
        told = effects_of(stage, request, changed, running=2)
        assert (told.writes, told.restarts, told.replaces_pods) == (Writes.OBJECTS, 2, True)
        assert told.objects
        assert 0 <= told.fewest_ready <= 2

    def test_a_change_of_what_is_stopped_restarts_nothing(self, stage: Stage) -> None:
        request = stage.request()
        told = effects_of(stage, request, replace(request, restart="again"), running=0)
        assert (told.replaces_pods, told.restarts, told.has_downtime) == (True, 0, False)

    def test_a_stop_is_scaling_and_no_downtime_of_a_rollout(self, stage: Stage) -> None:
        request = stage.request()
        told = effects_of(stage, request, rescaled(request, min_replicas=0), running=1)
        assert (told.writes, told.replicas_after, told.restarts) == (Writes.SCALING, 0, 0)
        assert not told.has_downtime

    @pytest.mark.parametrize("strategy", list(Rollout))
    def test_a_strategy_that_is_named_is_kept(self, stage: Stage, strategy: Rollout) -> None:
        request = stage.request()
        resolved = stage.provider.resolve_rollout(
            strategy.value,
            request.spec,
            stage.target,
            namespace=stage.namespace,
            scaling=request.scaling,
            capacity=None,
        )
        assert resolved is strategy

    def test_a_restart_is_rendered_only_once_it_was_asked_for(self, stage: Stage) -> None:
        request = stage.request()
        plain, again, other = (
            canonical_json(stage.provider.render(replace(request, restart=word), stage.target))
            for word in ("", "2026-11-30T10:00:00Z", "2026-11-30T11:00:00Z")
        )
        assert "restart" not in plain
        assert len({plain, again, other}) == 3

    def test_a_restart_makes_pods_of_the_same_workload_anew(self, stage: Stage) -> None:
        request = stage.request()
        applied = stage.create(request)
        stage.until(request, applied, is_ready)
        again = replace(request, restart="again", revision=2)
        ref = ref_of(again, applied)
        updated = stage.provider.update(again, ref, stage.target, deadline=deadline())
        assert updated.workload_uid == applied.workload_uid
        assert updated.pod_digest != applied.pod_digest
        stage.until(again, updated, is_ready)

    def test_an_update_makes_nothing_anew_that_a_stranger_removed(self, stage: Stage) -> None:
        request = stage.request()
        applied = stage.create(request)
        stage.remove_outside(request)
        stage.until(request, applied, lambda seen: seen.status.reason == "RemovedOutside")
        more = rescaled(request, min_replicas=2)
        with pytest.raises(Rejected) as refused:
            stage.provider.update(more, ref_of(more, applied), stage.target, deadline=deadline())
        assert refused.value.code == "RemovedOutside"
        assert request.runtime_name in refused.value.message
        assert stage.get(request, applied).status.reason == "RemovedOutside"


def effects_of(
    stage: Stage, before: DeployRequest, after: DeployRequest, *, running: int
) -> Effects:
    """Ask without a cluster: what is told must not depend on one that answers."""
    return stage.provider.effects(
        before, after, stage.silent, capacity=None, running=Running(replicas=running)
    )
