"""Every call that asks a cluster is told to whoever listens, however it ends."""

from collections.abc import Iterator

import pytest

from deployments.models import Cluster
from deployments.services.calling import ProviderFailed, calling_cluster
from deployments.services.refreshing import refresh_cluster
from deployments.signals import ClusterCall, cluster_called
from providers.contract.errors import ProviderError, Rejected, Unavailable


@pytest.fixture
def told() -> Iterator[list[ClusterCall]]:
    calls: list[ClusterCall] = []

    def listen(*, call: ClusterCall, **_sent: object) -> None:
        calls.append(call)

    cluster_called.connect(listen)
    yield calls
    cluster_called.disconnect(listen)


def test_a_call_that_succeeds_is_told_with_its_time(told: list[ClusterCall]) -> None:
    with calling_cluster("harbour", "memory", "get"):
        pass
    (call,) = told
    assert (call.cluster, call.verb, call.error) == ("harbour", "get", "")
    assert call.seconds >= 0


@pytest.mark.parametrize(
    ("raised", "comes_out", "word"),
    [
        (Unavailable("silence"), Unavailable, "unavailable"),
        (Rejected("no", code="SomeCodeOfTheCluster"), Rejected, "rejected"),
        (ZeroDivisionError(), ProviderFailed, "provider_failed"),
        (SystemExit(4), ProviderFailed, "provider_failed"),
    ],
)
def test_a_call_that_fails_is_told_by_the_family_of_its_error(
    told: list[ClusterCall], raised: BaseException, comes_out: type[ProviderError], word: str
) -> None:
    with pytest.raises(comes_out), calling_cluster("harbour", "memory", "create"):
        raise raised
    assert [call.error for call in told] == [word]


@pytest.mark.django_db
def test_a_pass_tells_of_every_call_under_the_name_of_its_cluster(
    told: list[ClusterCall], cluster: Cluster
) -> None:
    assert refresh_cluster(cluster).ok
    assert {call.cluster for call in told} == {cluster.name}
    assert {call.verb for call in told} >= {"probe", "read_shared", "list"}
