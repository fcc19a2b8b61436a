"""The in-memory provider passes the contract suite, so that the core may be tested with it."""

from collections.abc import Iterator

import pytest

from providers.contract.errors import Rejected, Unavailable
from providers.contract.manifest import key_of
from providers.contract.request import DeployRequest
from providers.testing.contract_suite import ProviderContract
from providers.testing.memory.cluster import MemoryCluster, cluster_of, forget_clusters
from providers.testing.memory.provider import provider
from providers.testing.samples import NAMESPACE, make_target, ref_of
from providers.testing.stage import Stage, deadline


@pytest.fixture(autouse=True)
def _fresh_clusters() -> Iterator[None]:
    forget_clusters()
    yield
    forget_clusters()


@pytest.fixture
def cluster() -> MemoryCluster:
    return cluster_of("test")


@pytest.fixture
def stage(cluster: MemoryCluster) -> Stage:
    cluster_of("silent").faults["*"] = Unavailable("the cluster does not answer")

    def remove_outside(request: DeployRequest) -> None:
        cluster.remove(key_of(provider.render(request, make_target())[0]))

    def scale_outside(request: DeployRequest, replicas: int) -> None:
        stored = cluster.objects[key_of(provider.render(request, make_target())[0])]
        spec = {**stored.manifest["spec"], "replicas": replicas}
        stored.manifest = {**stored.manifest, "spec": spec}

    return Stage(
        provider=provider,
        target=make_target(),
        silent=make_target(key="silent"),
        namespace=NAMESPACE,
        remove_outside=remove_outside,
        scale_outside=scale_outside,
        patience=1.0,
    )


class TestMemoryProvider(ProviderContract):
    @pytest.fixture
    def stage(self, stage: Stage) -> Stage:
        return stage


def test_a_refusal_half_way_undoes_what_was_made(stage: Stage, cluster: MemoryCluster) -> None:
    cluster.refusals["MemoryService"] = Rejected("no more services", code="QuotaExceeded")
    with pytest.raises(Rejected):
        provider.create(stage.request(), stage.target, deadline=deadline())
    assert not cluster.objects


def test_a_finalizer_holds_a_deletion_and_is_named(stage: Stage, cluster: MemoryCluster) -> None:
    request = stage.request()
    provider.create(request, stage.target, deadline=deadline())
    for stored in cluster.objects.values():
        stored.held_by = ("example.com/keep",)
    left = provider.delete(ref_of(request, None), stage.target, deadline=deadline())
    assert not left.gone
    assert {name for rest in left.waiting_for for name in rest.finalizers} == {"example.com/keep"}
