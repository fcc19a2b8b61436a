"""The contract suite: what every provider must do, whoever wrote it.

Subclass `ProviderContract` in a test module, give it a `stage` fixture, and pytest runs all of it
over your provider. The suite speaks only the words of the contract; a stage says where the
provider runs and how long a real cluster may take.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import pytest

from providers.contract.checks import Result
from providers.contract.errors import InvalidRequest, ProviderError, Unavailable
from providers.contract.fitting import lack_of
from providers.contract.manifest import canonical_json
from providers.contract.protocols import Applied, Listing
from providers.contract.request import DeployRequest, Intent
from providers.contract.several import ReadsSeveral
from providers.contract.status import Phase
from providers.testing.changing_contract import ChangingContract
from providers.testing.drift_contract import DriftContract
from providers.testing.logs_contract import LogsContract
from providers.testing.metrics_contract import MetricsContract
from providers.testing.observing_contract import ObservingContract
from providers.testing.refusal_contract import RefusalContract
from providers.testing.removing_contract import RemovingContract
from providers.testing.samples import AWKWARD_NAMES, ref_of, rescaled, spec_with
from providers.testing.stage import Stage, deadline, is_ready
from providers.testing.stray_contract import StrayContract


class ProviderContract(
    ChangingContract,
    DriftContract,
    LogsContract,
    MetricsContract,
    ObservingContract,
    RefusalContract,
    RemovingContract,
    StrayContract,
):
    """Every test takes `stage`; override that fixture."""

    @pytest.fixture
    def stage(self) -> Stage:
        """Say where the provider is tried."""
        raise NotImplementedError("give your subclass a `stage` fixture")

    @pytest.fixture(autouse=True)
    def _leave_nothing(self, stage: Stage) -> Iterator[None]:
        yield
        stage.clean_up()

    def test_it_says_what_it_is(self, stage: Stage) -> None:
        provider = stage.provider
        assert provider.kind
        assert provider.kind == provider.kind.lower()
        assert provider.title
        assert provider.kind not in provider.aliases
        assert "standard" in provider.capabilities.topologies

    @pytest.mark.parametrize("name", AWKWARD_NAMES)
    def test_any_display_name_gets_a_legal_runtime_name(self, stage: Stage, name: str) -> None:
        request = stage.request(name=name)
        room = 63 - stage.provider.name_suffix(stage.namespace, request.spec)
        assert 1 <= len(request.runtime_name) <= room
        assert request.runtime_name[0].isalpha()
        assert request.runtime_name.strip("-") == request.runtime_name
        assert request.runtime_name.replace("-", "").isalnum()
        assert request.runtime_name.isascii()
        assert request.runtime_name.endswith(request.id[:8])

    def test_rendering_twice_gives_the_same(self, stage: Stage) -> None:
        request = stage.request()
        first = stage.provider.render(request, stage.target)
        again = stage.provider.render(request, stage.target)
        assert canonical_json(first) == canonical_json(again)
        assert first

    def test_every_object_bears_its_owner_and_its_place(self, stage: Stage) -> None:
        request = stage.request()
        for manifest in stage.provider.render(request, stage.target):
            metadata = manifest["metadata"]
            assert metadata["namespace"] == stage.namespace
            assert metadata["labels"]["app.kubernetes.io/managed-by"] == "slipway"
            assert metadata["labels"]["slipway.dev/id"] == request.id
            assert "ownerReferences" not in metadata
            assert "uid" not in metadata

    def test_what_it_does_not_offer_to_carry_is_refused_by_field(self, stage: Stage) -> None:
        roles = [{"name": "prefill", "accelerator": {"type": "cpu"}}]
        wishes: tuple[Mapping[str, object], ...] = (
            {"topology": {"kind": "multi-node", "nodes": 2}},
            {"topology": {"kind": "disaggregated", "roles": roles}},
            {"serving_runtime": {"format": "vLLM"}},
        )
        for wish in wishes:
            request = stage.request(spec=spec_with(**wish))
            lack = lack_of(stage.provider.capabilities, request.spec)
            if lack is not None:
                with pytest.raises(InvalidRequest) as refused:
                    stage.provider.validate(request, stage.target)
                assert lack.field in refused.value.fields

    def test_a_missing_image_is_refused_by_field(self, stage: Stage) -> None:
        request = stage.request(spec=spec_with(engine={"image": ""}))
        with pytest.raises(InvalidRequest) as refused:
            stage.provider.validate(request, stage.target)
        assert "spec.engine.image" in refused.value.fields

    def test_what_is_valid_passes_validation_and_preflight(self, stage: Stage) -> None:
        request = stage.request()
        checks = (
            *stage.provider.validate(request, stage.target),
            *stage.provider.preflight(request, stage.target, capacity=None, deadline=deadline()),
        )
        assert not [check for check in checks if check.result is Result.FAIL]
        assert all(check.code and check.message for check in checks)

    def test_preflight_leaves_nothing_behind(self, stage: Stage) -> None:
        request = stage.request()
        stage.provider.preflight(request, stage.target, capacity=None, deadline=deadline())
        assert stage.get(request, None).status.reason == "ApplyPending"

    def test_a_missing_namespace_fails_the_preflight_by_field(self, stage: Stage) -> None:
        request = replace(stage.request(), namespace="no-such-namespace")
        checks = stage.provider.preflight(request, stage.target, capacity=None, deadline=deadline())
        failed = [check for check in checks if check.result is Result.FAIL]
        assert "target.namespace" in {check.field for check in failed}

    def test_a_missing_namespace_refuses_the_create(self, stage: Stage) -> None:
        request = replace(stage.request(), namespace="no-such-namespace")
        with pytest.raises(ProviderError) as refused:
            stage.provider.create(request, stage.target, deadline=deadline())
        assert not isinstance(refused.value, Unavailable)
        assert "no-such-namespace" in refused.value.message

    def test_what_was_created_becomes_ready(self, stage: Stage) -> None:
        request = stage.request(overrides={"min_replicas": 2})
        applied = stage.create(request)
        seen = stage.until(request, applied, is_ready)
        assert (seen.status.desired_replicas, seen.status.ready_replicas) == (2, 2)
        assert seen.status.once_full
        assert request.runtime_name in seen.endpoint.url
        assert seen.workload_uid == applied.workload_uid

    def test_creating_twice_is_the_same_as_once(self, stage: Stage) -> None:
        request = stage.request()
        first = stage.create(request)
        again = stage.provider.create(request, stage.target, deadline=deadline())
        assert again.workload_uid == first.workload_uid
        assert set(again.objects) == set(first.objects)

    def test_what_was_never_applied_is_pending(self, stage: Stage) -> None:
        status = stage.get(stage.request(), None).status
        assert (status.phase, status.reason) == (Phase.DEPLOYING, "ApplyPending")

    def test_what_a_stranger_removed_is_told(self, stage: Stage) -> None:
        request = stage.request()
        applied = stage.create(request)
        stage.remove_outside(request)
        seen = stage.until(request, applied, lambda o: o.status.reason == "RemovedOutside")
        assert seen.status.phase is Phase.DELETED
        assert not seen.status.closed

    def test_list_and_get_agree_and_strangers_are_named(self, stage: Stage) -> None:
        ours, other = stage.request(name="ours"), stage.request(name="other")
        applied, _ = stage.create(ours), stage.create(other)
        seen = stage.until(ours, applied, is_ready)
        listing = _list(stage, ours, applied)
        assert listing.observations[ours.id].status.says_the_same(seen.status)
        assert other.id in {found.deployment_id for found in listing.unmatched}
        assert ours.id not in {found.deployment_id for found in listing.unmatched}

    def test_a_listed_deployment_that_is_nowhere_gets_an_answer_too(self, stage: Stage) -> None:
        request = stage.request()
        listing = _list(stage, request, None)
        assert listing.observations[request.id].status.reason == "ApplyPending"

    def test_several_read_at_once_are_told_as_in_a_list(self, stage: Stage) -> None:
        if not isinstance(stage.provider, ReadsSeveral):
            return
        ready, nowhere = stage.request(name="ready"), stage.request(name="nowhere")
        applied, _ = stage.create(ready), stage.create(stage.request(name="other"))
        stage.until(ready, applied, is_ready)
        listed = _list(stage, ready, applied).observations[ready.id]
        refs = [ref_of(ready, applied), ref_of(nowhere, None)]
        seen = stage.provider.get_several(refs, stage.target, deadline=deadline())
        assert seen.keys() == {ready.id, nowhere.id}
        assert seen[ready.id].status.says_the_same(listed.status)
        assert seen[ready.id].endpoint == listed.endpoint
        assert seen[ready.id].workload_uid == applied.workload_uid
        assert seen[nowhere.id].status.reason == "ApplyPending"

    def test_several_of_a_silent_cluster_are_unavailable(self, stage: Stage) -> None:
        if not isinstance(stage.provider, ReadsSeveral):
            return
        refs = [ref_of(stage.request(), None)]
        with pytest.raises(Unavailable):
            stage.provider.get_several(refs, stage.silent, deadline=deadline(0.5))

    def test_scaling_changes_replicas_and_restarts_nothing(self, stage: Stage) -> None:
        request = stage.request()
        applied = stage.create(request)
        stage.until(request, applied, is_ready)
        larger = rescaled(request, min_replicas=3)
        updated = _update(stage, larger, applied)
        assert updated.pod_digest == applied.pod_digest
        assert updated.workload_uid == applied.workload_uid
        seen = stage.until(larger, updated, lambda o: o.status.ready_replicas == 3)
        assert seen.status.desired_replicas == 3

    def test_updating_twice_is_the_same_as_once(self, stage: Stage) -> None:
        request = stage.request()
        applied = stage.create(request)
        larger = rescaled(request, min_replicas=2)
        first = _update(stage, larger, applied)
        assert _update(stage, larger, first) == first

    def test_autoscaling_can_be_switched_on_and_off_again(self, stage: Stage) -> None:
        if not stage.provider.capabilities.autoscaling:
            return
        request = stage.request(overrides={"min_replicas": 2})
        applied = stage.create(request)
        stage.until(request, applied, is_ready)
        wide = rescaled(request, min_replicas=2, max_replicas=4, enable_auto_scaling=True)
        on = _update(stage, wide, applied)
        assert stage.until(wide, on, is_ready).status.desired_replicas == 2
        fixed = rescaled(wide, min_replicas=2, enable_auto_scaling=False)
        off = _update(stage, fixed, on)
        assert stage.until(fixed, off, is_ready).status.ready_replicas == 2
        assert off.pod_digest == applied.pod_digest

    def test_zero_replicas_is_stopped_and_never_one(self, stage: Stage) -> None:
        request = stage.request()
        applied = stage.create(request)
        stopped = rescaled(request, min_replicas=0)
        updated = _update(stage, stopped, applied)
        seen = stage.until(stopped, updated, lambda o: o.status.phase is Phase.STOPPED)
        assert seen.status.desired_replicas == 0

    def test_deleting_removes_everything_and_only_that(self, stage: Stage) -> None:
        doomed, other = stage.request(name="doomed"), stage.request(name="other")
        applied, kept = stage.create(doomed), stage.create(other)
        stage.delete(doomed, applied)
        ref = ref_of(doomed, applied, intent=Intent.DELETED)
        status = stage.provider.get(ref, stage.target, deadline=deadline()).status
        assert (status.phase, status.closed) == (Phase.DELETED, True)
        stage.until(other, kept, is_ready)

    def test_deleting_what_is_gone_succeeds(self, stage: Stage) -> None:
        request = stage.request()
        stage.delete(request, None)
        stage.delete(request, None)

    def test_a_silent_cluster_is_unavailable_within_the_deadline(self, stage: Stage) -> None:
        request = stage.request()
        began = time.monotonic()
        with pytest.raises(Unavailable) as silent:
            stage.provider.get(ref_of(request, None), stage.silent, deadline=deadline(1.0))
        assert time.monotonic() - began < 30  # a hang would be for ever, so a coarse bound does
        assert silent.value.message

    @pytest.mark.parametrize("verb", ["preflight", "create", "update", "delete"])
    def test_every_verb_says_that_a_silent_cluster_is_unavailable(
        self, stage: Stage, verb: str
    ) -> None:
        request = stage.request()
        ref = ref_of(request, None)
        calls: dict[str, Callable[[], object]] = {
            "preflight": lambda: stage.provider.preflight(
                request, stage.silent, capacity=None, deadline=deadline(0.5)
            ),
            "create": lambda: stage.provider.create(request, stage.silent, deadline=deadline(0.5)),
            "update": lambda: stage.provider.update(
                request, ref, stage.silent, deadline=deadline(0.5)
            ),
            "delete": lambda: stage.provider.delete(ref, stage.silent, deadline=deadline(0.5)),
        }
        with pytest.raises(Unavailable):
            calls[verb]()


def _update(stage: Stage, request: DeployRequest, applied: Applied) -> Applied:
    return stage.provider.update(
        request, ref_of(request, applied), stage.target, deadline=deadline()
    )


def _list(stage: Stage, request: DeployRequest, applied: Applied | None) -> Listing:
    door = stage.provider.door
    assert door is not None
    shared = door.read_shared(stage.target, with_events_of=(), deadline=deadline())
    return stage.provider.list(
        stage.target, [ref_of(request, applied)], shared, deadline=deadline()
    )
