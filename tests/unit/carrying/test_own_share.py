"""Quotas as if what is to be changed were not there."""

from decimal import Decimal

from providers.carrying.own_share import without_own_share
from providers.contract.capacity import Quota
from providers.contract.manifest import Manifest
from providers.kubernetes.carrier import CARRIER
from providers.kubernetes.provider import provider
from providers.testing.samples import make_request, make_target, spec_with


def running(*, wanted: int, made: int | None = None) -> Manifest:
    spec = spec_with(accelerator={"type": "H100", "count": 2}, resources={"cpu": "500m"})
    request = make_request(provider, spec=spec, overrides={"min_replicas": wanted})
    deployment = provider.render(request, make_target())[0]
    return deployment if made is None else {**deployment, "status": {"replicas": made}}


def used(resource: str, amount: str, deployment: Manifest | None) -> Decimal:
    line = Quota(quota="team", resource=resource, hard=Decimal(100), used=Decimal(amount))
    return without_own_share(CARRIER, [line], deployment)[0].used


def test_pods_and_what_they_ask_for_are_taken_out_by_every_name_of_a_quota() -> None:
    deployment = running(wanted=3)
    assert used("pods", "10", deployment) == 7
    assert used("count/pods", "10", deployment) == 7
    assert used("requests.nvidia.com/gpu", "10", deployment) == 4
    assert used("requests.cpu", "10", deployment) == Decimal("8.5")
    assert used("cpu", "10", deployment) == Decimal("8.5")
    assert used("count/deployments.apps", "1", deployment) == 0


def test_pods_that_were_made_count_rather_than_those_that_are_wanted() -> None:
    assert used("pods", "10", running(wanted=3, made=1)) == 9


def test_what_it_does_not_ask_for_stays() -> None:
    assert used("requests.memory", "10", running(wanted=3)) == 10
    assert used("pods", "10", None) == 10


def test_a_quota_that_has_not_counted_it_yet_is_never_below_nothing() -> None:
    assert used("pods", "1", running(wanted=3)) == 0
