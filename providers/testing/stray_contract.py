"""What every provider must tell of objects that no record owns, and do about them if it can.

A part of the contract suite; it runs with the rest of it.
"""

from dataclasses import replace

from providers.contract.protocols import ManagedObject, Reclaims
from providers.contract.request import DeployRequest, Provenance
from providers.testing.samples import ref_of, rescaled
from providers.testing.stage import Stage, deadline, is_ready

PROVENANCE = Provenance(
    model="qwen3-0-6b",
    template="mock-cpu",
    template_version="1.0.0",
    overrides={"min_replicas": 1, "engine_args": {"max_model_len": "4096"}},
    created_by="olga",
)


class StrayContract:
    """Every test takes `stage`."""

    def test_what_no_record_owns_tells_what_it_is(self, stage: Stage) -> None:
        request = stage.request(name="Left Over")
        stage.create(replace(request, provenance=PROVENANCE))
        found = _strays(stage, request)
        assert any(one.is_workload for one in found)
        assert all(one.uid and one.created_at for one in found)
        if not _bears_its_launch(stage, request):
            return
        assert {(one.display_name, one.revision) for one in found} == {("Left Over", 1)}
        workload = next(one for one in found if one.is_workload)
        assert workload.key.name == request.runtime_name
        assert (workload.provenance, workload.rollout) == (PROVENANCE, request.rollout)

    def test_what_is_reclaimed_is_compared_with_its_manifests(self, stage: Stage) -> None:
        provider = stage.provider
        request = stage.request()
        if not isinstance(provider, Reclaims) or not _bears_its_launch(stage, request):
            return
        stage.create(request)
        manifests, found = provider.render(request, stage.target), _strays(stage, request)
        assert provider.differences(manifests, found) == ()
        other = provider.render(rescaled(request, min_replicas=3), stage.target)
        assert len(provider.differences(other, found)) == 1
        assert len(provider.differences(manifests, found[1:])) == 1
        assert len(provider.differences(manifests[1:], found)) == 1

    def test_removing_strays_removes_exactly_those(self, stage: Stage) -> None:
        provider = stage.provider
        if not isinstance(provider, Reclaims):
            return
        doomed, other = stage.request(name="doomed"), stage.request(name="other")
        _, kept = stage.create(doomed), stage.create(other)
        found = _strays(stage, doomed)
        renewed = [replace(one, uid="a-uid-of-long-ago") for one in found]
        assert provider.remove(renewed, stage.target, deadline=deadline()).gone
        assert _strays(stage, doomed) == found, "another object of the same name stays"
        stage.until_gone(lambda: provider.remove(found, stage.target, deadline=deadline()))
        assert _strays(stage, doomed) == []
        stage.until(other, kept, is_ready)


def _bears_its_launch(stage: Stage, request: DeployRequest) -> bool:
    """Tell whether objects say what they were launched from: of some kinds that restarts pods."""
    told = replace(request, provenance=PROVENANCE)
    return stage.provider.render(told, stage.target) != stage.provider.render(request, stage.target)


def _strays(stage: Stage, request: DeployRequest) -> list[ManagedObject]:
    """Return what a pass would find of a request whose record is lost."""
    door, nobody = stage.provider.door, ref_of(stage.request(name="another"), None)
    assert door is not None
    shared = door.read_shared(stage.target, with_events_of=(), deadline=deadline())
    listing = stage.provider.list(stage.target, [nobody], shared, deadline=deadline())
    return [found for found in listing.unmatched if found.deployment_id == request.id]
