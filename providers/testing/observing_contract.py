"""What a provider must do whose deployments can be looked into: a part of the contract suite."""

from collections.abc import Sequence
from typing import cast

import pytest

from providers.contract.errors import Unavailable
from providers.contract.manifest import ObjectKey
from providers.contract.observing import Events, ObjectState, Observes, Resources
from providers.contract.protocols import Applied
from providers.contract.request import DeployRequest, Intent
from providers.contract.status import PHASES
from providers.testing.samples import ref_of, rescaled
from providers.testing.stage import Stage, deadline, is_ready

TONES = {look.tone for look in PHASES.values()}


class ObservingContract:
    """Every test takes `stage`, and asks nothing of a provider that does not observe."""

    def test_what_says_that_it_observes_has_every_verb_of_it(self, stage: Stage) -> None:
        observes = stage.provider.capabilities.observes
        assert isinstance(stage.provider, Observes) or not observes

    def test_every_applied_object_is_shown_beneath_its_owner(self, stage: Stage) -> None:
        if not stage.provider.capabilities.observes:
            return
        request = stage.request(overrides={"min_replicas": 2})
        applied = stage.create(request)
        stage.until(request, applied, is_ready)
        seen = _resources(stage, request, applied)
        shown = {item.key: item for item in seen.objects}
        assert set(applied.objects) <= shown.keys()
        assert len(shown) == len(seen.objects)
        assert not seen.unreadable
        assert applied.workload_uid in {item.uid for item in seen.objects}
        for number, item in enumerate(seen.objects):
            assert item.below is None or item.below in _keys(seen.objects[:number])

    def test_every_replica_is_shown_with_its_containers(self, stage: Stage) -> None:
        if not stage.provider.capabilities.observes:
            return
        request = stage.request(overrides={"min_replicas": 2})
        applied = stage.create(request)
        stage.until(request, applied, is_ready)
        replicas = _replicas(_resources(stage, request, applied))
        assert [item.tone for item in replicas] == ["ok", "ok"]
        assert all(item.current and item.below for item in replicas)
        for container in (one for item in replicas for one in item.containers):
            assert (container.ready, container.has_started, container.tone) == (True, True, "ok")
            assert container.image

    def test_every_object_says_how_it_is(self, stage: Stage) -> None:
        if not stage.provider.capabilities.observes:
            return
        request = stage.request()
        seen = _resources(stage, request, stage.create(request))
        assert all(item.state and item.tone in TONES for item in seen.objects)

    def test_what_was_never_applied_is_not_shown_as_there(self, stage: Stage) -> None:
        if not stage.provider.capabilities.observes:
            return
        request, other = stage.request(name="ours"), stage.request(name="other")
        applied = stage.create(other)
        seen = _resources(stage, request, None)
        ours = [item for item in seen.objects if item.key.name == request.runtime_name]
        assert not [item for item in ours if item.uid]
        assert not set(applied.objects) & _keys(seen.objects)

    def test_a_workload_that_a_stranger_removed_is_shown_as_missing(self, stage: Stage) -> None:
        if not stage.provider.capabilities.observes:
            return
        request = stage.request()
        applied = stage.create(request)
        stage.remove_outside(request)
        stage.until(request, applied, lambda seen: seen.status.reason == "RemovedOutside")
        seen = _resources(stage, request, applied)
        assert applied.workload_uid not in {item.uid for item in seen.objects}
        [left] = [item for item in seen.objects if item.key == applied.objects[0]]
        assert (left.uid, left.tone) == ("", "fail")

    def test_events_are_told_newest_first_and_of_no_other_deployment(self, stage: Stage) -> None:
        if not stage.provider.capabilities.observes:
            return
        ours, other = stage.request(name="ours"), stage.request(name="other")
        applied, theirs = stage.create(ours), stage.create(other)
        stage.until(ours, applied, is_ready)
        stage.until(other, theirs, is_ready)
        # Who writes events does so beside what they tell of.
        stage.until(ours, applied, lambda _: bool(_events(stage, ours, applied).lines))
        told = _events(stage, ours, applied)
        # Within one second the order is that of their writing: some tell nothing finer.
        times = [line.at.replace(microsecond=0) for line in told.lines if line.at]
        assert times == sorted(times, reverse=True)
        assert told.lines
        assert (told.cut, told.unreadable) == (False, "")
        assert all(ours.runtime_name in line.object for line in told.lines)
        assert all(line.reason and line.count > 0 for line in told.lines)

    def test_events_of_replicas_that_are_gone_are_still_told(self, stage: Stage) -> None:
        if not stage.provider.capabilities.observes:
            return
        request = stage.request()
        applied = stage.create(request)
        stage.until(request, applied, is_ready)
        [gone] = _replicas(_resources(stage, request, applied))
        stopped = rescaled(request, min_replicas=0)
        ref = ref_of(stopped, applied)
        updated = stage.provider.update(stopped, ref, stage.target, deadline=deadline())
        stage.until(stopped, updated, lambda _: not _replicas(_resources(stage, stopped, updated)))
        assert str(gone.key) in {line.object for line in _events(stage, stopped, updated).lines}

    def test_of_what_is_stopped_nothing_is_missing(self, stage: Stage) -> None:
        if not stage.provider.capabilities.observes:
            return
        request = stage.request()
        applied = stage.create(request)
        stage.until(request, applied, is_ready)
        stopped = rescaled(request, min_replicas=0)
        ref = ref_of(stopped, applied, intent=Intent.STOPPED)
        updated = stage.provider.update(stopped, ref, stage.target, deadline=deadline())
        stage.until(stopped, updated, lambda _: not _replicas(_resources(stage, stopped, updated)))
        seen = _observer(stage).resources(ref, stage.target, deadline=deadline())
        assert all(item.uid for item in seen.objects)

    @pytest.mark.parametrize("verb", ["resources", "events"])
    def test_looking_into_a_silent_cluster_is_unavailable(self, stage: Stage, verb: str) -> None:
        if not stage.provider.capabilities.observes:
            return
        ref = ref_of(stage.request(), None)
        with pytest.raises(Unavailable):
            getattr(stage.provider, verb)(ref, stage.silent, deadline=deadline(0.5))


def _resources(stage: Stage, request: DeployRequest, applied: Applied | None) -> Resources:
    return _observer(stage).resources(ref_of(request, applied), stage.target, deadline=deadline())


def _events(stage: Stage, request: DeployRequest, applied: Applied) -> Events:
    return _observer(stage).events(ref_of(request, applied), stage.target, deadline=deadline())


def _observer(stage: Stage) -> Observes:
    return cast("Observes", stage.provider)


def _replicas(seen: Resources) -> Sequence[ObjectState]:
    return [item for item in seen.objects if item.containers]


def _keys(objects: Sequence[ObjectState]) -> set[ObjectKey]:
    return {item.key for item in objects}
