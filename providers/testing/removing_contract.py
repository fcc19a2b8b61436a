"""What every provider that foretells a deletion must tell: all that it would remove, and no more.

A part of the contract suite; it runs with the rest of it.
"""

from providers.contract.removing import Foretells
from providers.testing.samples import ref_of
from providers.testing.stage import Stage, deadline, is_ready


class RemovingContract:
    """Every test takes `stage`."""

    def test_what_a_deletion_would_remove_is_what_is_there(self, stage: Stage) -> None:
        provider = stage.provider
        if not isinstance(provider, Foretells):
            return
        request, other = stage.request(name="doomed"), stage.request(name="other")
        applied, _ = stage.create(request), stage.create(other)
        stage.until(request, applied, is_ready)
        going = provider.what_goes(ref_of(request, applied), stage.target, deadline=deadline())
        keys = {one.object for one in going.objects}
        assert set(applied.objects) <= keys
        assert other.runtime_name not in {key.name for key in keys}
        assert not going.unreadable

    def test_of_what_was_never_applied_nothing_would_go(self, stage: Stage) -> None:
        provider = stage.provider
        if not isinstance(provider, Foretells):
            return
        ref = ref_of(stage.request(), None)
        assert provider.what_goes(ref, stage.target, deadline=deadline()).objects == ()
