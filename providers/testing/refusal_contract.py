"""What every provider must tell where the cluster refuses the pods of what it applied.

Some controllers say so in a condition, some only in an event: neither may be missed. A part of the
contract suite; it runs with the rest of it.
"""

from providers.contract.status import Phase
from providers.testing.stage import Stage


class RefusalContract:
    """Every test takes `stage`."""

    def test_a_quota_that_leaves_no_pod_is_told_as_the_cause(self, stage: Stage) -> None:
        if stage.fill_quota is None:
            return
        stage.fill_quota()
        request = stage.request()
        applied = stage.create(request)
        seen = stage.until(request, applied, lambda o: o.status.reason == "QuotaExceeded")
        assert seen.status.phase is Phase.FAILED
        assert "full" in seen.status.message
